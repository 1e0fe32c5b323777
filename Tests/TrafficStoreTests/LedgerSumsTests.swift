import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// The sums of ledgers are what the connections say one by one, after every kind of change.
@Suite struct LedgerSumsTests {
    private static let hour: Int64 = 3_600_000_000_000

    /// Connections over some hours, each with records of its growth.
    private struct Connections {
        var generator: SeededGenerator
        /// Whether some have carried no exchange that was seen; files of 0.1.0 do not say so.
        var areSomeUnseen = true
        /// The last record of each.
        var records: [Int64: ConnectionRecord] = [:]

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &generator) }

        /// A new connection, or a later record of an earlier one.
        mutating func record(_ id: Int64, at moment: Int64, kinds: [TrafficDirection] = [.called]) -> TrafficEvent {
            var record =
                records[id]
                ?? ConnectionRecord(
                    connection: ConnectionID(id), process: ProcessIdentity(pid: 1, name: "app"),
                    localAddress: "127.0.0.1:1", remoteAddress: "127.0.0.1:\(id)",
                    tls: number(0...1) == 0 ? ConnectionRecord.TLS() : nil, openedAt: Timestamp(nanoseconds: moment),
                    direction: kinds[Int(number(0...Int64(kinds.count - 1)))])
            let isKnown = number(0...5) > 0
            let messages = ByteFlow(up: ByteCount(number(0...900)), down: ByteCount(number(0...900)))
            record.load = ConnectionLoad(
                exchanges: number(0...3), messages: messages, plaintext: number(0...2) == 0 ? nil : messages)
            if areSomeUnseen, number(0...3) == 0 { record.unseen = UnseenTraffic(reason: .nothingSent) }
            if number(0...5) == 0 { record.load.parts[.upgraded] = ByteFlow(up: 7, down: 3) }
            if number(0...4) == 0 { record.load.parts[.socks] = ByteFlow(up: 20, down: 12) }
            let surplus = number(0...2) == 0 ? number(-30...30) : 0
            let rare = record.load.parts.values.reduce(ByteFlow.zero, +)
            record.payloadUp = isKnown ? ByteCount((messages.up + rare.up).bytes + surplus) : nil
            record.payloadDown = isKnown ? ByteCount((messages.down + rare.down).bytes + surplus) : nil
            if number(0...2) > 0 {
                record.closedAt = Timestamp(
                    nanoseconds: record.openedAt.nanoseconds + number(0...3) * number(0...LedgerSumsTests.hour))
            }
            records[id] = record
            return .connection(record)
        }

        /// Ranges whose edges are anywhere, and at whole hours.
        mutating func ranges(_ hours: Int64) -> [TimeRange] {
            var ranges = [TimeRange.always]
            func moment() -> Timestamp? {
                let hour = number(-1...hours + 1) * LedgerSumsTests.hour
                return [nil, hour, hour + number(0...LedgerSumsTests.hour)][Int(number(0...2))].map {
                    Timestamp(nanoseconds: LedgerSumsTests.begin + $0)
                }
            }
            while ranges.count < 60 {
                let (since, until) = (moment(), moment())
                if let since, let until, until < since { continue }
                ranges.append(TimeRange(since: since, until: until))
            }
            return ranges
        }
    }

    /// A whole hour.
    private static let begin = Sample.epoch / hour * hour

    private func expected(
        _ records: some Sequence<ConnectionRecord>, _ direction: TrafficDirection, _ range: TimeRange
    ) -> LedgerCoverage {
        var result = LedgerCoverage()
        for record in records where record.direction == direction {
            if let until = range.until, record.openedAt >= until { continue }
            if let since = range.since, let closed = record.closedAt, closed < since { continue }
            if let coverage = record.coverage() { result.merge(coverage) }
        }
        return result
    }

    /// A range in whole hours where it is before that moment.
    private func widened(_ range: TimeRange, before floor: Int64) -> TimeRange {
        func whole(_ moment: Timestamp?, up: Bool) -> Timestamp? {
            guard let moment, moment.nanoseconds < floor else { return moment }
            let hours = (moment.nanoseconds + (up ? Self.hour - 1 : 0)) / Self.hour
            return Timestamp(nanoseconds: hours * Self.hour)
        }
        return TimeRange(since: whole(range.since, up: false), until: whole(range.until, up: true))
    }

    private func expectSame(
        _ path: String, _ ranges: [TimeRange], _ expected: (TrafficDirection, TimeRange) -> LedgerCoverage,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let reader = try StoreReader.open(path)
        for direction in TrafficDirection.allCases {
            for range in ranges {
                var (found, wanted) = (
                    try reader.ledgerCoverage(of: direction, in: range), expected(direction, range)
                )
                (found.examples, wanted.examples) = ([], [])
                #expect(found == wanted, "\(direction) \(range)", sourceLocation: location)
            }
        }
    }

    @Test("while connections come, grow, and are reported late", arguments: [UInt64(1), 22, 333])
    func records(seed: UInt64) throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        var connections = Connections(seed: seed)
        let ranges = connections.ranges(8)
        for _ in 0..<6 {
            var events: [TrafficEvent] = []
            for _ in 0..<50 {
                let id = connections.number(1...120)
                let moment = Self.begin + connections.number(0...8 * Self.hour)
                events.append(connections.record(id, at: moment, kinds: TrafficDirection.allCases))
            }
            try writer.write(events)
            try expectSame(folder.file(), ranges) { expected(connections.records.values, $0, $1) }
        }
        // A change of any other kind, such as a migration's.
        try writer.queue.writeWithoutTransaction {
            try $0.execute(sql: "UPDATE connection SET direction = 0 WHERE id % 2 = 0")
        }
        let reader = try StoreReader.open(folder.file())
        let records = try reader.connections().map(\.record)
        try expectSame(folder.file(), ranges) { expected(records, $0, $1) }
        try writer.clear()
        let open = records.filter { $0.closedAt == nil }
        #expect(open.count > 5)
        try expectSame(folder.file(), ranges) { expected(open, $0, $1) }
    }

    @Test("after retention, in whole hours where rows are gone", arguments: [UInt64(4), 55])
    func retention(seed: UInt64) throws {
        let folder = try Folder()
        let now = Timestamp(nanoseconds: Self.begin + 10 * Self.hour)
        let writer = try StoreWriter.open(folder.file(), now: { now })
        var connections = Connections(seed: seed)
        var events: [TrafficEvent] = []
        for id in Int64(1)...120 {
            let moment = Self.begin + id * Self.hour / 12
            let at = (moment - Sample.epoch) / 1_000_000
            var end = Sample.end(id, at: at + 5)
            end.connection = ConnectionID(id)
            events += [.request(Sample.request(id, at: at)), .end(end), connections.record(id, at: moment)]
        }
        try writer.write(events)
        while try writer.retain(RetentionPolicy(maxAge: 4 * Self.hour + Self.hour / 3)) {}
        let reader = try StoreReader.open(folder.file())
        #expect(try 10..<110 ~= reader.connectionCount())
        let floor = try writer.queue.read {
            try Int64.fetchOne($0, sql: "SELECT value FROM meta WHERE key = 'ledger_floor'") ?? 0
        }
        #expect(floor > Self.begin + Self.hour)
        let ranges = connections.ranges(10)
        try expectSame(folder.file(), ranges) { expected(connections.records.values, $0, widened($1, before: floor)) }
    }

    @Test("in a file of 0.1.0")
    func released() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file("newer.db"))
        var connections = Connections(seed: 6)
        connections.areSomeUnseen = false
        let ranges = connections.ranges(5)
        try writer.write(
            (Int64(1)...100).map { connections.record($0, at: Self.begin + $0 * Self.hour / 20) })
        try ReleasedStore.make(from: folder.file("newer.db"), at: folder.file())
        try expectSame(folder.file(), ranges) { expected(connections.records.values, $0, $1) }
        _ = try StoreWriter.open(folder.file())
        try expectSame(folder.file(), ranges) { expected(connections.records.values, $0, $1) }
    }

    @Test("in a file that has no figures on connections without an exchange", arguments: [UInt64(8), 99])
    func withoutExchange(seed: UInt64) throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file("newer.db"))
        var connections = Connections(seed: seed)
        let ranges = connections.ranges(5)
        try writer.write(
            (Int64(1)...100).map {
                connections.record($0, at: Self.begin + $0 * Self.hour / 20, kinds: TrafficDirection.allCases)
            })
        try writer.close()
        let triggers = ["insert", "before", "after"].map { "DROP TRIGGER ledger_\($0);" }
        let columns = ["", "_up", "_down"].map { "ALTER TABLE ledger_sum DROP COLUMN without_exchange\($0);" }
        // The view is that of this version, and names columns that come later.
        let view = ("DROP VIEW connections;", "CREATE VIEW connections AS SELECT 1;")
        try EarlierStore.make(
            from: folder.file("newer.db"), at: folder.file(), upTo: "server-legs",
            change: view.0 + (triggers + columns).joined() + view.1)
        _ = try StoreWriter.open(folder.file())
        #expect(expected(connections.records.values, .called, .always).withoutExchange > 1)
        try expectSame(folder.file(), ranges) { expected(connections.records.values, $0, $1) }
    }

    @Test("in a file that has the figures of deleted connections without times")
    func withoutTimes() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file("newer.db"))
        var connections = Connections(seed: 7)
        try writer.write(
            (Int64(1)...100).map {
                connections.record($0, at: Self.begin + $0 * Self.hour / 20, kinds: TrafficDirection.allCases)
            })
        try writer.close()
        try EarlierStore.make(
            from: folder.file("newer.db"), at: folder.file(), upTo: "fleet",
            change: "INSERT INTO ledger_gone VALUES ('unclosed', 3), ('socks_up', 40), ('served_unknown', 2)")
        let first = try #require(connections.records[1]?.openedAt)
        let edges = [
            first, Timestamp(nanoseconds: first.nanoseconds - 1), Timestamp(nanoseconds: first.nanoseconds + 1),
        ]
        let ranges = connections.ranges(5) + edges.map { TimeRange(since: $0, until: nil) }
        _ = try StoreWriter.open(folder.file())
        try expectSame(folder.file(), ranges) { direction, range in
            var wanted = expected(
                connections.records.values, direction, widened(range, before: first.nanoseconds))
            guard range.since.map({ $0 < first }) ?? true else { return wanted }
            var gone = LedgerCoverage()
            if direction == .called {
                gone.unclosed = 3
                gone.parts = [.socks: ByteFlow(up: 40, down: 0)]
            } else {
                gone.unknown = 2
            }
            wanted.merge(gone)
            return wanted
        }
    }
}
