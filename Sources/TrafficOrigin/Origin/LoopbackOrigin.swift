import Foundation
import Locks

/// An HTTP/1.1 server on 127.0.0.1 that writes exactly the bytes of its scripts and logs every byte it sees.
///
/// It is for tests of code that counts, sends or receives HTTP. A handler turns each request into a ``Script``.
/// Afterwards ``exchanges`` holds the bytes that went over the wire, part by part.
///
///     let origin = LoopbackOrigin { request in
///         .respond("200 OK", fields: ["Content-Type: text/plain"], body: .text("hello"))
///     }
///     try origin.start()
///     defer { origin.stop() }
public final class LoopbackOrigin: Sendable {
    private struct State {
        var listener: Socket?
        var port: UInt16 = 0
        var connections: [OriginConnection] = []
        var running = 0
        var accepted = 0
    }

    private let state = Mutex(State())
    private let sequence = SequenceSource()
    private let limit: Int
    private let wantedPort: UInt16
    private let handler: @Sendable (OriginRequest) -> Script

    /// Makes an origin that does not listen yet.
    ///
    /// - Parameters:
    ///   - port: the port to listen on; 0 for any free one.
    ///   - keptBytes: the number of bytes to keep of each request and each response. Counts are exact beyond it.
    ///   - handler: returns the script for a request. It is called as soon as the headers are complete; see ``Script``.
    public init(
        port: UInt16 = 0, keptBytes: Int = 1_048_576, handler: @escaping @Sendable (OriginRequest) -> Script
    ) {
        wantedPort = port
        limit = keptBytes
        self.handler = handler
    }

    /// Starts to listen.
    ///
    /// - Throws: ``OriginError`` if the port is not available.
    public func start() throws {
        let listener = try Socket.bound(port: wantedPort)
        do { try listener.listen() } catch {
            listener.close()
            throw error
        }
        state.withLock {
            $0.listener = listener
            $0.port = listener.ports.local
            $0.running += 1
        }
        detach { [self] in
            accept(on: listener)
            listener.close()
        }
    }

    /// Closes all connections, and waits until the last thread has ended.
    public func stop() {
        let connections = state.withLock { state in
            state.listener = nil
            return state.connections
        }
        connections.forEach { $0.stop() }
        while state.withLock({ $0.running }) > 0 {
            // Also stop connections that were accepted meanwhile.
            state.withLock { $0.connections }.forEach { $0.stop() }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }

    /// The port that the origin listens on; 0 before ``start()``.
    public var port: UInt16 { state.withLock { $0.port } }

    /// The URL of the origin, `http://127.0.0.1:PORT`.
    public var address: String { "http://\(authority)" }

    /// The host and port, `127.0.0.1:PORT`.
    public var authority: String { "127.0.0.1:\(port)" }

    /// All connections in the order in which they were accepted.
    public var connections: [OriginConnectionLog] {
        state.withLock { $0.connections }.map(\.snapshot)
    }

    /// All exchanges in the order of their first byte.
    public var exchanges: [OriginExchange] {
        connections.flatMap(\.exchanges).sorted { $0.sequence < $1.sequence }
    }

    /// Bytes received on all connections.
    public var receivedBytes: Int { connections.reduce(0) { $0 + $1.receivedBytes } }

    /// Bytes that the kernel accepted from us on all connections.
    public var sentBytes: Int { connections.reduce(0) { $0 + $1.sentBytes } }

    /// Waits until no connection is working on a request, so that the logs are complete.
    ///
    /// - Parameter seconds: the longest time to wait.
    /// - Returns: whether all connections were idle in time.
    public func waitUntilIdle(seconds: Double = 30) -> Bool {
        let end = ProcessInfo.processInfo.systemUptime + seconds
        while ProcessInfo.processInfo.systemUptime < end {
            if state.withLock({ $0.connections }).allSatisfy(\.isIdle) { return true }
            Thread.sleep(forTimeInterval: 0.002)
        }
        return false
    }

    private func accept(on listener: Socket) {
        while state.withLock({ $0.listener != nil }) {
            guard let socket = listener.accept() else {
                listener.wait(milliseconds: 20)
                continue
            }
            let connection = state.withLock { state in
                let connection = OriginConnection(
                    socket: socket, number: state.accepted, limit: limit,
                    nextSequence: { [sequence] in sequence.next() }, handler: handler)
                state.accepted += 1
                state.running += 1
                state.connections.append(connection)
                return connection
            }
            detach { connection.run() }
        }
    }

    private func detach(_ work: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            work()
            state.withLock { $0.running -= 1 }
        }
        // Tests open hundreds of connections at once, and the default stack of 8 MB for each would be too much.
        thread.stackSize = 512 * 1_024
        thread.start()
    }
}

/// Numbers the exchanges of all connections.
///
/// It is a separate object, so that connections do not retain the origin that retains them.
private final class SequenceSource: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
