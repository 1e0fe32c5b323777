import Glibc

/// A server that takes the first thing that comes on a connection, and ends it.
final class ClosingOrigin: Sendable {
    private let listener: Listener

    var port: UInt16 { listener.port }

    init() throws {
        listener = try Listener()
        listener.accept { connection in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            _ = read(connection, &buffer, buffer.count)
            close(connection)
        }
    }

    func stop() { listener.stop() }
}
