/// An address of IPv4 or IPv6; one of IPv4 that IPv6 carries (::ffff:a.b.c.d) is that of IPv4.
package struct IPAddress: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Four or sixteen bytes.
    package init?(_ bytes: [UInt8]) {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        switch bytes.count {
        case 4: self.bytes = bytes
        case 16: self.bytes = bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
        default: return nil
        }
    }

    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Whether it is valid on one link only (RFC 3927, RFC 4291): there are the metadata services of clouds.
    package var isLinkLocal: Bool {
        bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// The address of IPv4 that a translator reaches by it (RFC 6052, RFC 3056); nil if there is none.
    package var translated: IPAddress? {
        guard bytes.count == 16 else { return nil }
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return IPAddress(Array(bytes[12...])) }
        if bytes.starts(with: [0x20, 0x02]) { return IPAddress(Array(bytes[2..<6])) }
        return nil
    }

    /// Whether a cloud's machine gets its credentials there, as from link-local addresses.
    package var isMetadataService: Bool {
        bytes == [0xFD, 0, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x54]
    }

    /// Whether it stands for this machine or for no machine: 0.0.0.0/8 and ::.
    package var isUnspecified: Bool { bytes.count == 4 ? bytes[0] == 0 : bytes.allSatisfy { $0 == 0 } }

    package var isMulticast: Bool { bytes.count == 4 ? bytes[0] >= 224 : bytes[0] == 0xFF }

    /// Whether other machines may have a way to it: in IPv6, global and unique local addresses (RFC 4291, RFC 4193).
    private var isReachable: Bool {
        bytes.count == 4
            ? !isLoopback && !isLinkLocal && !isUnspecified && !isMulticast
            : bytes[0] & 0xE0 == 0x20 || bytes[0] & 0xFE == 0xFC
    }

    /// Addresses at which other machines reach what listens at this one, those of IPv4 first.
    ///
    /// Who listens at `::` is reached by IPv4, too.
    package func announced(of machine: [IPAddress]) -> [IPAddress] {
        guard isUnspecified else { return isReachable ? [self] : [] }
        let four = machine.filter { $0.bytes.count == 4 && $0.isReachable }
        return bytes.count == 4 ? four : four + machine.filter { $0.bytes.count == 16 && $0.isReachable }
    }
}

/// Addresses that begin alike, such as `192.168.1.0/24`.
package struct AddressRange: Hashable, Sendable {
    private let base: IPAddress
    private let length: Int

    package init(_ base: IPAddress, length: Int? = nil) {
        self.base = base
        self.length = length ?? base.bytes.count * 8
    }

    package func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        for i in 0..<address.bytes.count {
            let bits = min(8, max(0, length - i * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF << (8 - bits))
            if address.bytes[i] & mask != base.bytes[i] & mask { return false }
        }
        return true
    }
}
