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

    /// A network with these properties; nil for each one that the system does not report.
    public init(
        interface: String = "", isLoopback: Bool? = nil, isCellular: Bool? = nil, isExpensive: Bool? = nil,
        isConstrained: Bool? = nil, isMultipath: Bool? = nil
    ) {
        self.interface = interface
        self.isLoopback = isLoopback
        self.isCellular = isCellular
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isMultipath = isMultipath
    }

    /// The class of network; nil if the system reports none.
    ///
    /// Neither Linux nor Apple's task metrics say whether a network is wired or wireless.
    public var kind: Kind? { isLoopback == true ? .loopback : isCellular == true ? .cellular : nil }

    /// The properties under their names in machine formats.
    package var properties: [(name: String, value: Bool?)] {
        [
            ("loopback", isLoopback), ("cellular", isCellular), ("expensive", isExpensive),
            ("constrained", isConstrained), ("multipath", isMultipath),
        ]
    }

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
