import Foundation
import GRDB
import Testing
import TrafficModel

@testable import TrafficStore

/// More traffic than the store takes: batches that wait share a transaction, and what finds no room is counted.
@Suite struct LoadTests {
    @Test func batchesThatWaitShareATransaction() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter {
            $0.batchSize = 3
            $0.interval = 3_600
        }
        try whileLocked(folder) { for id in 1...16 { Sample.events(Int64(id), at: Int64(id)).forEach(writer.record) } }
        try writer.flush()
        // What was taken before the others came, then eight at a time.
        #expect(writer.counters.batches <= 3)
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().map(\.id.rawValue) == Array(1...16))
        #expect(try reader.totals(by: .api, in: .always).map(\.responses) == [16])
        try writer.finish()
    }

    @Test func theBatchThatCanNeverBeWrittenIsGivenUpAlone() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter {
            // Each part of an exchange comes in a batch of its own, and the transaction that fails has several.
            $0.batchSize = 1
            $0.retryDelay = 0.001
            $0.attempts = 2
        }
        let poisoned = Sample.moment(5).nanoseconds / 1_000
        try DatabaseQueue(path: folder.file()).write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER broken BEFORE INSERT ON exchange WHEN NEW.started = \(poisoned)
                    BEGIN SELECT raise(ABORT, 'no'); END
                    """)
        }
        try whileLocked(folder) { for id in 1...8 { Sample.events(Int64(id), at: Int64(id)).forEach(writer.record) } }
        // The loss is reported once, and later events are written.
        while (try? writer.flush()) == nil {}
        try writer.finish()
        let reader = try StoreReader.open(folder.file())
        let exchanges = try reader.exchanges()
        #expect(exchanges.map(\.request.startedAt) == [1, 2, 3, 4, 6, 7, 8].map { Sample.moment($0) })
        #expect(exchanges.allSatisfy { $0.response != nil && $0.end?.outcome == .completed })
        #expect(try reader.totals(by: .api, in: .always).map(\.responses) == [7])
        // Its request could not be written; its response and its end belong to nothing.
        #expect(try reader.overview().losses.reduce(0) { $0 + $1.count } == 3)
        #expect(try reader.overview().losses.first { $0.reason == .storeFailed }?.count == 1)
    }

    @Test func whatASlowStoreCannotTakeIsCountedToTheEvent() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter {
            $0.capacity = 90
            $0.batchSize = 30
            $0.interval = 0.01
        }
        try writer.onInsert { usleep(500) }
        var most = 0
        for id in 1...1_000 {
            Sample.events(Int64(id), at: Int64(id)).forEach(writer.record)
            most = max(most, writer.condition.withLock { writer.queue.count })
        }
        try writer.finish()
        let counters = writer.counters
        #expect(most <= 90)
        #expect(counters.dropped > 0)
        #expect(counters.recorded + counters.dropped == 3_000)
        let reader = try StoreReader.open(folder.file())
        var stored: Int64 = 0
        for exchange in try reader.exchanges() {
            stored += exchange.response == nil ? 1 : 2
            // What had no end is ended when the file is closed.
            if exchange.end?.outcome == .completed { stored += 1 }
        }
        let lost = try reader.overview().losses.reduce(0) { $0 + $1.count }
        #expect(stored + lost == 3_000)
        #expect(lost >= counters.dropped)
    }

    /// Nothing is written meanwhile.
    private func whileLocked(_ folder: Folder, _ body: () throws -> Void) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let blocker = try DatabaseQueue(path: folder.file(), configuration: configuration)
        try blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        try body()
        try blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }
}
