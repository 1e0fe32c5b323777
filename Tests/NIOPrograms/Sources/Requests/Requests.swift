import AsyncHTTPClient
import NIOCore

/// Requests of each kind by one client, each of which prints what came of it.
///
/// Keep it until the program ends. It leaves its connections open, so that what is sent does not hang on when they close.
public struct Requests: Sendable {
    private let client: HTTPClient
    private let base: String

    /// Makes a client, and with it the threads that it shares with others.
    public init(base: String) {
        var configuration = HTTPClient.Configuration(certificateVerification: .none)
        configuration.redirectConfiguration = .follow(max: 5, allowCycles: false)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.base = base
    }

    /// Requests each of the paths, and uploads of each kind; eight at once are the last.
    public func make(_ paths: some Sequence<String>) async {
        for path in paths { print(await ask("GET", "/" + path)) }
        print(await ask("HEAD", "/length"))
        print(await ask("POST", "/echo", .bytes(ByteBuffer(repeating: 0x71, count: 3_000))))
        let pieces = [10, 5_000].map { ByteBuffer(repeating: 0x61, count: $0) }.async
        print(await ask("PUT", "/echo", .stream(pieces, length: .unknown)))
        print(await ask("PUT", "/echo", .bytes(ByteBuffer(repeating: 0x70, count: 200_000))))
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { await ask("GET", "/large") } }
            for await line in group { print(line) }
        }
    }

    private func ask(_ method: String, _ path: String, _ body: HTTPClientRequest.Body? = nil) async -> String {
        do {
            var request = HTTPClientRequest(url: base + path)
            request.method = .init(rawValue: method)
            request.body = body
            let response = try await client.execute(request, timeout: .seconds(20))
            let content = try await response.body.collect(upTo: 1 << 22)
            return "\(method) \(path) \(response.version) \(response.status.code) \(content.readableBytes)"
        } catch {
            return "\(method) \(path) \(error)"
        }
    }
}

extension Array where Element == ByteBuffer {
    /// One after the other.
    fileprivate var async: AsyncStream<ByteBuffer> {
        AsyncStream { stream in
            for each in self { stream.yield(each) }
            stream.finish()
        }
    }
}
