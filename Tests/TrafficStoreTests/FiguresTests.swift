import Foundation
import GRDB
import Testing
import TrafficModel

@testable import TrafficStore

/// Each figure of a report, computed by hand from three exchanges.
@Suite("Figures of a report")
struct FiguresTests {
    /// A page that opens a connection, the same page unchanged over it, and a call by another program that is refused.
    private static let events: [TrafficEvent] = {
        var first = Sample.request(1, size: size(fields: 300, cookies: 100, body: 0))
        first.process = ProcessIdentity(pid: 7, name: "browser")
        var answer = Sample.response(1, type: "text/html", size: size(fields: 200, cookies: 50, body: 1_000))
        answer.decodedBody = .init(4_000, .reported)
        var second = Sample.request(2, at: 60_000, size: size(fields: 400, cookies: 100, body: 0))
        second.process = ProcessIdentity(pid: 8, name: "browser")
        var unchanged = Sample.response(2, at: 60_010, status: 304, type: "", size: size(fields: 100, body: 0))
        unchanged.contentEncoding = ""
        var third = Sample.request(3, at: 90_000, method: "POST", size: size(fields: 100, body: 0))
        third.process = ProcessIdentity(pid: 9, name: "tool")
        func end(_ id: Int64, at: Int64, _ timings: ExchangeTimings, reused: Bool, connection: Int64?) -> ExchangeEnd {
            var end = Sample.end(id, at: at)
            end.timings = timings
            end.connection = connection.map { ConnectionID($0) }
            end.reusedConnection = reused
            // The one that opens the connection has the handshakes.
            end.share = connection.map { _ in
                ConnectionShare(
                    overhead: reused ? ByteFlow(up: 22, down: 44) : ByteFlow(up: 800, down: 3_000),
                    packetHeaders: reused ? ByteFlow(up: 52, down: 104) : ByteFlow(up: 416, down: 364))
            }
            return end
        }
        let ms: Int64 = 1_000_000
        let opened = ExchangeTimings(
            dns: 2 * ms, connect: 10 * ms, tls: 20 * ms, wait: 40 * ms, receive: 5 * ms, total: 77 * ms)
        let reused = ExchangeTimings(
            queue: 6 * ms, send: 3 * ms, wait: 80 * ms, receive: 1 * ms, total: 97 * ms)
        var refused = end(3, at: 90_003, ExchangeTimings(dns: 3 * ms), reused: false, connection: nil)
        refused.outcome = .failed(ExchangeFailure(.libcurl, code: 7, message: "refused"))
        return [
            .request(first), .response(answer), .end(end(1, at: 77, opened, reused: false, connection: 1)),
            .request(second), .response(unchanged), .end(end(2, at: 60_081, reused, reused: true, connection: 1)),
            .request(third), .end(refused),
        ]
    }()

    private static func size(fields: Int, cookies: Int = 0, body: Int) -> WireSize {
        WireSize(
            startLine: .captured(20), fields: .captured(fields), cookies: .captured(cookies), body: .captured(body))
    }

    private func reader(_ events: [TrafficEvent], _ folder: Folder) throws -> StoreReader {
        let writer = try StoreWriter.open(folder.file())
        try writer.write(events)
        return try StoreReader.open(folder.file())
    }

    @Test("of one API") func api() throws {
        let folder = try Folder()
        let totals = try reader(Self.events, folder).totals(by: .api, in: .always)
        #expect(totals.count == 2)
        let page = try #require(totals.first { $0.key.method == "GET" })
        #expect(page.requests == 2)
        #expect(page.responses == 2)
        #expect(page.notModified == 1)
        #expect(page.newConnections == 1)
        #expect(page.reusedConnections == 1)
        #expect(page.reuseShare == 0.5)
        #expect(page.encodedBody == 1_000)
        #expect(page.decodedBody == 4_000)
        #expect(page.compressionRatio == 4)
        // Up 320 + 420, down 1,220 + 120.
        #expect(page.bytes == 2_080)
        #expect(page.headerShare == Double(300 + 400 + 200 + 100) / 2_080)
        #expect(page.cookieShare == Double(100 + 100 + 50) / 2_080)
        #expect(page.sharing == 2)
        #expect(page.overhead == ByteFlow(up: 822, down: 3_044))
        #expect(page.packetHeaders == ByteFlow(up: 468, down: 468))
        #expect(page.packets == ByteFlow(up: 740 + 822 + 468, down: 1_340 + 3_044 + 468))
        #expect(page.firstSeen == Sample.moment(0))
        #expect(page.lastSeen == Sample.moment(60_000))
        func isNear(_ histogram: LatencyHistogram, _ share: Double, _ milliseconds: Double) -> Bool {
            abs(Double(histogram.percentile(share) ?? 0) / 1e6 - milliseconds) <= milliseconds * 0.011
        }
        #expect(isNear(page.phases.dns, 0.5, 2) && page.phases.dns.count == 1)
        #expect(isNear(page.phases.connect, 0.5, 10) && page.phases.connect.count == 1)
        #expect(isNear(page.phases.tls, 0.5, 20) && page.phases.tls.count == 1)
        #expect(isNear(page.phases.wait, 0.5, 40) && isNear(page.phases.wait, 0.95, 80))
        #expect(isNear(page.phases.receive, 0.5, 1) && isNear(page.phases.receive, 0.99, 5))
        #expect(isNear(page.phases.queue, 0.5, 6) && page.phases.queue.count == 1)
        #expect(isNear(page.phases.send, 0.5, 3) && page.phases.send.count == 1)
        // The first closes without a rest.
        #expect(isNear(page.phases.unattributed, 0.5, 7) && page.phases.unattributed.count == 1)
        let refused = try #require(totals.first { $0.key.method == "POST" })
        #expect(refused.unanswered == 1)
        #expect(refused.failures == 1)
        #expect(refused.reuseShare == nil)
        #expect(refused.packets == nil)
        #expect(refused.compressionRatio == nil)
        #expect(refused.phases.connect.count == 0 && isNear(refused.phases.dns, 0.5, 3))
    }

    @Test(
        "sums of a file without the later phases are read, also where they count exchanges with unknown parts",
        arguments: [UInt8(0), 9])
    func olderSums(partlyUnknown: UInt8) throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Self.events)
        try writer.close()
        let whole = try StoreReader.open(folder.file()).totals(by: .method, in: .always)
        try ReleasedStore.make(from: folder.file(), at: folder.file("older.db"))
        let file = try DatabaseQueue(path: folder.file("older.db"))
        try file.write { database in
            for table in StoreSchema.tiers {
                for row in try Row.fetchAll(database, sql: "SELECT slot, kind, sums FROM \(table)") {
                    let sums: Data = row["sums"]
                    try database.execute(
                        sql: "UPDATE \(table) SET sums = ? WHERE slot = ? AND kind = ?",
                        arguments: [Self.withoutLaterPhases(sums, partlyUnknown), row["slot"], row["kind"]])
                }
            }
        }
        try file.close()
        let older = try StoreReader.open(folder.file("older.db")).totals(by: .method, in: .always)
        #expect(older.count == whole.count)
        for (one, other) in zip(older, whole) {
            var expected = other
            (expected.phases.queue, expected.phases.send) = (LatencyHistogram(), LatencyHistogram())
            expected.phases.unattributed = LatencyHistogram()
            #expect(one == expected)
        }
    }

    /// The contents of a blob before it had `queue`, `send` and `unattributed`.
    private static func withoutLaterPhases(_ sums: Data, _ partlyUnknown: UInt8) -> Data {
        [UInt8](sums).withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            for _ in 0..<(7 + 2 * 7) { _ = reader.varint() }
            var histogram = LatencyHistogram()
            for _ in 0..<6 { histogram.merge(encoded: &reader) }
            let sink = ByteSink()
            sink.append(UnsafeRawBufferPointer(rebasing: bytes[..<reader.position]))
            // What was 0 at the end was left out.
            for _ in 0..<9 { sink.appendVarint(reader.varint()) }
            sink.append(partlyUnknown)
            return Data(bytes: sink.start, count: sink.count)
        }
    }

    @Test("by each grouping, also of exchanges whose rows are not kept", arguments: [true, false])
    func groupings(keepsDetail: Bool) throws {
        let folder = try Folder()
        let events = Self.events.map { event -> TrafficEvent in
            guard case .request(var request) = event else { return event }
            request.keepsDetail = keepsDetail
            return .request(request)
        }
        let reader = try reader(events, folder)
        func bytes(_ grouping: TrafficGrouping, _ name: (TrafficTotal.Key) -> String?) throws -> [String: Int64] {
            let totals = try reader.totals(by: grouping, in: .always)
            return Dictionary(totals.map { (name($0.key) ?? "?", $0.bytes.bytes) }, uniquingKeysWith: +)
        }
        #expect(try bytes(.host, \.host) == ["api.test": 2_200])
        #expect(try bytes(.method, \.method) == ["GET": 2_080, "POST": 120])
        #expect(try bytes(.status) { $0.status.map { String($0) } } == ["200": 1_540, "304": 540, "0": 120])
        #expect(try bytes(.type, \.contentType) == ["text/html": 1_540, "": 660])
        #expect(try bytes(.process, \.process) == ["browser": 2_080, "tool": 120])
        #expect(try bytes(.path, \.path).values.reduce(0, +) == (keepsDetail ? 2_200 : 0))
    }

    @Test("by status and type of exchanges that still run, and of those that a killed writer left")
    func running() throws {
        let folder = try Folder()
        let reader = try reader(Array(Self.events.prefix(2)), folder)
        let before = try reader.totals(by: .type, in: .always)
        #expect(before.map(\.key.contentType) == ["text/html"])
        #expect(before.map(\.encodedBody) == [1_000])
        try StoreWriter.open(folder.file()).close()
        let second = try StoreWriter.open(folder.file())
        try second.write([])
        #expect(try reader.totals(by: .status, in: .always).map(\.key.status) == [200])
    }

    @Test("An API with ever new media types has a bounded number of kinds, and its sums lack nothing")
    func manyTypes() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for id in Int64(1)...300 {
            try writer.write([
                .request(Sample.request(id)), .response(Sample.response(id, type: "text/x-\(id)")),
                .end(Sample.end(id)),
            ])
        }
        let reader = try StoreReader.open(folder.file())
        let types = try reader.totals(by: .type, in: .always)
        #expect(types.count == Int(KindTable.kindsPerAPI) + 1)
        #expect(types.first { $0.key.contentType == KindTable.otherType }?.requests == 300 - KindTable.kindsPerAPI)
        #expect(types.reduce(0) { $0 + $1.requests } == 300)
        #expect(try reader.totals(by: .api, in: .always).map(\.requests) == [300])
        // Rows have the types as they were.
        var filter = ExchangeFilter()
        filter.contentType = "text/x-299"
        #expect(try reader.exchanges(filter).count == 1)
    }

    @Test("Short-lived processes of one program are one kind")
    func manyProcesses() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for id in Int64(1)...100 {
            var request = Sample.request(id)
            request.process = ProcessIdentity(pid: Int32(id), name: "curl")
            try writer.write([.request(request), .end(Sample.end(id))])
        }
        let queue = try DatabaseQueue(path: folder.file())
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM kind") } == 1)
        #expect(try StoreReader.open(folder.file()).totals(by: .process, in: .always).map(\.requests) == [100])
    }

    @Test("A batch that could not be written leaves no kind in memory that counts as written")
    func rollback() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file(), busyTimeout: 0.01)
        let other = try DatabaseQueue(path: folder.file())
        try other.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE block(id INTEGER)") }
        try other.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER stop BEFORE INSERT ON timeline BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        #expect(throws: StoreError.self) { try writer.write(Sample.events(1)) }
        try other.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER stop") }
        try writer.write(Sample.events(1))
        let total = try #require(try StoreReader.open(folder.file()).totals(by: .status, in: .always).first)
        #expect(total.key.status == 200)
        #expect(total.requests == 1)
    }
}
