/// The identity of one store in a fleet: 128 random bits, written as a UUID.
package struct InstallationID: Hashable, Sendable, CustomStringConvertible {
    /// The first eight bytes.
    package let high: UInt64
    /// The last eight bytes.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A random identity (RFC 9562, section 5.4).
    package static func random(using generator: inout some RandomNumberGenerator) -> InstallationID {
        InstallationID(
            high: generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// The identity with that text; nil if it is no UUID.
    package init?(_ text: some StringProtocol) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        let digits = groups.joined()
        guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// The text, in lower-case digits.
    package var description: String {
        func digits(_ value: UInt64) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: 16 - text.utf8.count) + text
        }
        let (first, last) = (digits(high), digits(low))
        return
            "\(first.prefix(8))-\(first.dropFirst(8).prefix(4))-\(first.suffix(4))-\(last.prefix(4))-\(last.suffix(12))"
    }
}
