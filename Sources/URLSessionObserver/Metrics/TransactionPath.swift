package import TrafficModel

/// The system's report on the connection that carried a transaction, with the names of
/// `URLSessionTaskTransactionMetrics`.
package struct TransactionPath: Hashable, Sendable {
    /// The local address; like the other ends, nil if no connection was made.
    package var localAddress: String?
    package var localPort: Int?
    package var remoteAddress: String?
    package var remotePort: Int?
    package var isCellular: Bool
    package var isExpensive: Bool
    package var isConstrained: Bool
    package var isMultipath: Bool
    package var isProxied: Bool
    /// The number of the system for the protocol by which the host's name was resolved; nil if it reports none.
    package var domainResolution: Int?

    package init(
        localAddress: String? = nil, localPort: Int? = nil, remoteAddress: String? = nil, remotePort: Int? = nil,
        isCellular: Bool = false, isExpensive: Bool = false, isConstrained: Bool = false, isMultipath: Bool = false,
        isProxied: Bool = false, domainResolution: Int? = nil
    ) {
        self.localAddress = localAddress
        self.localPort = localPort
        self.remoteAddress = remoteAddress
        self.remotePort = remotePort
        self.isCellular = isCellular
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isMultipath = isMultipath
        self.isProxied = isProxied
        self.domainResolution = domainResolution
    }

    /// Converts a port to a number, because Foundation for Linux declares it as text.
    package static func port(_ port: (some CustomStringConvertible)?) -> Int? { port.flatMap { Int($0.description) } }

    /// Our end as `address:port`; empty if it is not known.
    package var local: String { Self.end(localAddress, localPort) }

    /// The peer as `address:port`; empty if it is not known.
    package var remote: String { Self.end(remoteAddress, remotePort) }

    /// The network of the connection; nil if no connection was made, because its reported properties mean nothing then.
    package var network: ConnectionNetwork? {
        guard !local.isEmpty || !remote.isEmpty else { return nil }
        return ConnectionNetwork(
            isLoopback: isLoopback, isCellular: isCellular, isExpensive: isExpensive, isConstrained: isConstrained,
            isMultipath: isMultipath, isProxied: isProxied, resolution: resolution)
    }

    // URLSessionTaskMetrics.DomainResolutionProtocol: unknown, udp, tcp, tls, https.
    private var resolution: ConnectionNetwork.Resolution? {
        switch domainResolution {
        case 1: .udp
        case 2: .tcp
        case 3: .tls
        case 4: .https
        default: nil
        }
    }

    // All of 127.0.0.0/8 is loopback (RFC 1122, section 3.2.1.3), and traffic to an address of this machine does not
    // leave it. We do not query the interfaces, so we miss traffic to an address that only another interface has.
    private var isLoopback: Bool? {
        guard let remote = remoteAddress.map(Self.plain), !remote.isEmpty else { return nil }
        if remote.hasPrefix("127.") || remote == "::1" { return true }
        return localAddress.map(Self.plain).map { $0 == remote }
    }

    /// Converts an IPv4-mapped IPv6 address to the IPv4 address (RFC 4291, section 2.5.5.2).
    private static func plain(_ address: String) -> String {
        address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
    }

    private static func end(_ address: String?, _ port: Int?) -> String {
        guard let address, !address.isEmpty else { return "" }
        // Brackets separate an IPv6 address from the port (RFC 3986, section 3.2.2).
        let host = address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : address
        return port.map { "\(host):\($0)" } ?? host
    }
}
