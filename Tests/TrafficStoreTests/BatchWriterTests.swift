import Foundation
import GRDB
import Locks
import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct BatchWriterTests {
    @Test func whatWasRecordedIsThereAfterAFlush() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter { $0.interval = 3_600 }
        for id in 1...50 { Sample.events(Int64(id)).forEach(writer.record) }
        try writer.flush()
        #expect(try StoreReader.open(folder.file()).overview().exchanges == 50)
        #expect(writer.counters == BatchWriter.Counters(recorded: 150, batches: 1, rows: 150))
        try writer.finish()
    }

    @Test func exchangesThatComeAtOnceAreWrittenLikeTheirEvents() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter { $0.interval = 3_600 }
        let (request, response, end) = (Sample.request(1), Sample.response(1), Sample.end(1))
        var whole = Exchange(request: request, response: response, end: end)
        writer.record(&whole)
        var unanswered = Exchange(request: Sample.request(2), end: Sample.end(2))
        writer.record(&unanswered)
        try writer.finish()
        #expect(writer.counters == BatchWriter.Counters(recorded: 5, batches: 1, rows: 5))
        let other = try Folder()
        let oneByOne = try other.batchWriter { $0.interval = 3_600 }
        whole.forEachEvent(oneByOne.record)
        unanswered.forEachEvent(oneByOne.record)
        try oneByOne.finish()
        let exchanges = try StoreReader.open(folder.file()).exchanges()
        #expect(exchanges.count == 2)
        #expect(try exchanges == StoreReader.open(other.file()).exchanges())
        var late = Exchange(request: Sample.request(3), end: Sample.end(3))
        writer.record(&late)
        #expect(writer.counters.dropped == 2)
    }

    @Test func aFullBatchIsWrittenBeforeItsTime() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter {
            $0.interval = 3_600
            $0.batchSize = 3
        }
        for id in 1...4 { Sample.events(Int64(id)).forEach(writer.record) }
        try expectSoon { try StoreReader.open(folder.file()).overview().exchanges == 4 }
        try writer.finish()
        #expect(writer.counters.rows == 12)
    }

    @Test func aBatchThatIsNotFullIsWrittenInTime() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter { $0.interval = 0.01 }
        Sample.events(1).forEach(writer.record)
        try expectSoon { try StoreReader.open(folder.file()).overview().exchanges == 1 }
        try writer.finish()
    }

    @Test func whatDoesNotFitIsCountedInTheStore() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter {
            $0.capacity = 20
            $0.interval = 3_600
        }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let blocker = try DatabaseQueue(path: folder.file(), configuration: configuration)
        try blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        for id in 1...30 { writer.record(.request(Sample.request(Int64(id)))) }
        try blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try writer.flush()
        let overview = try StoreReader.open(folder.file()).overview()
        #expect(overview.exchanges == 20)
        #expect(overview.losses == [TrafficLoss(reason: .bufferFull, count: 10)])
        #expect(writer.counters.dropped == 10)
        writer.record(.request(Sample.request(31)))
        try writer.finish()
        #expect(try StoreReader.open(folder.file()).overview().exchanges == 21)
    }

    @Test func aStoreThatFailsIsToldAndTriedAgain() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter {
            $0.interval = 3_600
            $0.retryDelay = 0.01
            $0.attempts = 1_000_000
            $0.capacity = 3
        }
        let other = try breakStore(folder)
        for id in 1...3 { writer.record(.request(Sample.request(Int64(id)))) }
        #expect(throws: StoreError.self) { try writer.flush() }
        #expect(writer.lastError?.code == .failed)
        writer.record(.request(Sample.request(4)))
        try other.write { try $0.execute(sql: "DROP TRIGGER broken") }
        try writer.flush()
        #expect(writer.lastError == nil)
        let overview = try StoreReader.open(folder.file()).overview()
        #expect(overview.exchanges == 3)
        #expect(overview.losses == [TrafficLoss(reason: .storeFailed, count: 1)])
        try writer.finish()
    }

    /// The attempt under way fails for the old cause; a flush that starts now waits for the next attempt.
    @Test func anAttemptThatHadBegunBeforeIsNotWhatAFlushTells() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter {
            $0.interval = 3_600
            $0.batchSize = 1
            $0.retryDelay = 0.001
        }
        let (isInside, mayFail) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let attempts = Mutex(0)
        try writer.onInsert {
            let number = attempts.withLock {
                $0 += 1
                return $0
            }
            guard number == 1 else { return }
            isInside.signal()
            mayFail.wait()
            throw DatabaseError(resultCode: .SQLITE_FULL)
        }
        writer.record(.request(Sample.request(1)))
        isInside.wait()
        let result = Mutex<Result<Void, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let outcome = Result { try writer.flush() }
            result.withLock { $0 = outcome }
            done.signal()
        }
        // It waits, and has let go of the lock.
        try expectSoon { writer.condition.withLock { writer.wanted == 1 } }
        mayFail.signal()
        done.wait()
        #expect(throws: Never.self) { try result.withLock { $0 }?.get() }
        #expect(attempts.withLock { $0 } == 2)
        try writer.finish()
        #expect(try StoreReader.open(folder.file()).overview().exchanges == 1)
    }

    @Test func aFullDiskLosesNothingThatFitsInMemory() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter {
            $0.interval = 3_600
            $0.retryDelay = 0.005
            $0.attempts = 1
            $0.batchSize = 300
        }
        try limitPages(writer.store, 60)
        for id in 1...2_000 { Sample.events(Int64(id), at: Int64(id)).forEach(writer.record) }
        try expectSoon { writer.lastError?.code == .diskFull }
        #expect(throws: StoreError.self) { try writer.flush() }
        let before = try StoreReader.open(folder.file()).overview()
        #expect(before.exchanges < 2_000)
        #expect(before.exchanges % 100 == 0)
        try limitPages(writer.store, 1_000_000)
        try writer.flush()
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.overview().exchanges == 2_000)
        #expect(try reader.overview().losses == [])
        #expect(try reader.totals(by: .host, in: .always).map(\.responses) == [2_000])
        #expect(try reader.exchanges().map(\.id.rawValue) == Array(1...2_000))
        try writer.finish()
    }

    @Test func finishingOnAFullDiskSaysSoAndDoesNotHang() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter {
            $0.interval = 3_600
            $0.retryDelay = 0.005
            $0.batchSize = 300
        }
        try limitPages(writer.store, 60)
        for id in 1...2_000 { Sample.events(Int64(id), at: Int64(id)).forEach(writer.record) }
        let error = #expect(throws: StoreError.self) { try writer.finish() }
        #expect(error?.code == .diskFull)
        let written = try StoreReader.open(folder.file()).overview().exchanges
        #expect(writer.counters.dropped == 6_000 - written * 3)
    }

    private func limitPages(_ store: StoreWriter, _ count: Int) throws {
        try store.queue.writeWithoutTransaction {
            _ = try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(count)")
        }
    }

    @Test func aBatchThatNeverFitsIsGivenUpAndCounted() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter {
            $0.interval = 3_600
            $0.retryDelay = 0.001
            $0.attempts = 2
        }
        let other = try breakStore(folder)
        Sample.events(1).forEach(writer.record)
        try expectSoon {
            try? writer.flush()
            return writer.counters.dropped == 3
        }
        try other.write { try $0.execute(sql: "DROP TRIGGER broken") }
        Sample.events(2).forEach(writer.record)
        try expectSoon { (try? writer.flush()) != nil }
        let overview = try StoreReader.open(folder.file()).overview()
        #expect(overview.exchanges == 1)
        #expect(overview.losses == [TrafficLoss(reason: .storeFailed, count: 3)])
        try writer.finish()
    }

    @Test func finishingWritesWhatIsLeftAndEndsWhatIsOpen() throws {
        let folder = try Folder()
        let writer = try folder.batchWriter { $0.interval = 3_600 }
        Sample.events(1).forEach(writer.record)
        writer.record(.request(Sample.request(2)))
        try writer.finish()
        try writer.finish()
        writer.record(.request(Sample.request(3)))
        #expect(writer.counters.dropped == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["traffic.db"])
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().map(\.end?.outcome) == [.completed, .abandoned])
        #expect(try reader.totals(by: .api, in: .always).map(\.requests) == [2])
    }

    @Test func manyThreadsAndTwoWritersLoseNothing() throws {
        let folder = try Folder()
        // SQLite is not fair to those who wait.
        let writers = try [100, 70].map { size in try folder.batchWriter(busyTimeout: 60) { $0.batchSize = size } }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for id in 0..<500 {
                Sample.events(Int64(thread * 1_000 + id), at: Int64(id)).forEach(writers[thread % 2].record)
            }
        }
        for writer in writers { try writer.finish() }
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.overview().exchanges == 4_000)
        #expect(try reader.overview().losses == [])
        let total = try #require(try reader.totals(by: .host, in: .always).first)
        #expect(total.requests == 4_000)
        #expect(total.responses == 4_000)
        #expect(total.down.total == ByteCount(4_000 * 589))
    }

    private func breakStore(_ folder: Folder) throws -> DatabaseQueue {
        var configuration = Configuration()
        // The writer may be at it just then.
        configuration.busyMode = .timeout(10)
        let other = try DatabaseQueue(path: folder.file(), configuration: configuration)
        try other.write {
            try $0.execute(
                sql: "CREATE TRIGGER broken BEFORE INSERT ON exchange BEGIN SELECT raise(ABORT, 'no'); END")
        }
        return other
    }

    private func expectSoon(_ condition: () throws -> Bool) throws {
        for _ in 0..<6_000 {
            if try condition() { return }
            usleep(5_000)
        }
        Issue.record("it did not happen within 30 seconds")
    }
}
