import Foundation
import GRDB
import Testing
import TrafficModel

@testable import TrafficStore

/// Rows are let go in small steps, and what is to be written goes between them.
@Suite struct RetentionTests {
    private static let tables = ["exchange", "carried", "span", "rollup_minute"]

    @Test func aStepTouchesABoundedNumberOfRows() throws {
        let folder = try Folder()
        let minute: Int64 = 60_000
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(40 * 24 * 60 * minute) })
        // Two APIs in each of 1,500 minutes, on 1,500 connections, and all of it too old. The newest minute and 120
        // before it have sums.
        for first in stride(from: 0, to: 1_500, by: 100) {
            var batch: [TrafficEvent] = []
            for index in Int64(first)..<Int64(first + 100) {
                batch += events(index * 2 + 1, at: index * minute, "/a", on: index)
                batch += events(index * 2 + 2, at: index * minute + 10, "/b", on: index)
            }
            try writer.write(batch)
        }
        let policy = RetentionPolicy(maxAge: 1, step: 50)
        var before = try counts(writer)
        #expect(before["exchange"] == 3_000 && before["rollup_minute"] == 242 && before["carried"] == 1_500)
        var steps = 0
        var hasMore = true
        while hasMore {
            hasMore = try writer.retain(policy)
            let after = try counts(writer)
            #expect(before["exchange"]! - after["exchange"]! <= 50)
            #expect(before["rollup_minute"]! - after["rollup_minute"]! <= 200)
            #expect(before["carried"]! - after["carried"]! <= 1_000)
            before = after
            steps += 1
        }
        #expect(steps >= 60)
        #expect(before.values.allSatisfy { $0 == 0 })
        // The sums of all time are still there, whatever the range says.
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.totals(by: .host, in: .always).map(\.requests) == [3_000])
        let hour = TimeRange(since: Sample.moment(0), until: Sample.moment(60 * minute))
        // The sample begins half a minute after the hour.
        #expect(try reader.totals(by: .host, in: hour).map(\.requests) == [240])
    }

    @Test func whileSumsOfMinutesGoStepByStepARangeIsCountedOnce() throws {
        let folder = try Folder()
        let minute: Int64 = 60_000
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(40 * 24 * 60 * minute) })
        for index in 0..<600 {
            try writer.write(events(Int64(index) + 1, at: Int64(index) * minute, "/a", on: 1))
        }
        let reader = try StoreReader.open(folder.file())
        let range = TimeRange(since: Sample.moment(0), until: Sample.moment(600 * minute))
        let policy = RetentionPolicy(step: 10)
        #expect(try reader.totals(by: .host, in: range).map(\.requests) == [600])
        while try writer.retain(policy) {
            #expect(try reader.totals(by: .host, in: range).map(\.requests) == [600])
        }
        #expect(try counts(writer)["rollup_minute"] == 0)
    }

    @Test func whatIsRecordedIsCommittedBetweenTheSteps() throws {
        let folder = try Folder()
        let old = try StoreWriter.open(folder.file())
        for first in stride(from: 1, through: 2_000, by: 500) {
            try old.write((Int64(first)..<Int64(first + 500)).flatMap { Sample.events($0, at: $0) })
        }
        // What is put in and what goes, in the order in which it happens.
        try old.queue.write {
            try $0.execute(
                sql: """
                    CREATE TABLE watch(number INTEGER PRIMARY KEY, id INTEGER, isNew INTEGER);
                    CREATE TRIGGER put AFTER INSERT ON exchange
                    BEGIN INSERT INTO watch(id, isNew) VALUES (NEW.id, 1); END;
                    CREATE TRIGGER gone AFTER DELETE ON exchange
                    BEGIN INSERT INTO watch(id, isNew) VALUES (OLD.id, 0); END;
                    """)
        }
        try old.close()
        var options = BatchWriter.Options()
        // The rows of 2025 are too old; those that come are of the day on which the test runs.
        options.retention = RetentionPolicy(maxAge: 86_400_000_000_000, step: 4)
        let today = Int64(Date().timeIntervalSince1970 * 1_000) - Sample.epoch / 1_000_000
        let writer = BatchWriter(store: try StoreWriter.open(folder.file()), options: options)
        let reader = try StoreReader.open(folder.file())
        var next: Int64 = 10_001
        repeat {
            Sample.events(next, at: today).forEach(writer.record)
            try writer.flush()
            next += 1
        } while try reader.overview().exchanges > next - 10_001
        try writer.finish()
        let (between, inARow) = try DatabaseQueue(path: folder.file()).read { database in
            let isNew = try Bool.fetchAll(database, sql: "SELECT isNew FROM watch ORDER BY number")
            let last = isNew.lastIndex(of: false) ?? 0
            // Between two of the new ones that waited for nothing but the writer's turn lies one step.
            let steps = isNew[..<last].split(separator: true, omittingEmptySubsequences: true).map(\.count)
            return (isNew[..<last].count { $0 }, steps.min() ?? 0)
        }
        #expect(between > 0, "nothing was committed before the last step")
        #expect(inARow <= 4)
        #expect(try reader.overview().exchanges == next - 10_001)
    }

    private func events(
        _ exchange: Int64, at milliseconds: Int64, _ path: String, on connection: Int64
    ) -> [TrafficEvent] {
        var end = Sample.end(exchange, at: milliseconds + 50)
        end.connection = ConnectionID(connection)
        return [
            .request(Sample.request(exchange, at: milliseconds, path: path, template: path)),
            .response(Sample.response(exchange, at: milliseconds + 20)), .end(end),
        ]
    }

    private func counts(_ writer: StoreWriter) throws -> [String: Int] {
        try writer.queue.read { database in
            var counts: [String: Int] = [:]
            for table in Self.tables {
                counts[table] = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            return counts
        }
    }
}
