import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// Connections as they are written, found, read page by page, and let go of.
@Suite("Connections")
struct ConnectionTests {
    private static func record(_ id: Int64, closed: Bool = false, sent: ByteCount? = nil) -> ConnectionRecord {
        ConnectionRecord(
            connection: ConnectionID(id), process: ProcessIdentity(pid: 42, name: "app"),
            localAddress: "127.0.0.1:\(id)", remoteAddress: "127.0.0.1:80", openedAt: Sample.moment(id),
            closedAt: closed ? Sample.moment(id + 100) : nil, payloadUp: sent)
    }

    /// An exchange on that connection.
    private static func events(_ exchange: Int64, on connection: Int64, at moment: Int64 = 0) -> [TrafficEvent] {
        var end = Sample.end(exchange, at: moment + 50)
        end.connection = ConnectionID(connection)
        return [.request(Sample.request(exchange, at: moment)), .end(end)]
    }

    private func carried(_ reader: StoreReader, by connection: Int64) throws -> [Int64] {
        var filter = ExchangeFilter()
        filter.connection = StoredConnection.ID(connection)
        return try reader.exchanges(filter).map(\.id.rawValue)
    }

    @Test("are read page by page from either end, and one by one")
    func pages() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for first in stride(from: Int64(1), to: 1_000, by: 100) {
            try writer.write((first..<first + 100).map { .connection(Self.record($0)) })
        }
        let reader = try StoreReader.open(folder.file())
        func page(_ order: ExchangeOrder, _ after: Int64?) throws -> [Int64] {
            var page: [Int64] = []
            try reader.forEachConnection(order: order, after: after.map { StoredConnection.ID($0) }) {
                page.append($0.id.rawValue)
                return page.count < 3
            }
            return page
        }
        #expect(try page(.oldestFirst, nil) == [1, 2, 3])
        #expect(try page(.oldestFirst, 3) == [4, 5, 6])
        #expect(try page(.oldestFirst, 999) == [1_000])
        #expect(try page(.newestFirst, nil) == [1_000, 999, 998])
        #expect(try page(.newestFirst, 2) == [1])
        #expect(try reader.connections().map(\.id.rawValue) == Array(1...1_000))
        #expect(try reader.connection(StoredConnection.ID(500)) == StoredConnection(Self.record(500)))
        #expect(try reader.connection(StoredConnection.ID(1_001)) == nil)
        let some = try reader.connections(of: [7, 1_001, 3].map { StoredConnection.ID($0) })
        #expect(some.map(\.id.rawValue) == [7, 3])
        #expect(try reader.connectionCount() == 1_000)
    }

    @Test("have their last reported state, across batches")
    func lastWord() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.connection(Self.record(1, sent: 5))])
        try writer.write([.connection(Self.record(1, sent: 6)), .connection(Self.record(1, closed: true, sent: 7))])
        #expect(
            try StoreReader.open(folder.file()).connections() == [
                StoredConnection(Self.record(1, closed: true, sent: 7))
            ])
    }

    @Test("keep their rows while events name them, in bounded memory, even if the end of others is never reported")
    func longRun() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let count = Int64(3 * ConnectionRows.generation)
        // Only ends name connection 1, only records name 2, and both name 3, but seldom.
        for first in stride(from: Int64(4), to: count, by: 2_048) {
            var events = Self.events(first, on: 1) + [.connection(Self.record(2, sent: ByteCount(first)))]
            if first % 8_192 == 4 { events += Self.events(first + 1, on: 3) + [.connection(Self.record(3))] }
            try writer.write(events + (first..<first + 2_048).map { .connection(Self.record($0)) })
            #expect(writer.connections.count <= 2 * ConnectionRows.generation)
        }
        try writer.write((1...3).map { .connection(Self.record($0, closed: true)) })
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.connectionCount() == Int(count) + 3)
        // Numbered in the order of their first use: 1, 3, 2.
        #expect(
            try (1...3).map { try reader.connection(StoredConnection.ID($0))?.localAddress.last } == ["1", "3", "2"])
        #expect(try (1...3).map { try carried(reader, by: $0).count } == [24, 6, 0])
    }

    @Test("have their exchanges, also if they are reported later, or if no other event names them")
    func exchanges() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        // 1 and 257 take turns in the writer's memory.
        try writer.write(Self.events(1, on: 1) + Self.events(2, on: 257) + Self.events(3, on: 1))
        try writer.write([.connection(Self.record(1, closed: true))])
        try writer.write(Self.events(4, on: 2) + Self.events(5, on: 1, at: 3_600_000) + Self.events(6, on: 257))
        try writer.write([.request(Sample.request(7))])
        let reader = try StoreReader.open(folder.file())
        // Numbered in the order of their first use.
        #expect(try carried(reader, by: 1) == [1, 3, 5])
        #expect(try carried(reader, by: 2) == [2, 6])
        #expect(try carried(reader, by: 3) == [4])
        #expect(try carried(reader, by: 4).isEmpty)
        var filter = ExchangeFilter()
        filter.connection = StoredConnection.ID(1)
        #expect(try reader.exchanges(filter, order: .newestFirst, limit: 2).map(\.id.rawValue) == [5, 3])
        #expect(try reader.exchanges(filter, after: 1).map(\.id.rawValue) == [3, 5])
        #expect(try reader.start(ofNewest: 2, matching: filter)?.rawValue == 1)
        filter.path = "/other"
        #expect(try reader.exchanges(filter).isEmpty)
    }

    @Test("of two runs in a file are two, though their observers gave them one number")
    func runs() throws {
        let folder = try Folder()
        let first = try StoreWriter.open(folder.file())
        try first.write(Self.events(1, on: 1) + [.connection(Self.record(1))])
        let second = try StoreWriter.open(folder.file())
        try second.write(Self.events(1, on: 1) + [.connection(Self.record(1))])
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.connections().map(\.id.rawValue) == [1, 2])
        #expect(try carried(reader, by: 1) == [1])
        #expect(try carried(reader, by: 2) == [2])
    }

    @Test("find their exchanges after a batch that could not be written, and was written again")
    func again() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Self.events(1, on: 1))
        try writer.queue.inDatabase { try $0.execute(sql: "ALTER TABLE carried RENAME TO away") }
        #expect(throws: StoreError.self) { try writer.write(Self.events(2, on: 1)) }
        try writer.queue.inDatabase { try $0.execute(sql: "ALTER TABLE away RENAME TO carried") }
        try writer.write(Self.events(2, on: 1) + Self.events(3, on: 1))
        #expect(try carried(StoreReader.open(folder.file()), by: 1) == [1, 2, 3])
    }

    @Test("of which no exchange is left are forgotten")
    func retention() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(7_200_000) })
        try writer.write(Self.events(1, on: 1) + [.connection(Self.record(1, closed: true))])
        try writer.write(Self.events(2, on: 2, at: 7_100_000))
        while try writer.retain(RetentionPolicy(maxAge: 600_000_000_000, step: 100)) {}
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.connections().isEmpty)
        #expect(try carried(reader, by: 2) == [2])
        let left = try writer.queue.read { try Int64.fetchAll($0, sql: "SELECT connection FROM carried") }
        #expect(left == [2])
    }

    @Test("sums of a file that knew no shares are read as none")
    func olderSums() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Self.events(1, on: 1))
        var shared = Sample.end(2)
        shared.share = ConnectionShare(
            overhead: ByteFlow(up: 1, down: 2), packetHeaders: ByteFlow(up: 52, down: 104))
        let reader = try StoreReader.open(folder.file())
        let before = try #require(try reader.totals(by: .api, in: .always).first)
        #expect(before.sharing == 0)
        #expect(before.overhead == .zero)
        #expect(before.packets == nil)
        // Added to what was written before.
        try StoreWriter.open(folder.file()).write([.request(Sample.request(2)), .end(shared)])
        let after = try #require(try reader.totals(by: .api, in: .always).first)
        #expect(after.requests == 2)
        #expect(after.sharing == 1)
        #expect(after.overhead == ByteFlow(up: 1, down: 2))
        #expect(after.packetHeaders == ByteFlow(up: 52, down: 104))
    }
}
