#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The address under which other machines of the local network reach this one.
package enum LocalNetwork {
    /// An interface's name and its IPv4 address.
    package typealias Place = (interface: String, address: String)

    /// The address of this machine; nil if it is in no local network.
    package static var address: String? { best(of: places) }

    /// The address to give to others: private (RFC 1918), of an interface that others share, wireless or wired first.
    ///
    /// Carriers' networks, virtual private networks and the bridges of containers are left out.
    package static func best(of places: [Place]) -> String? {
        let own = places.filter { place in
            isPrivate(place.address) && !hidden.contains { place.interface.hasPrefix($0) }
        }
        return (own.first { place in usual.contains { place.interface.hasPrefix($0) } } ?? own.first)?.address
    }

    private static let usual = ["en", "eth", "wl"]
    private static let hidden = [
        "pdp_ip", "ipsec", "utun", "tun", "tap", "wg", "docker", "br-", "veth", "virbr", "lxc",
    ]

    private static func isPrivate(_ address: String) -> Bool {
        let parts = address.split(separator: ".").compactMap { UInt8($0) }
        guard parts.count == 4 else { return false }
        return parts[0] == 10 || parts[0] == 192 && parts[1] == 168 || parts[0] == 172 && (16...31).contains(parts[1])
    }

    private static var places: [Place] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var places: [Place] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else { continue }
            let number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
            let parts = stride(from: 24, through: 0, by: -8).map { String(number >> UInt32($0) & 0xFF) }
            places.append((String(cString: entry.ifa_name), parts.joined(separator: ".")))
        }
        return places
    }
}
