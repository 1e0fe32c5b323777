import AsyncHTTPClient
import NIOCore

// Requests of each kind by AsyncHTTPClient, for stacks.py: Client BASE PATH…

let base = CommandLine.arguments[1]
var configuration = HTTPClient.Configuration(certificateVerification: .none)
configuration.redirectConfiguration = .follow(max: 5, allowCycles: false)
let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

@Sendable func ask(_ method: String, _ path: String, _ body: HTTPClientRequest.Body? = nil) async -> String {
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

for path in CommandLine.arguments.dropFirst(2) { print(await ask("GET", "/" + path)) }
print(await ask("HEAD", "/length"))
print(await ask("POST", "/echo", .bytes(ByteBuffer(repeating: 0x71, count: 3_000))))
let pieces = [10, 5_000].map { ByteBuffer(repeating: 0x61, count: $0) }.async
print(await ask("PUT", "/echo", .stream(pieces, length: .unknown)))
print(await ask("PUT", "/echo", .bytes(ByteBuffer(repeating: 0x70, count: 200_000))))
await withTaskGroup(of: String.self) { group in
    for _ in 0..<8 { group.addTask { await ask("GET", "/large") } }
    for await line in group { print(line) }
}
await client.shutdown()

extension Array where Element == ByteBuffer {
    /// One after the other.
    var async: AsyncStream<ByteBuffer> {
        AsyncStream { stream in
            for each in self { stream.yield(each) }
            stream.finish()
        }
    }
}
