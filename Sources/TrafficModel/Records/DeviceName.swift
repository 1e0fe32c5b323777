/// Something by which people know a device that a proxy has served, and where it is from.
///
/// The device itself is its address. What is known beside it was not proven: a network's names and tables, and what a
/// program says of itself.
public struct DeviceName: Hashable, Sendable {
    /// Where a name is from.
    public struct Source: RawRepresentable, Hashable, Sendable {
        /// Its name in machine formats.
        public var rawValue: String

        /// The source of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The system's lookup of the address: its hosts file, DNS, or mDNS where the system asks it.
        public static let lookup = Source(rawValue: "lookup")
        /// The hardware address in the system's table of neighbours.
        public static let neighbour = Source(rawValue: "neighbour")
        /// The User-Agent of the first request in which one said something of the device.
        public static let agent = Source(rawValue: "user-agent")
    }

    /// The device's address, without a port.
    public var address: String
    /// The name.
    public var name: String
    /// Where it is from.
    public var source: Source

    /// A name of the device with that address.
    public init(address: String, name: String, source: Source) {
        self.address = address
        self.name = name
        self.source = source
    }
}
