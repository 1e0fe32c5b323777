/// A port of 127.0.0.1 that refuses connections and stays reserved while this object lives.
public final class ClosedPort: Sendable {
    private let socket: Socket

    /// Binds a free port without listening on it.
    ///
    /// - Throws: ``OriginError`` if no port is free.
    public init() throws { socket = try Socket.bound(port: 0) }

    deinit { socket.close() }

    /// The number of the port.
    public var number: UInt16 { socket.ports.local }
}
