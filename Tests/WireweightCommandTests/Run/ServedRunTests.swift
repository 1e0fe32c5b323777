import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore

/// `wireweight run` with servers: what they receive and send is metered, too.
@Suite("run meters what servers serve", .enabled(if: Built.isComplete, "needs 'make build'"))
struct ServedRunTests {
    private typealias Line = [String: Any]

    private static func size(_ line: Line, _ message: String) -> [Int?] {
        let size = line[message] as? Line
        return ["startLine", "fields", "body", "framing", "total"].map { size?[$0] as? Int }
    }

    @Test("in every way to accept, to send and to end, as the client has it")
    func ways() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let ended = try launch([Built.command, "run", "--db", store, "--", try Built.program("serve")])
            #expect(ended.status == 0, "\(ended)")
            let port = try #require(Int(ended.outputText.trimmingCharacters(in: .whitespacesAndNewlines)))
            let connections = try StoreReader.open(store).connections()
            let lines = try Store(path: store).exchanges()
            func served(_ record: StoredConnection) -> Bool { record.localAddress == "127.0.0.1:\(port)" }
            // Those of one connection, at either end, have the same ports.
            let called = connections.filter { !served($0) }.sorted { $0.localAddress < $1.localAddress }
            let accepted = connections.filter(served).sorted { $0.remoteAddress < $1.remoteAddress }
            // What is no HTTP has no row at either end.
            #expect(called.map(\.localAddress) == accepted.map(\.remoteAddress))
            #expect(called.count == 6)
            var exchanges = 0
            for (ours, theirs) in zip(accepted, called) {
                func rows(_ record: StoredConnection) -> [Line] {
                    lines.filter { $0["connection"] as? Int == Int(record.id.rawValue) }
                }
                let (one, two) = (rows(ours), rows(theirs))
                #expect(one.count == two.count)
                for (one, two) in zip(one, two) {
                    #expect(Self.size(one, "request") == Self.size(two, "request"))
                    #expect(Self.size(one, "response") == Self.size(two, "response"))
                    #expect(one["url"] as? String == "http://localhost:\(port)/served")
                    #expect(one["outcome"] as? String == "completed")
                    exchanges += 1
                }
                // The server that was killed has closed nothing.
                guard let payload = ours.payloadDown, ours.closedAt != nil else { continue }
                #expect(payload == theirs.payloadDown)
                #expect(ours.payloadUp == theirs.payloadUp)
                #expect(ours.ledger?.isClosed == true, "\(ours)")
            }
            #expect(exchanges == 7)
            #expect(accepted.filter { $0.closedAt != nil && $0.ledger?.isClosed == true }.count == 5)
        }
    }
}
