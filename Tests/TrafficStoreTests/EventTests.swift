import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct EventTests {
    @Test func theLastRecordOfAnExchangeCountsInOneBatch() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        var longer = Sample.request(1)
        longer.size.body = .captured(900)
        try writer.write([.request(Sample.request(1)), .request(longer)] + Sample.events(2))
        #expect(writer.rowsWritten == 4)
        #expect(
            try StoreReader.open(folder.file()).exchange(StoredExchange.ID(1))?.request
                == StoredExchange(Exchange(request: longer)).request)
    }

    @Test func theLastRecordOfAnExchangeCountsAcrossBatches() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        var longer = Sample.request(1, at: 3)
        longer.size.body = .captured(900)
        var response = Sample.response(1, at: 20)
        try writer.write([.request(Sample.request(1)), .response(response)])
        response.size.body = .captured(77)
        try writer.write([.request(longer)])
        #expect(
            try StoreReader.open(folder.file()).exchange(StoredExchange.ID(1))
                == StoredExchange(Exchange(request: longer, response: Sample.response(1, at: 20))))
        try writer.write([.response(response)])
        try writer.write([.end(Sample.end(1))])
        let reader = try StoreReader.open(folder.file())
        #expect(
            try reader.exchanges() == [
                StoredExchange(Exchange(request: longer, response: response, end: Sample.end(1)))
            ])
        let total = try #require(try reader.totals(by: .api, in: .always).first)
        #expect(total.requests == 1)
        #expect(total.up.body == 900)
        #expect(total.down.body == 77)
    }

    @Test func aRequestWithoutResponseIsARowAndCounts() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.request(Sample.request(1))])
        try writer.write([.request(Sample.request(2)), .end(Sample.end(2, outcome: .timedOut))])
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().map(\.response) == [nil, nil])
        #expect(try reader.exchanges().map(\.end?.outcome) == [nil, .timedOut])
        for grouping in TrafficGrouping.allCases {
            let total = try #require(try reader.totals(by: grouping, in: .always).first)
            #expect(total.requests == 2)
            #expect(total.unanswered == 2)
            #expect(total.failures == 1)
            #expect(total.up.total == 110)
            #expect(total.down.total == 0)
            #expect(total.latency.count == 1)
        }
        #expect(try reader.overview().running == 1)
    }

    @Test func eventsWithoutTheirRequestAndAfterTheEndAreCountedAsLost() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.response(Sample.response(7)), .end(Sample.end(7))])
        try writer.write(Sample.events(1) + [.response(Sample.response(1, status: 500))])
        try writer.write([.end(Sample.end(1)), .loss(TrafficLoss(reason: .untapped, count: 5))])
        let reader = try StoreReader.open(folder.file())
        #expect(
            Set(try reader.overview().losses) == [
                TrafficLoss(reason: .malformed, count: 4), TrafficLoss(reason: .untapped, count: 5),
            ])
        #expect(try reader.exchanges().map(\.response?.status) == [200])
    }

    @Test func aBatchThatFailsLeavesNothingAndCanBeWrittenAgain() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.request(Sample.request(1))])
        let batch: [TrafficEvent] =
            [.response(Sample.response(1)), .end(Sample.end(1))] + Sample.events(2)
            + [.loss(TrafficLoss(reason: .untapped, count: 1))]
        let other = try DatabaseQueue(path: folder.file())
        try other.write {
            try $0.execute(sql: "CREATE TRIGGER t AFTER INSERT ON loss BEGIN SELECT raise(ABORT, 'no'); END")
        }
        #expect(throws: StoreError.self) { try writer.write(batch) }
        #expect(
            try StoreReader.open(folder.file()).exchanges() == [StoredExchange(Exchange(request: Sample.request(1)))])
        try other.write { try $0.execute(sql: "DROP TRIGGER t") }
        try writer.write(batch)
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().map(\.end) == [Sample.storedEnd(1), Sample.storedEnd(2)])
        #expect(try reader.overview().losses == [TrafficLoss(reason: .untapped, count: 1)])
        #expect(try reader.totals(by: .host, in: .always).map(\.requests) == [2])
    }
}
