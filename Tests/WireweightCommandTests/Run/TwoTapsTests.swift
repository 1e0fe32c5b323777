import Foundation
import TestSupport
import Testing
import WireweightTesting

/// The two taps are two independent meters of the same bytes: one in libcurl's calls, one in those of sockets and TLS.
@Suite(
    "Both taps measure the same exchanges of curl alike",
    .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct TwoTapsTests {
    /// What must be equal of an exchange: not the tasks, which only the tap of libcurl knows.
    private static func texts(_ rows: [[String: Any]]) -> [String] {
        rows.map { row in
            let parts = ["request", "response"].map { name in
                let message = row[name] as? [String: Any] ?? [:]
                let sizes = ["startLine", "fields", "cookies", "interim", "body", "framing", "total"].map { part in
                    "\(part) \(message[part] as? Int ?? -1)"
                }
                return "\(name): \(sizes.joined(separator: ", "))"
            }
            let texts = ["method", "url", "outcome"].map { row[$0] as? String ?? "-" }
            let status = (row["response"] as? [String: Any])?["status"] as? Int
            return (texts + ["\(status ?? 0)"] + parts).joined(separator: " ")
        }.sorted()
    }

    private func compare(_ words: [String], exchanges: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try withFolder { folder in
            var all: [[String]] = []
            for tap in ["libcurl", "stream"] {
                let store = folder.appendingPathComponent(tap).path
                let ended = try launch(
                    [Built.command, "run", "--db", store, "--"] + words, environment: ["WIREWEIGHT_TAPS": tap])
                let isOfStream = ended.errorText.contains("at sockets and TLS libraries")
                #expect(isOfStream == (tap == "stream"), "\(ended)", sourceLocation: sourceLocation)
                all.append(Self.texts(try Store(path: store).exchanges()))
            }
            #expect(all[0].count == exchanges, sourceLocation: sourceLocation)
            #expect(all[0] == all[1], sourceLocation: sourceLocation)
        }
    }

    private func words(_ address: String) -> [String] {
        let paths = ["hello/a", "chunks/x", "close/x", "coded/gzip", "fill/300000"]
        return ["curl", "-qsS", "-o", "/dev/null"] + paths.map { "\(address)/\($0)" }
            + ["--next", "-qsSL", "\(address)/redirect/2", "--next", "-qsSI", "\(address)/hello/a"]
            + ["--next", "-qsS", "-b", "a=b", "-d", "abc=def", "\(address)/echo/x"]
            + ["--next", "-qsS", "-T", #filePath, "-H", "Transfer-Encoding: chunked", "\(address)/echo/y"]
    }

    @Test("in the clear") func clear() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try compare(words(origin.address), exchanges: 5 + 3 + 1 + 1 + 1)
    }

    @Test("over TLS", .enabled(if: Built.has("openssl", "stunnel"))) func overTLS() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let front = try TLSFront(originPort: origin.port, version: .tls13)
        defer { front.stop() }
        let words = words(front.address).flatMap { $0 == "-qsS" ? [$0, "--cacert", front.certificateFile] : [$0] }
        try compare(
            words.flatMap { $0 == "-qsSL" || $0 == "-qsSI" ? [$0, "--cacert", front.certificateFile] : [$0] },
            exchanges: 5 + 3 + 1 + 1 + 1)
    }
}
