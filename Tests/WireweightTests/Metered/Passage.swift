import Foundation
import Wireweight
import WireweightTesting

/// One passage through the corpus: what the client saw and what the origin saw.
struct Passage {
    var results: [String: [DrivenResult]] = [:]
    var connections: [OriginConnectionLog] = []

    /// The requests that the origin saw, by target; the order of the fields, which Foundation leaves to chance, aside.
    var requests: [String: [String]] {
        Dictionary(grouping: connections.flatMap(\.exchanges)) { "\($0.method) \($0.target)" }
            .mapValues { exchanges in exchanges.map(Self.normalized).sorted() }
    }

    private static func normalized(_ exchange: OriginExchange) -> String {
        let text = String(decoding: exchange.requestLog.kept, as: UTF8.self)
        let headEnd = text.range(of: "\r\n\r\n")?.lowerBound ?? text.endIndex
        let lines = text[..<headEnd].components(separatedBy: "\r\n")
        // The port is another one in each passage.
        let head = lines.map { $0.hasPrefix("Host:") ? "Host" : $0 }.sorted()
        // How much of an upload arrives before a reset is up to the kernel's timing.
        let promised = exchange.parsed?.value(of: "Content-Length").flatMap { Int($0) }
        let isChunked = exchange.parsed?.value(of: "Transfer-Encoding") != nil
        let isWhole = isChunked ? exchange.isComplete : (promised ?? exchange.request.body) == exchange.request.body
        let body = isWhole ? "\(exchange.request.body) + \(exchange.request.framing)" : "cut"
        return head.joined(separator: "|") + " + \(body)"
    }

    /// How many connections were opened, those of requests that are made at once aside: there it is up to timing.
    var connectionCount: Int {
        let concurrent = Set(Corpus.entries.filter(\.corpusCase.isConcurrent).map(\.path))
        return connections.filter { connection in
            !connection.exchanges.contains { concurrent.contains(Corpus.path(ofTarget: $0.target)) }
        }.count
    }

    /// TLS in front of the origin: a version, and a folder with the certificate that URLSession has been made to trust.
    struct Security {
        var version: TLSFront.Version
        var identity: URL
    }

    static func urlSession(
        _ entries: [Corpus.Entry], metered path: String?, over security: Security? = nil
    ) async throws -> Passage {
        let (origin, closed) = (Corpus.origin(), try ClosedPort())
        try origin.start()
        defer { origin.stop() }
        let front = try front(of: origin, security)
        defer { front?.stop() }
        let monitor = try path.map { try TrafficMonitor.start(.init(store: $0)) }
        defer { monitor?.stop() }
        let driver = URLSessionDriver(
            origin: origin, address: front?.address ?? origin.address,
            closedAddress: "http://127.0.0.1:\(closed.number)")
        var passage = Passage()
        for entry in entries { passage.results[entry.path] = try await driver.run(entry) }
        _ = origin.waitUntilIdle()
        await monitor?.flush()
        passage.connections = origin.connections
        return passage
    }

    private static func front(of origin: LoopbackOrigin, _ security: Security?) throws -> TLSFront? {
        try security.map {
            try TLSFront(originPort: origin.port, version: $0.version, identity: $0.identity)
        }
    }

    static func curl(
        _ entries: [Corpus.Entry], prefix: [String], over security: Security? = nil
    ) throws -> Passage {
        let (origin, closed) = (Corpus.origin(), try ClosedPort())
        try origin.start()
        defer { origin.stop() }
        let front = try front(of: origin, security)
        defer { front?.stop() }
        let driver = CurlDriver(
            address: front?.address ?? origin.address, closedAddress: "http://127.0.0.1:\(closed.number)",
            prefix: prefix, certificateFile: front?.certificateFile)
        var passage = Passage()
        for entry in entries { passage.results[entry.path] = try driver.run(entry) }
        _ = origin.waitUntilIdle()
        passage.connections = origin.connections
        return passage
    }
}

/// A file that is removed when its last owner is gone.
final class TemporaryFile: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("corpus-\(UUID().uuidString).db").path
    }

    deinit {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
}

/// The command as it was built beside the tests.
enum BuiltCommand {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    static func run(storing path: String) throws -> [String] {
        let folder = Bundle.main.bundleURL.deletingLastPathComponent().path
        let candidates = [
            folder, Bundle.main.bundleURL.path,
            CommandLine.arguments[0].components(separatedBy: "/").dropLast().joined(separator: "/"),
        ]
        for candidate in candidates where FileManager.default.isExecutableFile(atPath: "\(candidate)/wireweight") {
            guard FileManager.default.fileExists(atPath: "\(candidate)/libWireweightPreload.so") else {
                throw Missing(description: "the tap is not built; 'make tap' builds it")
            }
            return ["\(candidate)/wireweight", "run", "--db", path, "--"]
        }
        throw Missing(description: "the command is not built beside the tests in \(candidates)")
    }
}
