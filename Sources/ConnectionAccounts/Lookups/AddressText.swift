/// The text of an IP address.
package enum AddressText {
    /// Four bytes as `192.0.2.1`.
    static func ofIPv4(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { String($0) }.joined(separator: ".")
    }

    /// Sixteen bytes as `2001:db8::1` (RFC 5952), or as an address of IPv4 if they have one (RFC 4291, section 2.5.5.2).
    package static func of(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        guard bytes.count == 16 else { return "" }
        if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) { return ofIPv4(bytes[12...]) }
        return ofIPv6(bytes)
    }

    static func ofIPv6(_ bytes: [UInt8]) -> String {
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let zeros = longestZeros(groups)
        func text(_ groups: ArraySlice<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard zeros.count > 1 else { return text(groups[...]) }
        return text(groups[..<zeros.lowerBound]) + "::" + text(groups[zeros.upperBound...])
    }

    /// The first of the longest runs of zeros.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var index = 0
        while index < groups.count {
            let start = index
            while index < groups.count, groups[index] == 0 { index += 1 }
            if index - start > longest.count { longest = start..<index }
            index += 1
        }
        return longest
    }
}
