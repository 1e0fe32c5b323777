import Foundation
import TestSupport
import Testing

/// `wireweight lookups`, and what `run` says of lookups.
@Suite("lookups", .enabled(if: Built.isComplete && Built.has("python3"), "needs 'make build'"))
struct LookupsCommandTests {
    private static let long = String(repeating: "x", count: 64)

    /// A name of the system's file, one with a label that is too long for any resolver, and digits.
    private static let script = """
        import socket
        for name in [b"localhost", b"x" * 64 + b".test", b"127.0.0.1", b"localhost"]:
            try: socket.getaddrinfo(name, 80)
            except OSError: pass
        """

    private func lines(_ words: [String]) throws -> [[String: Any]] {
        let listed = try launch([Built.command, "lookups"] + words + ["--format", "ndjson"])
        #expect(listed.status == 0, "\(listed)")
        return try listed.outputText.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test("each is listed with its answer, and those that failed are in the summary")
    func listed() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let ended = try launch([Built.command, "run", "--db", store, "--", "python3", "-c", Self.script])
            #expect(ended.errorText.contains("1 of 3 name lookups failed: \(Self.long).test (EAI_"), "\(ended)")

            let all = try lines([store])
            #expect(all.map { $0["name"] as? String } == ["localhost", Self.long + ".test", "localhost"])
            #expect(all.allSatisfy { $0["source"] as? String == "libc" && $0["up"] is NSNull && $0["down"] is NSNull })
            #expect(all.map { ($0["error"] as? String)?.hasPrefix("EAI_") } == [nil, true, nil])
            #expect(all.map { ($0["addresses"] as? [String])?.isEmpty } == [false, true, false])

            #expect(try lines([store, "--failed"]).count == 1)
            #expect(try lines([store, "--name", "LOCAL*"]).count == 2)
            #expect(try lines([store, "--name", "local"]).count == 0)
            #expect(try lines([store, "--process", "other"]).count == 0)
            #expect(try lines([store, "--limit", "2", "--newest"]).map { $0["name"] as? String }.first == "localhost")

            let table = try launch([Built.command, "lookups", store, "--columns", "name,result"])
            #expect(table.outputText.contains("localhost") && table.outputText.contains("EAI_"))
            let csv = try launch([Built.command, "lookups", store, "--format", "csv"])
            #expect(csv.outputText.hasPrefix("name,source,recordType,") && csv.outputText.contains("localhost,libc,,,"))
            let json = try launch([Built.command, "lookups", store, "--format", "json"])
            let object = try JSONSerialization.jsonObject(with: Data(json.outputText.utf8)) as? [String: Any]
            #expect((object?["lookups"] as? [Any])?.count == 3)
        }
    }

    @Test("the host filter leaves them out")
    func leftOut() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let ended = try launch([
                Built.command, "run", "--db", store, "--host", "localhost", "--", "python3", "-c", Self.script,
            ])
            #expect(!ended.errorText.contains("name lookup"), "\(ended)")
            #expect(try lines([store]).map { $0["name"] as? String } == ["localhost", "localhost"])
        }
    }
}
