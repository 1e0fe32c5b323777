import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// What a store says of its ledgers all at once is what its connections say one by one.
@Suite struct LedgerCoverageTests {
    private func connection(_ id: Int64, _ seed: Int64) -> ConnectionRecord {
        func any(_ step: Int64, _ bound: Int64 = 500) -> ByteCount { ByteCount((id &* step &+ seed) % bound) }
        func flow(_ step: Int64) -> ByteFlow { ByteFlow(up: any(step), down: any(step + 4)) }
        let messages = flow(3)
        var load = ConnectionLoad(exchanges: 2, messages: messages, plaintext: id % 3 == 0 ? nil : messages)
        if id % 7 == 0 { load.parts[.socks] = ByteFlow(up: 20, down: 12) }
        if id % 11 == 0 { load.parts[.afterMessage] = ByteFlow(down: 234) }
        if id % 5 == 0 { load.clearMessages = ByteFlow(up: 3, down: 1) }
        // Most add up.
        let surplus = id % 13 == 0 ? Int64(-9) : id % 4 == 0 ? id : 0
        let isKnown = id % 17 != 0
        let rare = load.parts.values.reduce(ByteFlow.zero, +)
        return ConnectionRecord(
            connection: ConnectionID(id), process: ProcessIdentity(pid: 1, name: "app"), localAddress: "127.0.0.1:1",
            remoteAddress: "127.0.0.1:\(id)", tls: id % 2 == 0 ? ConnectionRecord.TLS() : nil,
            openedAt: Timestamp(nanoseconds: id * 1_000), closedAt: Timestamp(nanoseconds: id * 1_000 + 500),
            payloadUp: isKnown ? ByteCount((messages.up + rare.up).bytes + surplus) : nil,
            payloadDown: isKnown ? ByteCount((messages.down + rare.down).bytes + surplus) : nil, load: load,
            network: id % 2 == 0 ? network(id) : nil)
    }

    private func network(_ id: Int64) -> ConnectionNetwork {
        let resolutions: [ConnectionNetwork.Resolution?] = [nil, .udp, .tcp, .tls, .https]
        return ConnectionNetwork(
            interface: "lo", isLoopback: true, isExpensive: false, isProxied: id % 3 == 0 ? true : nil,
            resolution: resolutions[Int(id) / 2 % 5])
    }

    private func expected(_ connections: [ConnectionRecord]) -> LedgerCoverage {
        var result = LedgerCoverage()
        for connection in connections { if let coverage = connection.coverage() { result.merge(coverage) } }
        return result
    }

    private func expectSame(
        _ one: LedgerCoverage, _ other: LedgerCoverage, _ location: SourceLocation = #_sourceLocation
    ) {
        var (one, other) = (one, other)
        (one.examples, other.examples) = ([], [])
        #expect(one == other, sourceLocation: location)
    }

    @Test(arguments: [Int64(1), 77, 4_711]) func itIsWhatTheConnectionsSay(seed: Int64) throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let connections = (Int64(1)...400).map { connection($0, seed) }
        try writer.write(connections.map { .connection($0) })
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.connections() == connections.map { StoredConnection($0) })
        let coverage = try reader.ledgerCoverage(in: .always)
        expectSame(coverage, expected(connections))
        #expect(coverage.unclosed >= 50 && coverage.unknown > 10 && coverage.unproven > 10)
        #expect(coverage.examples.count == LedgerCoverage.mostExamples)
        let worst = connections.compactMap { one in
            one.ledger.map { (abs($0.up.unaccounted) + abs($0.down.unaccounted), one.connection) }
        }.max { $0.0 < $1.0 }
        let first = try #require(coverage.examples.first?.connection)
        #expect(
            try reader.connection(first)?.ledger.map { abs($0.up.unaccounted) + abs($0.down.unaccounted) } == worst?.0)
        let range = TimeRange(since: Timestamp(nanoseconds: 100_200), until: Timestamp(nanoseconds: 200_000))
        expectSame(
            try reader.ledgerCoverage(in: range),
            expected(connections.filter { (100..<200).contains($0.connection.rawValue) }))
    }

    @Test("connections are read at the edges of a range and as examples, and these by an index")
    func plans() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.connection(connection(1, 3))])
        let reader = try StoreReader.open(folder.file())
        func plan(_ sql: String) throws -> String {
            try reader.read { database, _ in
                let rows = try PreparedStatement(database, "EXPLAIN QUERY PLAN " + sql)
                var lines: [String] = []
                while try rows.step() { lines.append(rows.text(3)) }
                return lines.joined(separator: "\n")
            }
        }
        let opened = try plan(LedgerSums.selection(of: .called, .opened, hour: 1, from: 2))
        #expect(opened.contains("SEARCH connection USING INDEX connection_opened"), "\(opened)")
        let closed = try plan(LedgerSums.selection(of: .served, .closed, hour: 1, from: 2))
        #expect(closed.contains("SEARCH connection USING INDEX connection_closed"), "\(closed)")
        let worst = try plan(LedgerColumns.worst(3, of: .called, in: .always))
        #expect(worst.contains("INDEX connection_unclosed") && !worst.contains("B-TREE"), "\(worst)")
    }

    @Test func whatWasLetGoOfStaysInTheVerdictUntilAllIsCleared() throws {
        let folder = try Folder()
        let day: Int64 = 86_400_000
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(2 * day) })
        var recent = Sample.end(2, at: 2 * day)
        recent.connection = ConnectionID(900)
        try writer.write(Sample.events(1) + [.connection(connection(7, 1)), .connection(connection(13, 1))])
        try writer.write([.request(Sample.request(2, at: 2 * day)), .end(recent)])
        let reader = try StoreReader.open(folder.file())
        let before = try reader.ledgerCoverage(in: .always)
        #expect(before.unclosed == 1 && before.parts[.socks] == ByteFlow(up: 20, down: 12))
        let policy = RetentionPolicy(maxAge: day * 1_000_000)
        while try writer.retain(policy) {}
        #expect(try reader.connectionCount() == 0)
        expectSame(try reader.ledgerCoverage(in: .always), before)
        try writer.clear()
        #expect(try reader.ledgerCoverage(in: .always) == LedgerCoverage())
    }

    @Test func exchangesAreFoundAndAddedUpByTheNetworkOfTheirConnection() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        func exchange(_ id: Int64, over network: ConnectionNetwork?) -> [TrafficEvent] {
            var end = Sample.end(id)
            end.connection = ConnectionID(id)
            var carrier = connection(id, 1)
            carrier.network = network
            return [.request(Sample.request(id)), .response(Sample.response(id)), .end(end), .connection(carrier)]
        }
        try writer.write(
            exchange(1, over: ConnectionNetwork(interface: "lo", isLoopback: true))
                + exchange(2, over: ConnectionNetwork(interface: "wlan0", isLoopback: false))
                + exchange(3, over: ConnectionNetwork(isCellular: true, isExpensive: true))
                + exchange(4, over: nil))
        let reader = try StoreReader.open(folder.file())
        let sums = try reader.totals(by: .network, in: .always)
        #expect(
            Dictionary(uniqueKeysWithValues: sums.map { ($0.key.network ?? "-", $0.requests) })
                == ["lo": 1, "wlan0": 1, "cellular, expensive": 1, "": 1])
        for (word, found) in [("lo", [1]), ("loopback", [1]), ("wlan0", [2]), ("cellular", [3]), ("eth0", [])]
            as [(String, [Int64])]
        {
            var filter = ExchangeFilter()
            filter.network = word
            #expect(try reader.exchanges(filter).map(\.id.rawValue) == found, "\(word)")
            #expect(try reader.newest(9, matching: filter).map(\.exchange.rawValue) == found)
        }
        #expect(try reader.exchange(StoredExchange.ID(2))?.end?.network?.interface == "wlan0")
    }
}
