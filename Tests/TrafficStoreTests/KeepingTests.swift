import Foundation
import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct KeepingTests {
    @Test func whatAVanishedProcessLeftOpenIsEndedOnceAndCounted() throws {
        let folder = try Folder()
        let killed = try StoreWriter.open(folder.file(), now: { Sample.moment(700) })
        try killed.write([.request(Sample.request(1)), .request(Sample.request(2)), .response(Sample.response(2))])
        let before = try StoreReader.open(folder.file()).totals(by: .api, in: .always)
        try pretendVanished(killed)
        for _ in 0..<2 { _ = try StoreWriter.open(folder.file()) }
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().map(\.end?.outcome) == [.abandoned, .abandoned])
        #expect(try reader.exchanges().map(\.end?.endedAt) == [Sample.moment(700), Sample.moment(700)])
        #expect(try reader.overview().running == 0)
        let after = try #require(try reader.totals(by: .api, in: .always).first)
        #expect(after.requests == 2)
        #expect(after.responses == 1)
        #expect(after.failures == 0)
        #expect(after.up == before.first?.up)
        #expect(after.down == before.first?.down)
        #expect(after.latency.count == 0)
    }

    @Test func whatALivingProcessHasOpenStaysOpen() throws {
        let folder = try Folder()
        let alive = try StoreWriter.open(folder.file())
        try alive.write([.request(Sample.request(1))])
        _ = try StoreWriter.open(folder.file())
        #expect(try StoreReader.open(folder.file()).exchanges().map(\.end) == [nil])
        try alive.write([.end(Sample.end(1))])
        #expect(try StoreReader.open(folder.file()).exchanges().map(\.end) == [Sample.storedEnd(1)])
    }

    @Test func aProcessNumberThatIsUsedAgainIsNotTheSameProcess() {
        let pid = getpid()
        let begin = ProcessLiveness.startTime(of: pid)
        #expect(begin > 0)
        #expect(ProcessLiveness.isAlive(pid: pid, startTime: begin))
        #expect(!ProcessLiveness.isAlive(pid: pid, startTime: begin - 1))
        #expect(!ProcessLiveness.isAlive(pid: 0x3FFF_FFFF, startTime: 0))
    }

    @Test func oldRowsGoTotalsStayAndTheFileShrinks() throws {
        let folder = try Folder()
        let traffic = RandomTraffic(seed: 4, count: 3_000, span: 3_600_000)
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(3_600_000) })
        for batch in traffic.batches { try writer.write(batch) }
        let reader = try StoreReader.open(folder.file())
        let totals = Set(try reader.totals(by: .api, in: .always))
        _ = try writer.queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        let size = try fileSize(folder)

        let policy = RetentionPolicy(maxAge: 600_000_000_000, step: 100)
        while try writer.retain(policy) {}
        #expect(Set(try reader.totals(by: .api, in: .always)) == totals)
        let kept = traffic.exchanges.filter { $0.end == nil || $0.request.startedAt >= Sample.moment(3_000_000) }
        #expect(try reader.exchanges() == kept.map { StoredExchange($0) })
        // The sums stay, and this traffic has more kinds than most.
        #expect(try fileSize(folder) < size * 5 / 6)
        let check = try writer.queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(check == "ok")
        for table in ["body"] {
            let orphans = try writer.queue.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table) WHERE id NOT IN (SELECT id FROM exchange)")
            }
            #expect(orphans == 0)
        }
    }

    @Test func aFileThatIsTooLargeLosesItsOldestRows() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for first in stride(from: 1, through: 4_000, by: 100) {
            try writer.write((first..<(first + 100)).flatMap { Sample.events(Int64($0), at: Int64($0)) })
        }
        // The tables alone take 360,448.
        let policy = RetentionPolicy(maxSize: 500_000, step: 200)
        while try writer.retain(policy) {}
        let reader = try StoreReader.open(folder.file())
        let ids = try reader.exchanges().map(\.id.rawValue)
        #expect(try fileSize(folder) <= 500_000)
        #expect(ids.count > 500 && ids.count < 4_000)
        #expect(ids.last == 4_000)
        #expect(ids == Array((4_001 - Int64(ids.count))...4_000))
        #expect(try reader.totals(by: .api, in: .always).map(\.requests) == [4_000])
    }

    @Test func minutesFoldIntoTheirHours() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(10 * 3_600_000) })
        for hour in 0..<6 { try writer.write(Sample.events(Int64(hour + 1), at: Int64(hour) * 3_600_000)) }
        _ = try writer.retain(RetentionPolicy(minutesAge: 7 * 3_600_000_000_000))
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.totals(by: .api, in: .always).map(\.requests) == [6])
        // Minutes 10 to 20 of the first hour: only the hour is known.
        let folded = TimeRange(since: Sample.moment(600_000), until: Sample.moment(1_200_000))
        #expect(try reader.totals(by: .api, in: folded).map(\.requests) == [1])
        let fresh = TimeRange(since: Sample.moment(4 * 3_600_000 + 600_000), until: Sample.moment(5 * 3_600_000))
        #expect(try reader.totals(by: .api, in: fresh).map(\.requests) == [1])
    }

    @Test func theWritersThreadKeepsTheStoreSmall() throws {
        let folder = try Folder()
        var options = BatchWriter.Options()
        options.interval = 0.005
        options.retention = RetentionPolicy(maxAge: 1, step: 3, interval: 0.005)
        let writer = BatchWriter(store: try StoreWriter.open(folder.file()), options: options)
        for id in 1...20 { Sample.events(Int64(id)).forEach(writer.record) }
        try writer.flush()
        let reader = try StoreReader.open(folder.file())
        for _ in 0..<6_000 {
            if try reader.overview().exchanges == 0 { break }
            usleep(5_000)
        }
        #expect(try reader.overview().exchanges == 0)
        #expect(try reader.totals(by: .api, in: .always).map(\.requests) == [20])
        try writer.finish()
    }

    private func fileSize(_ folder: Folder) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: folder.file())[.size] as? Int)
    }

    private func pretendVanished(_ writer: StoreWriter) throws {
        try writer.queue.write {
            try $0.execute(sql: "UPDATE run SET pid = 1073741823 WHERE id = ?", arguments: [writer.run])
        }
    }
}
