internal import FlyingSocks
internal import Foundation
internal import Locks
internal import TrafficModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// One connection of a browser: reads requests and writes responses.
///
/// A connection whose other side is too slow is given up.
final class Connection: Sendable {
    /// How long the server waits for the other side.
    enum Patience {
        /// For the rest of a request, once its first bytes are here.
        static let request = Duration.seconds(10)
        /// For the next request to start.
        static let idle = Duration.seconds(120)
        /// For the browser to take a piece of a response.
        static let write = Duration.seconds(20)
    }

    private let socket: AsyncSocket
    private let answer: @Sendable (Request) async -> Response
    private let deadline = Mutex<ContinuousClock.Instant?>(nil)

    init(socket: AsyncSocket, answer: @escaping @Sendable (Request) async -> Response) {
        self.socket = socket
        self.answer = answer
    }

    /// Whether the connection has waited too long for the other side.
    func isLate(at now: ContinuousClock.Instant) -> Bool { deadline.withLock { $0.map { $0 < now } ?? false } }

    /// Serves requests until one side ends the connection.
    func run() async {
        // Without this, small responses would wait 40 ms each, for the acknowledgement of the one before.
        try? socket.socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        var reader = RequestReader()
        do {
            while let request = try await next(&reader) {
                var response = await answer(request)
                if request.method == "HEAD" { response.leaveOutContent() }
                let keepsAlive = request.fields.firstValue(of: "Connection")?.lowercased() != "close"
                try await write(response, keepsAlive: keepsAlive)
                if !keepsAlive { break }
            }
        } catch let refusal as Refusal {
            try? await write(refusal.response, keepsAlive: false)
            // If unread bytes remained, closing would reset the connection, and the browser would lose our response.
            await drain()
        } catch {
            // The other side disconnected, or was too slow.
        }
        try? socket.close()
    }

    private func next(_ reader: inout RequestReader) async throws -> Request? {
        if let request = try reader.next() { return request }
        wait(reader.isEmpty ? Patience.idle : Patience.request)
        defer { wait(nil) }
        while true {
            let bytes: [UInt8]
            do {
                bytes = try await socket.read(atMost: 4_096)
            } catch SocketError.disconnected {
                return nil
            }
            if reader.isEmpty { wait(Patience.request) }
            reader.add(bytes)
            if let request = try reader.next() { return request }
        }
    }

    private func write(_ response: Response, keepsAlive: Bool) async throws {
        let bytes = response.head(keepsAlive: keepsAlive)
        switch response.content {
        case .bytes(let content):
            try await write(bytes + content)
        case .stream(let next):
            try await write(bytes)
            while let piece = try await next() {
                guard !piece.isEmpty else { continue }
                try await write(Array(String(piece.count, radix: 16).utf8) + [13, 10] + piece + [13, 10])
            }
            try await write(Array("0\r\n\r\n".utf8))
        case .headOnly:
            try await write(bytes)
        }
    }

    private func write(_ bytes: [UInt8]) async throws {
        defer { wait(nil) }
        // Piece by piece: a slow reader of a large response makes progress, a dead one does not.
        var rest = Data(bytes)
        while !rest.isEmpty {
            wait(Patience.write)
            let piece = rest.prefix(1 << 16)
            try await socket.write(piece)
            rest = rest.dropFirst(piece.count)
        }
    }

    private func drain() async {
        _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
        wait(.seconds(1))
        var left = 1 << 20
        while left > 0, let bytes = try? await socket.read(atMost: 4_096) { left -= bytes.count }
    }

    private func wait(_ patience: Duration?) {
        deadline.withLock { $0 = patience.map { ContinuousClock.now + $0 } }
    }
}

extension Response {
    /// Sends the headers of a GET without its content (RFC 9110, section 9.3.2).
    fileprivate mutating func leaveOutContent() {
        content = .headOnly(of: content)
    }
}
