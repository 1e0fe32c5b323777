import Foundation
import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// A file that a failing disk, or somebody's hand, has changed: what is wrong is said, nothing ends the process, and
/// nothing is written over it.
@Suite struct DamageTests {
    private static let pageSize = 4_096
    private static let wantsAll = Rounds.areAll
    /// How many files are damaged at random; integration takes its time.
    static let rounds = wantsAll ? 300 : 10

    /// A closed store with traffic of all sorts.
    private static let whole: Result<[UInt8], any Error> = Result {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let traffic = RandomTraffic(seed: 7, count: 300, span: 7_200_000)
        for batch in traffic.batches { try writer.write(batch) }
        for id in 2_001...2_100 { try writer.write(events(Int64(id))) }
        try writer.close()
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file())))
    }

    private static func events(_ id: Int64) -> [TrafficEvent] {
        var request = Sample.request(id, path: "/users/\(id)", template: "/users/{id}")
        request.query = "page=\(id)"
        request.capturedBody = Array("body \(id)".utf8)
        var end = Sample.end(id)
        end.connection = ConnectionID(id / 10)
        end.remoteAddress = "10.0.0.\(id % 100):443"
        return [.request(request), .response(Sample.response(id)), .end(end)]
    }

    /// What came of using a damaged file.
    private struct Outcome {
        var reads = 0
        var refusedReads = 0
        var isRefused = false
    }

    @Test("Bytes flipped in random pages are read as far as they go, or refused", arguments: 0..<rounds)
    func flippedBytes(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var bytes = try Self.whole.get()
        let pages = bytes.count / Self.pageSize
        for _ in 0..<[1, 3, 20, 200][seed % 4] {
            // The first page holds the schema; most damage lies elsewhere.
            let page = Int.random(in: (seed % 8 == 0 ? 0 : 1)..<pages, using: &random)
            bytes[page * Self.pageSize + Int.random(in: 0..<Self.pageSize, using: &random)] = .random(
                in: 0...255, using: &random)
        }
        if seed % 5 == 4 { bytes.removeLast(Int.random(in: 1..<(bytes.count - 100), using: &random)) }
        try expectHarmless(bytes)
    }

    @Test("Whole pages of zeros or noise, a length that is none, and nothing but a header")
    func lostPages() throws {
        let whole = try Self.whole.get()
        for page in stride(from: 0, to: whole.count / Self.pageSize, by: Self.wantsAll ? 1 : 40) {
            for byte in [UInt8(0), 0xFF, 0x0D] {
                var bytes = whole
                bytes.replaceSubrange(
                    (page * Self.pageSize)..<((page + 1) * Self.pageSize),
                    with: repeatElement(byte, count: Self.pageSize))
                try expectHarmless(bytes)
            }
        }
        for length in [100, 4_095, 4_096, 8_192, whole.count / 2] {
            let outcome = try expectHarmless(Array(whole[..<length]))
            #expect(outcome.isRefused, "cut to \(length)")
        }
    }

    @Test("Numbers and blobs that no traffic makes are read without a trap", arguments: 0..<rounds)
    func hostileValues(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) + 1_000)
        let folder = try Folder()
        try Data(try Self.whole.get()).write(to: URL(fileURLWithPath: folder.file()))
        let queue = try DatabaseQueue(path: folder.file())
        try queue.writeWithoutTransaction { database in
            let tables = try String.fetchAll(
                database,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'grdb%' AND name NOT LIKE 'sqlite%'"
            )
            for _ in 0..<[1, 5, 40][seed % 3] {
                let table = tables.randomElement(using: &random)!
                let columns = try database.columns(in: table).map(\.name)
                let column = columns.randomElement(using: &random)!
                let old = try DatabaseValue.fetchOne(
                    database, sql: "SELECT \"\(column)\" FROM \"\(table)\" LIMIT 1 OFFSET ?",
                    arguments: [Int.random(in: 0..<20, using: &random)])
                guard let old else { continue }
                // A constraint may forbid it.
                try? database.execute(
                    sql: "UPDATE \"\(table)\" SET \"\(column)\" = ? WHERE \"\(column)\" IS ?",
                    arguments: [Self.hostile(old, &random), old])
            }
        }
        try queue.close()
        let reader = try StoreReader.open(folder.file())
        _ = read(reader)
        let writer = try? StoreWriter.open(folder.file())
        for id in 1...3 { try? writer?.write(Self.events(Int64(id))) }
        _ = try? writer?.retain(RetentionPolicy(maxAge: 1, maxSize: 1))
        try? writer?.close()
    }

    @Test("the rows of a minute whose numbers are the ends of all numbers are counted without a trap")
    func endsOfNumbers() throws {
        let ends = [Int64.min, -1, 0, .max]
        for (first, last) in ends.flatMap({ first in ends.map { (first, $0) } }) {
            let folder = try Folder()
            try Data(try Self.whole.get()).write(to: URL(fileURLWithPath: folder.file()))
            let queue = try DatabaseQueue(path: folder.file())
            try queue.write { database in
                try database.execute(sql: "UPDATE span SET first = ?, last = ?", arguments: [first, last])
                // The minutes are looked at once more.
                try database.execute(sql: "UPDATE meta SET value = 0 WHERE key = ?", arguments: [RowMinutes.checkedKey])
            }
            try queue.close()
            let writer = try StoreWriter.open(folder.file())
            for id in 1...3 { try writer.write(Self.events(Int64(id))) }
            try writer.close()
        }
    }

    private static func hostile(_ old: DatabaseValue, _ random: inout SeededGenerator) -> DatabaseValue {
        let long: [UInt8] = Array(repeating: 0xFF, count: 8) + [0x7F]
        if case .blob(let data) = old.storage, Int.random(in: 0..<4, using: &random) > 0 {
            var bytes = [UInt8](data)
            for _ in 0..<3 {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let piece = [[UInt8.random(in: 0...255, using: &random)], long, []].randomElement(using: &random)!
                bytes.replaceSubrange(place..<min(place + 1, bytes.count), with: piece)
            }
            return Data(bytes).databaseValue
        }
        let values: [DatabaseValue] = [
            0.databaseValue, (-1).databaseValue, Int64.max.databaseValue, Int64.min.databaseValue,
            (Int64(1) << 62).databaseValue, .null, "x".databaseValue, Data(long + long).databaseValue,
            Data().databaseValue, 3.5.databaseValue, String(repeating: "a", count: 5_000).databaseValue,
        ]
        return values.randomElement(using: &random)!
    }

    @Test("Damage that shows while metering ends the writing, and the file stays as it was then")
    func damageWhileWriting() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for id in 1...300 { try writer.write(Self.events(Int64(id))) }
        // Everything is moved from the log into the file, and the writer has to look at the file again.
        let other = try DatabaseQueue(path: folder.file())
        try other.writeWithoutTransaction { database in
            try database.checkpoint(.truncate)
            try database.execute(sql: "UPDATE meta SET value = value")
            try database.checkpoint(.truncate)
        }
        let file = try #require(FileHandle(forUpdatingAtPath: folder.file()))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4_096))
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file()))

        let batches = BatchWriter(store: writer)
        Self.events(301).forEach(batches.record)
        let error = #expect(throws: StoreError.self) { try batches.flush() }
        #expect(error?.code == .corrupt)
        Self.events(302).forEach(batches.record)
        #expect(throws: StoreError.self) { try batches.clear() }
        let last = #expect(throws: StoreError.self) { try batches.finish() }
        #expect(last?.code == .corrupt)
        #expect(last?.message.contains(folder.file()) == true)
        #expect(batches.counters.dropped == 6)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
        #expect(throws: StoreError.self) { try StoreWriter.open(folder.file()) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
        try other.close()
    }

    // MARK: What is done with a file

    @discardableResult
    private func expectHarmless(_ bytes: [UInt8]) throws -> Outcome {
        let folder = try Folder()
        let data = Data(bytes)
        try data.write(to: URL(fileURLWithPath: folder.file()))
        var outcome = Outcome()
        do {
            let reader = try StoreReader.open(folder.file())
            outcome.refusedReads = read(reader)
        } catch {
            #expect(error is StoreError, "\(error)")
        }
        // Reading alone changes nothing.
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == data)
        do {
            let writer = try StoreWriter.open(folder.file())
            try writer.write(Self.events(1))
            try writer.close()
        } catch {
            outcome.isRefused = true
            #expect(error is StoreError, "\(error)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == data, "written over")
        }
        return outcome
    }

    /// Asks everything; how many questions were refused.
    private func read(_ reader: StoreReader) -> Int {
        var refused = 0
        func ask(_ question: () throws -> Void) {
            do {
                try question()
            } catch {
                #expect(error is StoreError, "\(error)")
                refused += 1
            }
        }
        for grouping in TrafficGrouping.allCases {
            ask {
                // Shown figures are computed from the sums.
                let totals = try reader.totals(by: grouping, in: .always)
                for total in totals { _ = (total.bytes, total.capturedShare, total.latency.percentile(0.99)) }
            }
        }
        let range = TimeRange(since: Sample.moment(60_000), until: Sample.moment(3_000_000))
        ask { _ = try reader.totals(by: .api, in: range) }
        ask { _ = try reader.timeline(in: .always, limit: 60) }
        ask { _ = try reader.timeline(in: range, limit: 2) }
        ask { _ = try reader.overview() }
        ask { _ = try reader.losses() }
        ask { _ = try reader.connections() }
        ask { _ = try reader.exchanges() }
        ask { _ = try reader.exchanges(order: .newestFirst, limit: 20) }
        for id in [1, 250, 350] { ask { _ = try reader.exchange(StoredExchange.ID(Int64(id))) } }
        return refused
    }
}
