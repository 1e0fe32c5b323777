import DeviceProof
import Foundation
import TestSupport
import Testing

/// The program of `Scripts/prove-on-apple.sh`: the same on Linux, where it must find nothing new, and on a device.
///
/// With `WIREWEIGHT_PROOF=FOLDER` it writes its report there, as `proof.json` and `proof.md`.
@Suite(.oneAtATime, .timeLimit(.minutes(5))) struct DeviceProofTests {
    @Test func everyWayIsComparedWithTheLog() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("proof-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let proof = try await Proof.run(in: folder.path)
        let report = ProofReport(proof)
        if let wanted = ProcessInfo.processInfo.environment["WIREWEIGHT_PROOF"] {
            let place = URL(fileURLWithPath: wanted, isDirectory: true)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(report.json.utf8).write(to: place.appendingPathComponent("proof.json"))
            try Data(report.markdown.utf8).write(to: place.appendingPathComponent("proof.md"))
        }
        #expect(Proof.kinds.count >= 40)
        #expect(Set(Proof.kinds).count == Proof.kinds.count)
        // Each kind is compared in each way: what the program got, how often, and message by message.
        for way in Way.all.dropFirst() {
            // A task that was resumed before the monitor started gets its response all the same.
            let early = proof.lines.first { $0.name == "\(way.name)/early/same" }
            #expect(early?.verdict == .exact)
            #expect(early?.found == "200, 5 bytes")
            for kind in Proof.kinds {
                let names = proof.lines.map(\.name).filter { $0.hasPrefix("\(way.name)/\(kind)/") }
                #expect(names.count >= 2, "\(way.name)/\(kind)")
                #expect(Set(names).count == names.count)
            }
        }
        let object = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
        #expect((object?["lines"] as? [Any])?.count == proof.lines.count)
        #if os(Linux)
            // On a device it is not known yet what is exact; there, the report is the result.
            let found = proof.lines.filter { $0.verdict != .exact }
            #expect(Dictionary(found.map { ($0.name, $0.verdict) }) { $1 } == Self.knownOnLinux)
            let named = report.markdown.split(separator: "\n").filter { $0.hasPrefix("| protocol/") }
            #expect(named.count == Self.knownOnLinux.count)
        #endif
    }

    /// What is not exact on Linux, all of it through `URLProtocol`.
    private static let knownOnLinux: [String: ProofLine.Verdict] = [
        // Left to the system's own loader: docs/apple-platforms.md, "On Linux".
        "protocol/get-shared/count": .notMetered, "protocol/download/count": .notMetered,
        "protocol/upload-data/count": .notMetered, "protocol/upload-file/count": .notMetered,
        "protocol/upload-stream/count": .notMetered, "protocol/challenge/count": .differs,
        // Not visible, and said so.
        "protocol/chunked-delegate/1/response": .unknown, "protocol/closed/1/request": .unknown,
        "protocol/timeout/1/request": .unknown, "protocol/cancelled/1/response": .unknown,
        // Estimates within their margin.
        "protocol/gzip-chunked/1/response": .withinMargin, "protocol/deflate-chunked/1/response": .withinMargin,
        "protocol/upload-expecting/1/response": .withinMargin,
        // What servers rarely send and nothing shows: spaces before a value, and an interim response.
        "protocol/folded-spaces/1/response": .differs, "protocol/early-hints/1/response": .differs,
    ]
}
