package import TrafficModel

/// Finds the network that a connection goes over, by the addresses of its ends.
package protocol InterfaceLookup {
    /// The network of a connection between two addresses without ports; nil if it is not known.
    mutating func network(local: String, remote: String) -> ConnectionNetwork?
}

/// A lookup that finds no network for any connection.
package struct NoInterfaces: InterfaceLookup {
    /// A lookup without interfaces.
    package init() {}

    package mutating func network(local: String, remote: String) -> ConnectionNetwork? { nil }
}
