import Foundation
import Testing
import TrafficModel
import TrafficStore

/// What `connections` says of a file, and how it ends.
@Suite("wireweight connections", .enabled(if: Built.isComplete, "needs 'make build'"))
struct ConnectionsCommandTests {
    private func withStore(_ connections: [ConnectionRecord], _ body: (String) throws -> Void) throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("traffic.db").path
            let writer = try StoreWriter.open(path)
            try writer.write(connections.map { .connection($0) })
            try writer.close()
            try body(path)
        }
    }

    private func connection(_ id: Int64, sent: ByteCount? = 100) -> ConnectionRecord {
        ConnectionRecord(
            connection: ConnectionID(id), process: ProcessIdentity(pid: 7, name: "app"),
            localAddress: "127.0.0.1:\(50_000 + id)", remoteAddress: "127.0.0.1:80", applicationProtocol: "http/1.1",
            openedAt: Timestamp(nanoseconds: 1_795_255_200_000_000_000 + id), payloadUp: sent, payloadDown: 1_000,
            segmentsUp: 3, segmentsDown: 4,
            load: ConnectionLoad(exchanges: 1, messages: ByteFlow(up: 100, down: 1_000)))
    }

    private func run(_ words: String...) throws -> Ended { try launch([Built.command, "connections"] + words) }

    private func objects(_ ended: Ended) throws -> [[String: Any]] {
        try ended.outputText.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test("every format shows the same connections, and a limit leaves the sums whole")
    func formats() throws {
        try withStore([connection(1), connection(2, sent: 130), connection(3)]) { path in
            let lines = try objects(run(path, "--format", "ndjson"))
            #expect(lines.map { $0["connection"] as? Int } == [1, 2, 3])
            #expect(lines.map { $0["localPort"] as? Int } == [50_001, 50_002, 50_003])
            #expect(lines[1]["unaccounted"] as? [String: Int] == ["up": 30, "down": 0])
            let json = try run(path, "--format", "json", "--limit", "1", "--sort", "unaccounted")
            let object = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
            #expect((object["connections"] as? [[String: Any]])?.map { $0["connection"] as? Int } == [2])
            #expect(((object["totals"] as? [String: Any])?["payload"] as? [String: Int])?["up"] == 330)
            #expect((object["totals"] as? [String: Any])?["unclosed"] as? Int == 1)
            #expect(try run(path, "--format", "csv").outputText.components(separatedBy: "\r\n").count == 5)
            let table = try run(path, "--limit", "2").outputText
            #expect(table.contains("and 1 more") && table.contains("3 connections"))
            #expect(table.contains("1 connection of 3 does not add up"))
            #expect(try objects(run(path, "--unaccounted", "--format", "ndjson")).count == 1)
        }
    }

    @Test("a file without connections says so, and is no bad file", arguments: ["table", "ndjson", "json", "csv"])
    func empty(format: String) throws {
        try withStore([]) { path in
            let ended = try run(path, "--format", format)
            #expect(ended.status == 0)
            #expect(ended.errorText.contains("the file has no connections"))
            if format == "table" || format == "ndjson" { #expect(ended.output.isEmpty) }
        }
        try withStore([connection(1)]) { path in
            let ended = try run(path, "--format", format, "--process", "other")
            #expect(ended.status == 0)
            #expect(ended.errorText.contains("no connection matches; the file has 1"))
        }
    }

    @Test("wrong words end with 64, a wrong file with 65")
    func failures() throws {
        try withStore([]) { path in
            for words in [["--limit", "0"], ["--sort", "colour"], ["--format", "xml"]] {
                let ended = try launch([Built.command, "connections", path] + words)
                #expect(ended.status == 64, "\(words)")
            }
            let missing = try run(path + ".none")
            #expect(missing.status == 65)
        }
        #expect(try run("--help").outputText.contains("Example: wireweight connections traffic.db"))
    }

    @Test("the demo's connections add up to the byte, and so do their exchanges and the report")
    func demo() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("demo.db").path
            _ = try launch([Built.command, "demo", "--once", "--json", "--db", path])
            let lines = try objects(run(path, "--format", "ndjson"))
            #expect(!lines.isEmpty)
            for line in lines {
                let nothing = ["up": 0, "down": 0]
                let messages = try #require(line["messages"] as? [String: Int])
                #expect(line["overhead"] as? [String: Int] == nothing)
                #expect(line["unaccounted"] as? [String: Int] == nothing)
                #expect(messages == line["payload"] as? [String: Int])
            }
            let report = try launch([Built.command, "report", path, "--by", "host", "--format", "json"])
            let object = try #require(try JSONSerialization.jsonObject(with: report.output) as? [String: Any])
            let totals = try #require(object["totals"] as? [String: Any])
            let payloads = lines.compactMap { $0["payload"] as? [String: Int] }
            #expect(totals["up"] as? Int == payloads.compactMap { $0["up"] }.reduce(0, +))
            #expect(totals["down"] as? Int == payloads.compactMap { $0["down"] }.reduce(0, +))
            let overhead = totals["overhead"] as? [String: Int]
            #expect(overhead?["up"] == 0 && overhead?["down"] == 0)
        }
    }
}
