/// A port of 127.0.0.1 that refuses connections, and that nobody else can take meanwhile.
public final class ClosedPort: Sendable {
    private let socket: Socket

    /// Takes a port without listening on it.
    ///
    /// - Throws: ``OriginError`` where there is none.
    public init() throws { socket = try Socket.bound(port: 0) }

    deinit { socket.close() }

    /// The port.
    public var number: UInt16 { socket.ports.local }
}
