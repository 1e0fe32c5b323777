import Foundation
import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// When an exchange began, when its request was sent, and how long it took.
@Suite struct TimesTests {
    private let ms: Int64 = 1_000_000

    private func request(_ exchange: Int64, sentAfter: Int64?) -> RequestRecord {
        var request = Sample.request(exchange)
        request.sentAt = sentAfter.map { Timestamp(nanoseconds: request.startedAt.nanoseconds + $0) }
        return request
    }

    private func end(_ exchange: Int64, _ timings: ExchangeTimings) -> ExchangeEnd {
        var end = Sample.end(exchange, at: 50)
        end.timings = timings
        return end
    }

    @Test func theMomentOfSendingComesBackHoweverItIsWritten() throws {
        let folder = try Folder()
        let closed = ExchangeTimings(
            queue: 3_000, dns: 5_000, connect: 7_000, tls: 11_000, wait: 20 * ms, total: 50 * ms)
        let exchanges = [
            // The phases before it say when; they do not; nothing was sent; no end says so.
            Exchange(request: request(1, sentAfter: 26_000), end: end(1, closed)),
            Exchange(request: request(2, sentAfter: 27_000), end: end(2, closed)),
            Exchange(request: request(3, sentAfter: nil), end: end(3, closed)),
            Exchange(request: request(4, sentAfter: 28_000)),
        ]
        let writer = try StoreWriter.open(folder.file())
        for exchange in exchanges {
            try writer.write([.request(exchange.request)] + (exchange.end.map { [.end($0)] } ?? []))
        }
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges() == exchanges.map { StoredExchange($0) })
        // The end comes in a later batch, and then the request once more with it.
        var last = exchanges[3]
        last.end = end(4, closed)
        try writer.write([.end(try #require(last.end))])
        #expect(try reader.exchange(StoredExchange.ID(4)) == StoredExchange(last))
        try writer.write([.request(last.request)])
        #expect(try reader.exchange(StoredExchange.ID(4))?.request.sentAt == last.request.sentAt)
    }

    @Test func whatIsSlowIsFoundByTheDurationThatIsShown() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        var slow = Sample.end(1, at: 2_000, total: nil)
        slow.outcome = .timedOut
        try writer.write([.request(Sample.request(1)), .end(slow)])
        try writer.write([.request(Sample.request(2)), .end(Sample.end(2))])
        let reader = try StoreReader.open(folder.file())
        var filter = ExchangeFilter()
        filter.slowerThan = 1_000 * ms
        #expect(try reader.exchanges(filter).map(\.duration) == [2_000 * ms])
        let total = try #require(try reader.totals(by: .method, in: .always).first)
        #expect((total.latency.percentile(0.99) ?? 0) > 1_900 * ms)
    }

    /// Earlier versions filed an exchange under the moment at which its request was sent.
    @Test func rowsOfEarlierVersionsBeginBeforeTheyWereSent() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for number in 1...4 as ClosedRange<Int64> { try writer.write(Sample.events(number)) }
        try writer.close()
        try ReleasedStore.make(from: folder.file(), at: folder.file("older.db"))
        let file = try DatabaseQueue(path: folder.file("older.db"))
        // Send, wait and receive are known, as bits 4 to 6, and bit 10 says that the distance to the column follows.
        func ending(dns: Int64? = nil, wait: Int64, distance: Int64) -> [UInt8] {
            let sink = ByteSink()
            sink.appendVarint(16 | 32 | (dns == nil ? 0 : 2) | 1 << 10)
            sink.appendVarint(1)
            sink.appendSigned(distance)
            if let dns { sink.appendSigned(dns) }
            sink.appendSigned(0)
            sink.appendSigned(wait)
            return Array(UnsafeBufferPointer(start: sink.start, count: sink.count))
        }
        try file.write { database in
            func set(_ number: Int64, total: Int64, _ ending: [UInt8]) throws {
                try database.execute(
                    sql: "UPDATE exchange SET total = ?, ending = ? WHERE id = ?",
                    arguments: [total, Data(ending), number])
            }
            // It took 50 ms, 20 of them before it was sent, 5 for the lookup.
            try set(1, total: 50 * ms, ending(dns: 5 * ms, wait: 30 * ms, distance: -20 * ms))
            // libcurl's own total was wrong.
            try set(2, total: 91_000, ending(wait: 2_000 * ms, distance: 2_000 * ms - 91_000))
            // Nothing came before it was sent.
            try set(3, total: 30 * ms, ending(wait: 30 * ms, distance: 0))
        }
        try file.close()
        let rows = try StoreReader.open(folder.file("older.db")).exchanges()
        let sent = Sample.moment(0)
        func began(_ before: Int64) -> Timestamp { Timestamp(nanoseconds: sent.nanoseconds - before * ms) }
        #expect(rows.map(\.request.startedAt) == [began(20), sent, sent, sent])
        #expect(rows.map(\.request.sentAt) == [sent, sent, sent, nil])
        #expect(rows.map(\.duration) == [50 * ms, 2_000 * ms, 30 * ms, 50 * ms])
        #expect(rows.map(\.end?.timings.queue) == [15 * ms, 0, 0, nil])
        #expect(rows.map(\.end?.timings.unattributed) == [0, 0, 0, 50 * ms])
        for row in rows {
            #expect(row.end.map { $0.endedAt.nanoseconds - row.request.startedAt.nanoseconds } == row.duration)
            // What is measured from the column is where it was.
            #expect(row.response?.firstByteAt == Sample.moment(20))
        }
    }
}
