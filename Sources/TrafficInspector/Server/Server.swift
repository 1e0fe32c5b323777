internal import FlyingSocks
internal import Foundation
internal import Locks

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Listens, and runs each connection in a task of its own.
///
/// It implements HTTP itself, on FlyingSocks' sockets. FlyingFox's server reads headers of any length into memory,
/// waits forever for slow callers, and ends when the process runs out of descriptors. An application should not have to
/// bear that.
final class Server: Sendable {
    /// The most connections that are served at once.
    static let connectionLimit = 256

    /// The port that it listens on.
    let port: Int
    private let socket: Socket
    private let pool: any AsyncSocketPool
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let connections = Mutex<[ObjectIdentifier: (connection: Connection, task: Task<Void, Never>)]>([:])

    /// Binds and listens; callers get no response before ``run(_:)``.
    ///
    /// - Parameters:
    ///   - address: an IPv4 or IPv6 address.
    ///   - port: 0 for any that is free.
    /// - Throws: ``InspectorError``
    init(address: String, port: UInt16) throws(InspectorError) {
        do {
            let pool = SocketPool.make()
            let socket: Socket
            if address.contains(":") {
                socket = try Self.listening(try sockaddr_in6.inet6(ip6: address, port: port))
            } else {
                socket = try Self.listening(try sockaddr_in.inet(ip4: address, port: port))
            }
            self.pool = pool
            self.socket = socket
            switch try socket.sockname() {
            case .ip4(_, let port), .ip6(_, let port): self.port = Int(port)
            case .unix: self.port = 0
            }
        } catch SocketError.failed(_, EADDRINUSE, _) {
            throw InspectorError(
                "port \(port) of \(address) is taken", advice: "use another, or 0 for any that is free")
        } catch SocketError.failed(_, EACCES, _) {
            throw InspectorError("port \(port) of \(address) needs special rights", advice: "use one from 1024 on")
        } catch SocketError.failed(_, EADDRNOTAVAIL, _) {
            throw InspectorError(
                "\(address) is not an address of this machine", advice: "use one that it has, or 127.0.0.1")
        } catch SocketError.failed(_, let code, _) where code != ENOENT {
            throw InspectorError(
                "cannot listen on port \(port) of \(address): \(String(cString: strerror(code)))",
                advice: "use another port or address")
        } catch {
            throw InspectorError(
                "'\(address)' is not an IP address", advice: "use 127.0.0.1, or an address of this machine")
        }
    }

    private static func listening(_ address: some SocketAddress) throws -> Socket {
        let socket = try Socket(domain: Int32(type(of: address).family), type: .stream)
        do {
            // A child process of the program must not hold the port.
            _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: address)
            try socket.listen()
        } catch {
            try? socket.close()
            throw error
        }
        return socket
    }

    /// Starts to accept connections.
    func run(_ answer: @escaping @Sendable (Request) async -> Response) async throws {
        let listener = try AsyncSocket(socket: socket, pool: pool)
        try await pool.prepare()
        let pool = pool
        tasks.withLock {
            $0 = [
                Task { try? await pool.run() },
                Task { [self] in await accept(listener, answer) },
                Task { [self] in await cancelLateConnections() },
            ]
        }
    }

    /// Closes all connections and the port.
    func stop() {
        let (running, open) = (
            tasks.withLock { tasks in
                defer { tasks = [] }
                return tasks
            }, connections.withLock { Array($0.values) }
        )
        guard !running.isEmpty else { return }
        for task in running { task.cancel() }
        for one in open { one.task.cancel() }
        try? socket.close()
    }

    private func accept(_ listener: AsyncSocket, _ answer: @escaping @Sendable (Request) async -> Response) async {
        while !Task.isCancelled {
            do {
                let socket = try await listener.accept()
                _ = fcntl(socket.socket.file.rawValue, F_SETFD, FD_CLOEXEC)
                take(socket, answer)
            } catch is CancellationError {
                return
            } catch {
                // The process is probably out of descriptors. That passes, and retrying at once would only waste time.
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func take(_ socket: AsyncSocket, _ answer: @escaping @Sendable (Request) async -> Response) {
        let isRoom = connections.withLock { $0.count < Self.connectionLimit }
        let busy: @Sendable (Request) async -> Response = { _ in Self.full.response }
        let connection = Connection(socket: socket, answer: isRoom ? answer : busy)
        let key = ObjectIdentifier(connection)
        connections.withLock { connections in
            // Up to 16 connections above the limit get the response "busy"; further ones are closed without a response.
            guard connections.count < Self.connectionLimit + 16 else {
                try? socket.close()
                return
            }
            let task = Task { [self] in
                await connection.run()
                forget(key)
            }
            connections[key] = (connection, task)
        }
    }

    private func forget(_ key: ObjectIdentifier) { connections.withLock { $0[key] = nil } }

    private static let full = Refusal(
        status: 503, code: "busy", phrase: .busy, fields: [("Connection", "close")])

    private func cancelLateConnections() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let now = ContinuousClock.now
            let late = connections.withLock { $0.values.filter { $0.connection.isLate(at: now) } }
            for one in late { one.task.cancel() }
        }
    }

    /// The number of open connections.
    var connectionCount: Int { connections.withLock { $0.count } }
}
