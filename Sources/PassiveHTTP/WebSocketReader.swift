package import HTTPWire
package import TrafficModel

/// Separates the frames of WebSocket from their payload (RFC 6455, section 5.2), after a connection has switched to it.
package struct WebSocketReader: UpgradedReader {
    /// The token of Upgrade that leads to it, in lower case (RFC 6455, section 4.1).
    package static let protocolName = "websocket"

    /// What the client has sent.
    package private(set) var up = WebSocketScanner()
    /// What the server has sent.
    package private(set) var down = WebSocketScanner()

    package init() {}

    package mutating func receive(_ bytes: ArraySlice<UInt8>, _ direction: Direction, at time: Timestamp) {
        if direction == .up { up.add(bytes) } else { down.add(bytes) }
    }

    package mutating func end(_ direction: Direction, at time: Timestamp) {}
}
