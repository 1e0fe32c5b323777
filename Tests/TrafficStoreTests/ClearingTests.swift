import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct ClearingTests {
    @Test func everythingThatHasEndedGoes() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let reader = try StoreReader.open(folder.file())
        try writer.write(
            Sample.events(1) + Sample.events(2, at: 70_000), losses: [TrafficLoss(reason: .malformed, count: 3)])
        try writer.write([.request(Sample.request(3, at: 80_000))])
        let before = try reader.state()
        try writer.clear()
        let after = try reader.state()
        #expect(after.generation == before.generation + 1)
        #expect(after.changes != before.changes)
        #expect(try reader.exchanges().map(\.id.rawValue) == [3])
        let overview = try reader.overview()
        #expect(overview.exchanges == 1)
        #expect(overview.running == 1)
        #expect(overview.losses.isEmpty)
        // What runs is counted when it ends, and what comes later as ever.
        try writer.write([.response(Sample.response(3, at: 80_010)), .end(Sample.end(3, at: 80_050))])
        try writer.write(Sample.events(4, at: 90_000))
        let total = try #require(try reader.totals(by: .host, in: .always).first)
        #expect(total.requests == 2)
        #expect(try reader.exchanges().map(\.id.rawValue) == [3, 4])
        var filter = ExchangeFilter()
        filter.range = TimeRange(since: Sample.moment(79_000), until: Sample.moment(85_000))
        #expect(try reader.exchanges(filter).map(\.id.rawValue) == [3])
        try writer.close()
        #expect(throws: StoreError.self) { try writer.clear() }
        // Again from the file, by another writer.
        let again = try StoreWriter.open(folder.file())
        try again.write(Sample.events(1, at: 95_000))
        try again.close()
        #expect(try reader.totals(by: .host, in: .always).first?.requests == 3)
    }

    @Test func whatConnectionsHaveCarriedGoes() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let reader = try StoreReader.open(folder.file())
        func events(_ id: Int64) -> [TrafficEvent] {
            var end = Sample.end(id)
            end.connection = ConnectionID(1)
            return [.request(Sample.request(id)), .end(end)]
        }
        var filter = ExchangeFilter()
        filter.connection = StoredConnection.ID(1)
        try writer.write(events(1))
        #expect(try reader.exchanges(filter).count == 1)
        try writer.clear()
        #expect(try reader.exchanges(filter).isEmpty)
        try writer.write(events(2))
        #expect(try reader.exchanges(filter).map(\.id.rawValue) == [2])
    }

    @Test func theSumsOfAllTiersGo() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for hour in Int64(0)..<50 { try writer.write(Sample.events(hour + 1, at: hour * 3_600_000)) }
        let reader = try StoreReader.open(folder.file())
        let ranges = [
            TimeRange.always, TimeRange(since: Sample.moment(-86_400_000)), TimeRange(until: Sample.moment(90_000_000)),
        ]
        for range in ranges { #expect(try !reader.totals(by: .type, in: range).isEmpty) }
        try writer.clear()
        for range in ranges {
            #expect(try reader.totals(by: .type, in: range).isEmpty)
            #expect(try reader.timeline(in: range, limit: 60) == .none)
        }
        // One that comes late to hours that were left, and one that comes as ever.
        try writer.write(Sample.events(51, at: 0) + Sample.events(52, at: 51 * 3_600_000))
        for range in [TimeRange.always, TimeRange(since: Sample.moment(-86_400_000))] {
            #expect(try reader.totals(by: .type, in: range).map(\.requests) == [2])
        }
        #expect(try reader.timeline(in: .always, limit: 60).slots.reduce(0) { $0 + $1.requests } == 2)
    }

    @Test func theBatchWriterWritesWhatCameBeforeFirst() throws {
        let folder = try Folder()
        let writer = BatchWriter(store: try StoreWriter.open(folder.file()))
        for id in 1...2_500 { for event in Sample.events(Int64(id)) { writer.record(event) } }
        try writer.clear()
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().isEmpty)
        for event in Sample.events(9_999) { writer.record(event) }
        try writer.finish()
        #expect(try reader.totals(by: .host, in: .always).first?.requests == 1)
        #expect(throws: StoreError.self) { try writer.clear() }
    }

    @Test func theStateTellsWhetherAnotherHasWritten() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let reader = try StoreReader.open(folder.file())
        let first = try reader.state()
        #expect(try reader.state() == first)
        _ = try reader.exchanges()
        #expect(try reader.state() == first)
        try writer.write(Sample.events(1))
        #expect(try reader.state() != first)
    }
}
