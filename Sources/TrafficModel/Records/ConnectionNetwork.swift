/// The network that a connection goes over, as far as the system reports it.
public struct ConnectionNetwork: Hashable, Sendable {
    /// A class of network, such as cellular.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// Its name in machine formats.
        public var rawValue: String

        /// The kind of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// This machine: nothing leaves it.
        public static let loopback = Kind(rawValue: "loopback")
        /// A carrier's network.
        public static let cellular = Kind(rawValue: "cellular")
    }

    /// The protocol by which the system resolved the host's name.
    public struct Resolution: RawRepresentable, Hashable, Sendable {
        /// Its name in machine formats.
        public var rawValue: String

        /// The protocol of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// DNS over UDP (RFC 1035, section 4.2.1).
        public static let udp = Resolution(rawValue: "udp")
        /// DNS over TCP (RFC 1035, section 4.2.2).
        public static let tcp = Resolution(rawValue: "tcp")
        /// DNS over TLS (RFC 7858).
        public static let tls = Resolution(rawValue: "tls")
        /// DNS over HTTPS (RFC 8484).
        public static let https = Resolution(rawValue: "https")

        /// All of them; the number of each in ``ConnectionNetwork/flags`` is its place, from 1.
        package static let all: [Resolution] = [.udp, .tcp, .tls, .https]
    }

    /// The name of the interface that has the connection's local address, such as `lo` or `wlan0`; empty if it is not
    /// known.
    public var interface: String
    /// Whether the connection stays on this machine.
    public var isLoopback: Bool?
    /// Whether it goes over a cellular network.
    public var isCellular: Bool?
    /// Whether the system calls the network expensive: cellular, or a personal hotspot.
    public var isExpensive: Bool?
    /// Whether the user has asked to save data on this network.
    public var isConstrained: Bool?
    /// Whether several paths carry it (multipath TCP).
    public var isMultipath: Bool?
    /// Whether a proxy that the system's settings or the session name is at its other end.
    public var isProxied: Bool?
    /// How the host's name was resolved; nil if the system does not report it, as where nothing was resolved.
    public var resolution: Resolution?

    /// A network with these properties; nil for each one that the system does not report.
    public init(
        interface: String = "", isLoopback: Bool? = nil, isCellular: Bool? = nil, isExpensive: Bool? = nil,
        isConstrained: Bool? = nil, isMultipath: Bool? = nil, isProxied: Bool? = nil, resolution: Resolution? = nil
    ) {
        self.interface = interface
        self.isLoopback = isLoopback
        self.isCellular = isCellular
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isMultipath = isMultipath
        self.isProxied = isProxied
        self.resolution = resolution
    }

    /// The class of network; nil if the system reports none.
    ///
    /// Neither Linux nor Apple's task metrics say whether a network is wired or wireless.
    public var kind: Kind? { isLoopback == true ? .loopback : isCellular == true ? .cellular : nil }

    /// The properties under their names in machine formats.
    package var properties: [(name: String, value: Bool?)] {
        [
            ("loopback", isLoopback), ("cellular", isCellular), ("expensive", isExpensive),
            ("constrained", isConstrained), ("multipath", isMultipath), ("proxied", isProxied),
        ]
    }

    /// All but the interface as one number, in which it is stored and shipped; its bits never change.
    ///
    /// From the lowest: two bits for each of ``properties``, whether it is known and its value; from the 32nd on the
    /// number of the resolution, or 0.
    package var flags: Int64 {
        let resolved = resolution.flatMap { Resolution.all.firstIndex(of: $0) }.map { Int64($0) + 1 } ?? 0
        return properties.enumerated().reduce(resolved << Self.resolutionBit) { flags, property in
            guard let value = property.element.value else { return flags }
            return flags | (value ? 3 : 1) << (2 * property.offset)
        }
    }

    /// The network of an interface with those ``flags``.
    package init(interface: String, flags: Int64) {
        func property(_ place: Int) -> Bool? {
            let bits = flags >> (2 * place) & 3
            return bits & 1 == 0 ? nil : bits & 2 != 0
        }
        let resolved = Int(flags >> Self.resolutionBit & 0xF)
        self.init(
            interface: interface, isLoopback: property(0), isCellular: property(1), isExpensive: property(2),
            isConstrained: property(3), isMultipath: property(4), isProxied: property(5),
            resolution: (1...Resolution.all.count).contains(resolved) ? Resolution.all[resolved - 1] : nil)
    }

    private static let resolutionBit = 32

    /// One short name, by which reports group: the interface if it is known, otherwise the properties that are known.
    public var name: String {
        if !interface.isEmpty { return interface }
        let known = properties.filter { $0.value == true }.map(\.name)
        return known.isEmpty ? "other" : known.joined(separator: ", ")
    }

    /// Whether that word of a user names this network: its interface, or one of its properties.
    package func matches(_ word: String) -> Bool {
        name == word || interface == word || properties.contains { $0.name == word && $0.value == true }
    }
}
