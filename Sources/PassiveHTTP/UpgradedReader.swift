package import TrafficModel

/// Reads the protocol that a connection has switched to, such as the frames of WebSocket (RFC 6455).
package protocol UpgradedReader {
    /// Takes the next bytes of a direction.
    mutating func receive(_ bytes: ArraySlice<UInt8>, _ direction: Direction, at time: Timestamp)
    /// Ends a direction, because it was closed.
    mutating func end(_ direction: Direction, at time: Timestamp)
}
