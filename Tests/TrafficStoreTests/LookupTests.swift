import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

@Suite("Lookups of names")
struct LookupTests {
    private static func lookup(_ name: String, at milliseconds: Int64 = 0) -> LookupRecord {
        LookupRecord(
            process: ProcessIdentity(pid: 7, name: "app"), name: name, source: .libc,
            startedAt: Sample.moment(milliseconds), duration: 1_500_000, error: "EAI_NONAME")
    }

    private static let own = LookupRecord(
        process: ProcessIdentity(pid: 7, name: "app"), name: "h.test", source: .dns, recordType: "AAAA",
        resolver: "192.0.2.53", startedAt: Sample.moment(3), duration: 2_000_000, answers: 9,
        addresses: ["2001:db8::1", "2001:db8::2"], queries: 2, bytesUp: ByteCount(70), bytesDown: ByteCount(91))

    private func read(_ reader: any TrafficBrowsing, _ order: ExchangeOrder = .oldestFirst) throws -> [LookupRecord] {
        var all: [LookupRecord] = []
        try reader.forEachLookup(order: order) {
            all.append($0)
            return true
        }
        return all
    }

    @Test("each is a row, with all that is known, and a cleared store has none")
    func kept() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.lookup(Self.lookup("no.test")), .lookup(Self.own)])
        let reader = try StoreReader.open(folder.file())
        #expect(try read(reader) == [Self.lookup("no.test"), Self.own])
        #expect(try read(reader, .newestFirst) == [Self.own, Self.lookup("no.test")])
        #expect(try read(FilteredReading(reader, FilterExpression())) == [Self.lookup("no.test"), Self.own])
        try writer.clear()
        #expect(try read(reader) == [])
    }

    @Test("the view shows each value")
    func view() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.lookup(Self.own), .lookup(Self.lookup("no.test"))])
        let rows = try DatabaseQueue(path: folder.file()).read {
            try Row.fetchAll($0, sql: "SELECT * FROM lookups ORDER BY lookup")
        }
        #expect(rows.map { $0["name"] as String } == ["h.test", "no.test"])
        #expect(rows.map { $0["process"] as String } == ["app", "app"])
        #expect(rows.map { $0["durationMs"] as Double } == [2, 1.5])
        let started = [Sample.moment(3), Sample.moment(0)].map { $0.nanoseconds / 1_000 }
        #expect(rows.map { $0["startedAtUs"] as Int64 } == started)
        #expect(rows.map { $0["up"] as Int64? } == [70, nil] && rows.map { $0["down"] as Int64? } == [91, nil])
        #expect(rows.map { $0["error"] as String? } == [nil, "EAI_NONAME"])
        #expect(rows.map { $0["addresses"] as String? } == ["2001:db8::1 2001:db8::2", nil])
    }

    @Test("those from before the oldest exchange go with the exchanges before it")
    func retention() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(10_000) })
        for index in 1...4 as ClosedRange<Int64> {
            try writer.write(
                [.lookup(Self.lookup("n\(index)", at: 1_000 * index - 500))] + Sample.events(index, at: 1_000 * index))
        }
        while try writer.retain(RetentionPolicy(maxAge: 7_500_000_000)) {}
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().map(\.id.rawValue) == [3, 4])
        #expect(try read(reader).map(\.name) == ["n4"])
    }
}
