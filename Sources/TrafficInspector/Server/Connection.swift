internal import FlyingSocks
internal import Foundation
internal import Synchronization
internal import TrafficModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// One connection of a browser: reads requests, writes answers, and is given up when the other side is too slow.
final class Connection: Sendable {
    /// How long each side may take.
    enum Patience {
        /// For a request to come whole once it has begun.
        static let request = Duration.seconds(10)
        /// For a next request to begin.
        static let idle = Duration.seconds(120)
        /// For a piece of an answer to be taken.
        static let write = Duration.seconds(20)
    }

    private let socket: AsyncSocket
    private let answer: @Sendable (Request) async -> Response
    private let deadline = Mutex<ContinuousClock.Instant?>(nil)

    init(socket: AsyncSocket, answer: @escaping @Sendable (Request) async -> Response) {
        self.socket = socket
        self.answer = answer
    }

    /// Whether somebody has waited too long for the other side.
    func isLate(at now: ContinuousClock.Instant) -> Bool { deadline.withLock { $0.map { $0 < now } ?? false } }

    /// Answers requests until either side has had enough.
    func run() async {
        // Small answers would wait for the acknowledgement of the last one otherwise, 40 ms each.
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
            // What the other side is still sending would turn our answer into a reset.
            await drain()
        } catch {
            // It went away, or was too slow.
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
        // A slow reader of something large makes progress, a dead one does not.
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
    /// Leaves the head as it is for GET (RFC 9110, section 9.3.2).
    fileprivate mutating func leaveOutContent() {
        content = .headOnly(of: content)
    }
}
