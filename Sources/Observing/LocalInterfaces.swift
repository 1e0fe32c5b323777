#if os(Linux)
    internal import Clocks
    internal import ConnectionAccounts
    internal import Glibc
    package import TrafficModel

    /// The interfaces of this machine, in this process's network namespace.
    ///
    /// Used by one thread at a time.
    package struct LocalInterfaces: InterfaceLookup {
        private struct Interface {
            var name: String
            var isLoopback: Bool
        }

        /// The interfaces by their addresses; nil for an address that several interfaces have.
        private var known: [String: Interface?] = [:]
        private var loopback = "lo"
        private var readAt: UInt64?

        /// A lookup that reads the interfaces when it first needs them.
        package init() {}

        /// The number of this process's network namespace; nil if it is not known.
        package static let namespace: UInt64? = {
            var link = [CChar](repeating: 0, count: 64)
            let count = readlink("/proc/self/ns/net", &link, link.count)
            guard count > 0 else { return nil }
            return UInt64(
                String(decoding: link.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self).filter(\.isNumber))
        }()

        package mutating func network(local: String, remote: String) -> ConnectionNetwork? {
            let local = Self.plain(local)
            guard !local.isEmpty else { return nil }
            if known[local] == nil { readAgain() }
            // All of 127.0.0.0/8 is loopback, although interfaces name one address of it (RFC 1122, section 3.2.1.3).
            // Traffic to an address of this machine does not leave it, whatever its source address is.
            let isLoopback = local.hasPrefix("127.") || local == "::1" || known[Self.plain(remote)] != nil
            if isLoopback { return ConnectionNetwork(interface: loopback, isLoopback: true) }
            guard let found = known[local], let interface = found else { return nil }
            return ConnectionNetwork(interface: interface.name, isLoopback: interface.isLoopback)
        }

        /// The address without the prefix of an IPv4 address that is written as one of IPv6.
        private static func plain(_ address: String) -> String {
            address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
        }

        // A new interface may have come up, but not with each connection: so this reads them at most once a second.
        private mutating func readAgain() {
            let seconds = SystemClock.monotonic() / 1_000_000_000
            if let readAt, seconds <= readAt { return }
            readAt = seconds
            var first: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&first) == 0 else { return }
            defer { freeifaddrs(first) }
            known = [:]
            var next = first
            while let entry = next?.pointee {
                next = entry.ifa_next
                guard let address = entry.ifa_addr, let text = Self.text(of: address) else { continue }
                let interface = Interface(
                    name: String(cString: entry.ifa_name), isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0)
                if interface.isLoopback { loopback = interface.name }
                let isAnothers = known[text] != nil && known[text]??.name != interface.name
                known.updateValue(isAnothers ? nil : interface, forKey: text)
            }
        }

        private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let family = Int32(address.pointee.sa_family)
            let isRead: Bool
            switch family {
            case AF_INET:
                isRead = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    inet_ntop(family, &$0.pointee.sin_addr, &text, socklen_t(text.count)) != nil
                }
            case AF_INET6:
                isRead = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    inet_ntop(family, &$0.pointee.sin6_addr, &text, socklen_t(text.count)) != nil
                }
            default: return nil
            }
            guard isRead else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
#endif
