import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficInspector

/// The whole store, as a file.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(2))) struct StoreCopyTests {
    /// The content of a chunked message.
    private func content(_ message: [UInt8]) throws -> [UInt8] {
        let text = try #require(message.firstRange(of: Array("\r\n\r\n".utf8)))
        var rest = message[text.upperBound...]
        var content: [UInt8] = []
        while let line = rest.firstRange(of: Array("\r\n".utf8)) {
            let size = try #require(Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16))
            if size == 0 { break }
            content += rest[line.upperBound..<(line.upperBound + size)]
            rest = rest[(line.upperBound + size + 2)...]
        }
        return content
    }

    @Test func itIsThatOfTheMomentAndLeavesNothingBehind() async throws {
        let shown = try await Shown()
        for id in Int64(1)...20 {
            try shown.writer.write(
                Sample.events(id, path: "/a/\(id)", host: "api.test", status: 200, body: 1_000 * id))
        }
        let before = try files()
        let request = "GET /api/v1/store HTTP/1.1\r\nHost: 127.0.0.1:\(shown.port)\r\nConnection: close\r\n\r\n"
        let message = try await shown.send(Array(request.utf8))
        let reply = Reply(message)
        #expect(reply.status == 200)
        #expect(reply.head.contains("Content-Type: application/vnd.sqlite3"))
        #expect(reply.head.contains("filename=\"traffic.db\""))
        #expect(try files() == before)

        let path = NSTemporaryDirectory() + "copied-\(UUID().uuidString).db"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(content(message)).write(to: URL(fileURLWithPath: path))
        let (copy, original) = (try StoreReader.open(path), try StoreReader.open(shown.path))
        #expect(try copy.overview().exchanges == 20)
        let ids = (Int64(1)...20).map { StoredExchange.ID($0) }
        #expect(try copy.heads(of: ids).map(\.request) == original.heads(of: ids).map(\.request))
        #expect(try await shown.ask("/api/v1/overview").object["can"].map { "\($0)" }?.contains("copy") == true)
    }

    /// The copies that wait to be sent.
    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
            .filter { $0.hasPrefix("wireweight-") && $0.hasSuffix(".db") }
    }
}
