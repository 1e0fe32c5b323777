import Foundation
import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// What SQL reads from the views is what the reader reads.
@Suite struct ViewTests {
    private static let phases = ["queue", "dns", "connect", "tls", "send", "wait", "receive"]

    /// A store with traffic of all sorts, whose writer stays open.
    private func store(_ folder: Folder) throws -> (StoreWriter, StoreReader) {
        let writer = try StoreWriter.open(folder.file())
        var traffic = RandomTraffic(seed: 3, count: 500, span: 10_800_000)
        for index in traffic.exchanges.indices {
            if index % 3 == 0 { traffic.exchanges[index].request.query = "page=\(index % 6)" }
            if index % 4 == 0 { traffic.exchanges[index].request.port = 8_443 }
            traffic.exchanges[index].end?.remoteAddress = index % 2 == 0 ? "10.0.0.1:443" : ""
            try writer.write(traffic.exchanges[index].events)
        }
        return (writer, try StoreReader.open(folder.file()))
    }

    private func rows(_ folder: Folder, _ sql: String) throws -> [Row] {
        try DatabaseQueue(path: folder.file()).read { try Row.fetchAll($0, sql: sql) }
    }

    @Test func everyViewHasColumnsOfItsOwn() throws {
        let folder = try Folder()
        try StoreWriter.open(folder.file()).close()
        for view in StoreSchema.viewNames {
            let names = try DatabaseQueue(path: folder.file()).read {
                try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info(?)", arguments: [view])
            }
            #expect(names.count > 10 && Set(names).count == names.count, "\(view)")
        }
    }

    @Test func anExchangeIsARow() throws {
        let folder = try Folder()
        let (writer, reader) = try store(folder)
        let rows = try rows(folder, "SELECT * FROM exchanges ORDER BY exchange")
        let exchanges = try reader.exchanges()
        #expect(rows.count == exchanges.count)
        for (row, exchange) in zip(rows, exchanges) {
            let (request, response, end) = (exchange.request, exchange.response, exchange.end)
            #expect(row["exchange"] == exchange.id.rawValue)
            #expect(row["task"] == exchange.task.rawValue)
            #expect(row["startedAtUs"] == request.startedAt.nanoseconds / 1_000)
            #expect(row["sentAtUs"] == request.sentAt.map { $0.nanoseconds / 1_000 })
            #expect(row["firstByteAtUs"] == response.map { $0.firstByteAt.nanoseconds / 1_000 })
            #expect(row["endedAtUs"] == end.map { $0.endedAt.nanoseconds / 1_000 })
            #expect(row["startedAt"] == Self.text(request.startedAt))
            #expect(row["endedAt"] == end.map { Self.text($0.endedAt) })
            #expect(row["method"] == request.method)
            #expect(row["url"] == request.url)
            #expect(row["scheme"] == request.scheme)
            #expect(row["host"] == request.host)
            #expect(row["port"] == request.port)
            #expect(row["authority"] == request.authority)
            #expect(row["path"] == request.path)
            #expect(row["query"] == request.query)
            #expect(row["template"] == request.template)
            check(row, "request", request.size)
            #expect(row["up"] == request.size.known.bytes)
            #expect(row["status"] == response?.status)
            #expect(row["contentType"] == response.flatMap { $0.contentType.isEmpty ? nil : $0.contentType })
            check(row, "response", response?.size)
            #expect(row["down"] == response?.size.known.bytes)
            #expect(row["responseDecodedBody"] == response.flatMap { Self.bytes($0.decodedBody) })
            #expect(row["outcome"] == end?.outcome.name)
            #expect(row["errorCode"] == end?.outcome.failure?.code)
            #expect(row["failed"] == (exchange.hasFailed ? 1 : 0))
            let timings = end?.timings
            for (name, duration) in (timings ?? ExchangeTimings()).named.dropLast() {
                #expect(row["\(name)Ms"] == duration.map { Double($0 / 1_000) / 1_000 }, "\(name)")
            }
            #expect(row["totalMs"] == timings?.total.map { Double($0 / 1_000) / 1_000 })
            #expect(row["unattributedMs"] == timings?.unattributed.map { Double($0 / 1_000) / 1_000 })
            #expect(row["connection"] == exchange.connection?.rawValue)
            #expect(row["reused"] == (exchange.connection == nil ? nil : end.map { $0.reusedConnection ? 1 : 0 }))
            #expect(row["overheadDown"] == end?.share?.overhead.down.bytes)
        }
        try writer.close()
    }

    private func check(_ row: Row, _ message: String, _ size: WireSize?) {
        #expect(row["\(message)StartLine"] == size.flatMap { Self.bytes($0.startLine) })
        #expect(row["\(message)Fields"] == size.flatMap { Self.bytes($0.fields) })
        #expect(row["\(message)Cookies"] == size.flatMap { Self.bytes($0.cookies) })
        #expect(row["\(message)Interim"] == size.flatMap { Self.bytes($0.interim) })
        #expect(row["\(message)Body"] == size.flatMap { Self.bytes($0.body) })
        #expect(row["\(message)Framing"] == size.flatMap { Self.bytes($0.framing) })
        #expect(row["\(message)Total"] == size?.total?.bytes)
        #expect(row["\(message)Evidence"] == size?.evidence.name)
        #expect(row["\(message)Margin"] == size?.margin?.bytes)
    }

    @Test func messagesAreRowsOfTheirOwn() throws {
        let folder = try Folder()
        let (writer, reader) = try store(folder)
        let exchanges = try reader.exchanges()
        let requests = try rows(folder, "SELECT * FROM requests ORDER BY exchange")
        #expect(requests.map { $0["total"] as Int64? } == exchanges.map { $0.request.size.total?.bytes })
        let responses = try rows(folder, "SELECT * FROM responses ORDER BY exchange")
        let answered = exchanges.filter { $0.response != nil }
        #expect(responses.map { $0["exchange"] as Int64 } == answered.map(\.id.rawValue))
        #expect(
            responses.map { $0["body"] as Int64? } == answered.map { $0.response.flatMap { Self.bytes($0.size.body) } })
        #expect(responses.map { $0["evidence"] as String } == answered.map { $0.response?.size.evidence.name })
        try writer.close()
    }

    @Test func sumsOfExchangesAreThoseOfReports() throws {
        let folder = try Folder()
        let (writer, reader) = try store(folder)
        let sql = "SELECT authority, sum(up), sum(down), count(*), sum(failed) FROM exchanges GROUP BY 1"
        var found: [String: [Int64]] = [:]
        for row in try rows(folder, sql) { found[row[0]] = [row[1], row[2], row[3], row[4]] }
        let totals = try reader.totals(by: .host, in: .always)
        #expect(found.count == totals.count && totals.count == 4)
        for total in totals {
            #expect(
                found[total.key.host ?? ""]
                    == [total.up.total.bytes, total.down.total.bytes, total.requests, total.failures])
        }
        try writer.close()
    }

    @Test("roll-ups count what retention has deleted", arguments: [false, true])
    func rollups(isThinned: Bool) throws {
        let folder = try Folder()
        let (writer, reader) = try store(folder)
        if isThinned { while try writer.retain(RetentionPolicy(maxAge: 1, minutesAge: 1)) {} }
        for (name, sql) in [
            ("apis", "SELECT * FROM apis"),
            (
                "hourly",
                """
                SELECT method, host, template, \(Self.sums.map { "sum(\($0)) AS \($0)" }.joined(separator: ", ")),
                    min(firstSeen) AS firstSeen, max(lastSeen) AS lastSeen FROM hourly GROUP BY 1, 2, 3
                """
            ),
        ] {
            let rows = try rows(folder, sql)
            let totals = try reader.totals(by: .api, in: .always)
            #expect(rows.count == totals.count, "\(name)")
            for total in totals {
                let row = try #require(
                    rows.first {
                        $0["method"] == total.key.method && $0["host"] == total.key.host
                            && $0["template"] == total.key.template
                    })
                let values: [Int64] = Self.sums.map { row[$0] }
                #expect(values == Self.values(total), "\(name)")
                #expect(row["firstSeen"] == total.firstSeen.map(Self.text))
                #expect(row["lastSeen"] == total.lastSeen.map(Self.text))
            }
        }
        let hours = try rows(folder, "SELECT DISTINCT hour, hourUs FROM hourly ORDER BY 1")
        #expect(
            hours.map { $0[0] as String }
                == ["2025-11-21T00", "2025-11-21T01", "2025-11-21T02", "2025-11-21T03"]
                .map { $0 + ":00:00.000000Z" })
        #expect(hours.map { $0[1] as Int64 }.first == 1_763_683_200_000_000)
    }

    private static let sums = [
        "requests", "responses", "unanswered", "failures", "incomplete", "notModified", "newConnections",
        "reusedConnections", "encodedBody", "decodedBody", "unknownUp", "unknownDown", "overheadUp", "overheadDown",
        "up", "down", "capturedBytes", "upStartLine", "upCookies", "downBody", "downFraming",
    ]

    private static func values(_ total: TrafficTotal) -> [Int64] {
        [
            total.requests, total.responses, total.sums.unanswered, total.failures, total.incomplete,
            total.notModified, total.newConnections, total.reusedConnections, total.encodedBody.bytes,
            total.decodedBody.bytes, total.up.unknown, total.down.unknown, total.overhead.up.bytes,
            total.overhead.down.bytes, total.up.total.bytes, total.down.total.bytes,
            (total.up.captured + total.down.captured).bytes, total.up.startLine.bytes, total.up.cookies.bytes,
            total.down.body.bytes, total.down.framing.bytes,
        ]
    }

    @Test func aConnectionHasItsLedger() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        var generator = SeededGenerator(seed: 9)
        func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &generator) }
        func flow(_ most: Int64) -> ByteFlow {
            ByteFlow(up: ByteCount(number(0...most)), down: ByteCount(number(0...most)))
        }
        for id in 1...60 as ClosedRange<Int64> {
            let hasPayload = number(0...4) > 0
            var load = ConnectionLoad(
                exchanges: number(0...9), messages: flow(1_000), clearMessages: flow(10), http2Control: flow(90),
                plaintext: number(0...1) == 0 ? flow(2_000) : nil)
            for part in ConnectionPart.rare where number(0...2) == 0 { load.parts[part] = flow(200) }
            let network = [
                nil, ConnectionNetwork(interface: "lo"), ConnectionNetwork(isCellular: true, isExpensive: true),
            ]
            try writer.write([
                .connection(
                    ConnectionRecord(
                        connection: ConnectionID(id), process: ProcessIdentity(pid: 1, name: "app"),
                        localAddress: "127.0.0.1:\(id)", remoteAddress: "[::1]:443",
                        tls: number(0...1) == 0 ? ConnectionRecord.TLS(version: "TLSv1.3", cipher: "x") : nil,
                        openedAt: Sample.moment(id), closedAt: id % 2 == 0 ? Sample.moment(id + 5) : nil,
                        payloadUp: hasPayload ? ByteCount(number(0...4_000)) : nil,
                        payloadDown: hasPayload ? ByteCount(number(0...4_000)) : nil, roundTrip: 1_500_000,
                        load: load, network: network[Int(id % 3)]))
            ])
        }
        let rows = try rows(folder, "SELECT * FROM connections ORDER BY connection")
        let connections = try StoreReader.open(folder.file()).connections()
        #expect(rows.count == 60)
        for (row, connection) in zip(rows, connections) {
            let ledger = connection.ledger
            #expect(row["connection"] == connection.id.rawValue)
            #expect(row["openedAt"] == Self.text(connection.openedAt))
            #expect(row["closedAt"] == connection.closedAt.map(Self.text))
            #expect(row["payloadUp"] == connection.payloadUp?.bytes)
            #expect(row["tlsOverheadUp"] == ledger?.up.tls)
            #expect(row["tlsOverheadDown"] == ledger?.down.tls)
            #expect(row["unaccountedUp"] == ledger?.up.unaccounted)
            #expect(row["unaccountedDown"] == ledger?.down.unaccounted)
            #expect(row["evidence"] == ledger?.evidence.name)
            #expect(row["network"] == connection.network?.name)
            #expect(row["roundTripMs"] == 1.5)
            for part in ConnectionPart.rare {
                #expect(row["\(part.name)Down"] == connection.load.parts[part]?.down.bytes ?? 0)
            }
        }
        try writer.close()
    }

    private static func bytes(_ part: WireSize.Part) -> Int64? { part.evidence == .unknown ? nil : part.bytes.bytes }

    /// The moment as machine formats write it.
    private static func text(_ moment: Timestamp) -> String {
        let formatter = ISO8601DateFormatter()
        let text = formatter.string(from: Date(timeIntervalSince1970: Double(moment.seconds)))
        let digits = String((moment.nanoseconds - moment.seconds * 1_000_000_000) / 1_000)
        return text.dropLast() + "." + String(repeating: "0", count: 6 - digits.count) + digits + "Z"
    }
}
