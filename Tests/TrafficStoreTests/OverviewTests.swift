import Foundation
import GRDB
import Testing
import TrafficModel

@testable import TrafficStore

/// How many rows there are is known without counting them.
@Suite("What a store holds") struct OverviewTests {
    private func rows(_ writer: StoreWriter) throws -> Int64 {
        try writer.queue.read { try Int64.fetchOne($0, sql: "SELECT count(*) FROM exchange") } ?? -1
    }

    private func known(_ folder: Folder) throws -> Int64 { try StoreReader.open(folder.file()).overview().exchanges }

    @Test("is right while rows are added, thinned out, kept for a time, cleared and abandoned")
    func always() throws {
        let folder = try Folder()
        let traffic = RandomTraffic(seed: 5, count: 500, span: 3_600_000)
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(3_600_000) })
        for batch in traffic.batches { try writer.write(batch) }
        #expect(try known(folder) == rows(writer))
        #expect(try rows(writer) > 400)

        // Counted and not kept, at once and after a while.
        var request = Sample.request(10_001, at: 3_000_000)
        request.keepsDetail = false
        try writer.write([.request(request), .end(Sample.end(10_001, at: 3_000_050))])
        #expect(try known(folder) == rows(writer))
        request.exchange = ExchangeID(10_002)
        request.task = request.exchange
        try writer.write([.request(request)])
        #expect(try known(folder) == rows(writer))
        try writer.write([.end(Sample.end(10_002, at: 3_000_050))])
        #expect(try known(folder) == rows(writer))

        let before = try rows(writer)
        while try writer.retain(RetentionPolicy(maxAge: 600_000_000_000, step: 50)) {}
        #expect(try rows(writer) < before)
        #expect(try known(folder) == rows(writer))

        try writer.clear()
        #expect(try known(folder) == rows(writer))
        try writer.write(Sample.events(20_001, at: 3_500_000))
        #expect(try known(folder) == rows(writer))
        let last = try rows(writer)
        try writer.close()
        #expect(try known(folder) == last)
    }

    @Test("is read from the writer's count, and counted where an older file has none")
    func withoutCounting() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for id in Int64(1)...5 { try writer.write(Sample.events(id)) }
        func change(_ sql: String) throws { try writer.queue.writeWithoutTransaction { try $0.execute(sql: sql) } }
        // Rows that disappear outside the writer show in a real count only.
        try change("DELETE FROM exchange WHERE id = 3")
        #expect(try known(folder) == 5)
        try change("DELETE FROM meta WHERE key = 'unkept'")
        #expect(try known(folder) == 4)
        try writer.write(Sample.events(6))
        #expect(try known(folder) == 5)
    }

    @Test("is read again after each change, by the same reader")
    func anew() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let reader = try StoreReader.open(folder.file())
        for id in Int64(1)...5 {
            try writer.write(Sample.events(id, at: id * 1_000))
            let overview = try reader.overview()
            #expect(overview.exchanges == id)
            #expect(overview.firstSeen == Sample.moment(1_000))
            #expect(overview.lastSeen == Sample.moment(id * 1_000))
            #expect(try reader.overview() == overview)
        }
        try writer.write([.request(Sample.request(9, at: 99_000))])
        #expect(try reader.overview().running == 1)
        #expect(try reader.overview().lastSeen == Sample.moment(99_000))
    }
}
