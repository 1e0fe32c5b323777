import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@Suite("Connections of servers that end oddly", .enabled(if: Built.isComplete, "needs 'make build'"))
struct OddEndsTests {
    /// Runs the program alone and metered, which must print the same, and returns what it printed and the store.
    private func compare(
        _ kind: String, _ body: (String, StoreReader) throws -> Void, rows: ([[String: Any]]) throws -> Void = { _ in }
    ) throws {
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
            try rows(try Store(path: store).exchanges())
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

    @Test("what the kernel never sent of a response that was being written as its client left does not count")
    func left() throws {
        try compare("left") { output, reader in
            #expect(output == "done")
            let connection = try served(reader)
            #expect(connection.ledger?.isClosed == true, "\(connection)")
            #expect(connection.load.messages.down == connection.payloadDown)
            #expect(connection.load.messages.down.bytes < 500_000)
        }
    }

    @Test("a request that was not seen is said, although its response was")
    func unseen() throws {
        try compare("unseen") { _, reader in
            let connection = try served(reader)
            #expect(connection.unseen != nil)
        }
    }

    @Test("a signal's handler may accept, whatever it has interrupted")
    func handler() throws { try compare("handler") { output, _ in #expect(output == "done") } }

    @Test("what a thread has received is not counted to the connection that has its descriptor next")
    func reused() throws {
        try compare("reused") { output, reader in
            #expect(output == "done")
            // Of the former ones, the bytes may come too late.
            let all = try reader.connections().filter { $0.direction == .served }
            let wrong = all.filter { $0.load.messages.up.bytes > $0.payloadUp?.bytes ?? 0 }
            // Where frames were lost, which the file says, sums and counts need not agree.
            let losses = try reader.losses()
            #expect(all.count >= 2_000 || !losses.isEmpty, "\(all.count)")
            #expect(wrong.isEmpty || !losses.isEmpty, "\(wrong.count) of \(all.count)")
        }
    }

    @Test("a client's end that comes while a server closes, after it has shut down both sides, counts as no byte")
    func crossed() throws {
        try compare("crossed") { output, reader in
            #expect(output == "done")
            let all = try reader.connections().filter { $0.direction == .served }
            let sent = Int64("GET /odd HTTP/1.1\r\nHost: odd.test\r\n\r\n".utf8.count)
            let losses = try reader.losses()
            let wrong = all.filter { $0.payloadUp.map { $0.bytes != sent } ?? losses.isEmpty }
            #expect(all.count >= 2_000 || !losses.isEmpty, "\(all.count)")
            #expect(wrong.isEmpty, "\(wrong.count) of \(all.count)")
        }
    }

    @Test(
        "the PROXY protocol's line or binary header comes before the request that a server receives",
        arguments: [("proxied", 34), ("proxied-binary", 28), ("proxied-pieces", 28)] as [(String, Int64)])
    func proxied(kind: String, size: Int64) throws {
        try compare(kind) { _, reader in
            let connection = try served(reader)
            #expect(connection.payloadUp?.bytes == size + 37)
            #expect(connection.ledger?.isClosed == true, "\(connection)")
            #expect(connection.load.messages.up.bytes == 37)
            let overview = try reader.overview()
            #expect(overview.exchanges == 2)
        }
    }

    @Test("what a proxy's tunnel carries in the clear is metered at both ends, after its CONNECT")
    func tunnelled() throws {
        try compare("tunnelled") { output, reader in
            #expect(output == "done")
            let connections = try reader.connections()
            #expect(connections.count == 2 && connections.allSatisfy { $0.ledger?.isClosed == true }, "\(connections)")
        } rows: { rows in
            for direction in ["called", "served"] {
                let all = rows.filter { $0["direction"] as? String == direction }
                #expect(all.map { $0["method"] as? String } == ["CONNECT", "GET", "GET"])
                let url = "http://odd.test/odd"
                #expect(all.dropFirst().map { $0["url"] as? String } == [url, url])
                for (message, totals) in [("request", [51, 37, 37]), ("response", [19, 40, 40])] {
                    #expect(all.map { ($0[message] as? [String: Any])?["total"] as? Int } == totals)
                }
            }
        }
    }
}
