import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@Suite("Connections of servers that end oddly", .enabled(if: Built.isComplete, "needs 'make build'"))
struct OddEndsTests {
    /// Runs the program alone and metered, which must print the same, and returns what it printed and the store.
    private func compare(_ kind: String, _ body: (String, StoreReader) throws -> Void) throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            // A program that hangs must not hang the tests.
            let words = ["timeout", "60", try Built.program("ends"), kind]
            let plain = try launch(words)
            let ended = try launch([Built.command, "run", "--db", store, "--"] + words)
            #expect(plain.status == 0 && !plain.outputText.isEmpty, "\(plain)")
            #expect(ended.status == 0, "\(ended)")
            #expect(ended.outputText == plain.outputText)
            try body(plain.outputText.trimmingCharacters(in: .newlines), try StoreReader.open(store))
        }
    }

    private func served(_ reader: StoreReader) throws -> StoredConnection {
        let all = try reader.connections().filter { $0.direction == .served }
        #expect(all.count == 1)
        return try #require(all.first)
    }

    @Test("a thread that is cancelled in the middle of a call takes no lock with it")
    func cancelled() throws { try compare("cancelled") { output, _ in #expect(output == "done") } }

    @Test("a child learns of its client's reset, although its parent has closed the connection")
    func reset() throws { try compare("reset") { output, _ in #expect(output == "-1 Connection reset by peer") } }

    @Test("what was queued when the server closed counts, also after the client has ended its side")
    func halfClosed() throws {
        try compare("half-closed") { output, reader in
            let connection = try served(reader)
            #expect(connection.payloadDown?.bytes == Int64(output))
            // The response is not shortened because the client has ended its side.
            #expect(connection.load.messages.down.bytes == Int64(output))
            #expect(connection.ledger?.isClosed == true, "\(connection)")
        }
    }

    @Test("a request that was not seen is said, although its response was")
    func unseen() throws {
        try compare("unseen") { _, reader in
            let connection = try served(reader)
            #expect(connection.unseen != nil)
        }
    }

    @Test("the PROXY protocol's line comes before the request that a server receives")
    func proxied() throws {
        try compare("proxied") { _, reader in
            let connection = try served(reader)
            #expect(connection.payloadUp?.bytes == 71)
            #expect(connection.ledger?.isClosed == true, "\(connection)")
            let overview = try reader.overview()
            #expect(overview.exchanges == 2)
        }
    }
}
