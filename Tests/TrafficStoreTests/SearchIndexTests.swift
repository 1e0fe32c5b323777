import Foundation
import GRDB
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficStore

extension SearchIndex.Limits {
    /// Chunks of 64 blocks with so few exchanges that a test may have several of them.
    static func small(block: Int64, recent: Int64, unsaved: Int = 512, atOnce: Int = 1) -> SearchIndex.Limits {
        SearchIndex.Limits(
            block: block, recent: recent, unsaved: unsaved, worthwhile: 0, tolerated: 1, atOnce: atOnce)
    }
}

/// What is in the search index, and which parts of a store a search leaves out because of it; that it finds the same,
/// ``FilterDifferentialTests`` shows for any terms.
@Suite("The search index")
struct SearchIndexTests {
    private static let count: Int64 = 300
    private let folder: Folder
    private let writer: StoreWriter
    private let reader: StoreReader

    init() throws {
        folder = try Folder()
        writer = try StoreWriter.open(folder.file(), now: { Sample.moment(Self.count * 1_000) })
        try writer.write((1...Self.count).flatMap { Self.events($0) })
        reader = try StoreReader.open(folder.file(), SearchIndex(.small(block: 1, recent: 0)))
        try reader.makeSearchIndex()
    }

    private static func events(_ id: Int64) -> [TrafficEvent] {
        var request = Sample.request(id, at: id * 1_000, path: "/orders/\(order(id))", template: "/orders/{id}")
        request.fields = Sample.section("x-trace: \(trace(id))")
        // One does not end yet.
        if id == 100 { return [.request(request)] }
        return [
            .request(request), .response(Sample.response(id, at: id * 1_000 + 1)),
            .end(Sample.end(id, at: id * 1_000 + 2)),
        ]
    }

    private static func order(_ id: Int64) -> String { "order-\(1_000_003 * (id + 17))" }

    private static func trace(_ id: Int64) -> String { "trace-\(id * 7_919)" }

    private func parts(_ text: String, _ reader: StoreReader? = nil) throws -> [ClosedRange<Int64>]? {
        let terms = try FilterParser.parse(text, now: Sample.moment(0)).terms
        let reader = reader ?? self.reader
        return try reader.read { database, _ in
            try reader.index.search(terms, database, of: reader.identity)?.parts(of: 1...Self.count)
        }
    }

    private func found(_ text: String, _ reader: StoreReader? = nil) throws -> [Int64] {
        var filter = ExchangeFilter()
        filter.expression = try FilterParser.parse(text, now: Sample.moment(0))
        return try (reader ?? self.reader).newest(.max, matching: filter).map(\.exchange.rawValue)
    }

    private func firsts() throws -> [Int64] {
        try reader.read { database, _ in try SearchChunkTable.firsts(database).sorted() }
    }

    // What is always read: the exchange that runs, and what is in no chunk.
    private let others: [ClosedRange<Int64>] = [100...100, 256...300]

    @Test("a search reads the block that has the word, what ran, and what is too new")
    func word() throws {
        #expect(try firsts() == [0, 64, 128, 192])
        #expect(try parts("nowhere") == others)
        #expect(try parts(Self.order(42)) == [42...42] + others)
        #expect(try parts("header:\"x-trace: \(Self.trace(42))\"") == [42...42] + others)
        #expect(try parts("has:x-nowhere") == others)
        #expect(try parts("has:X-Trace") == [1...300])
        #expect(try parts("text:nowhere,\(Self.order(42))") == [42...42] + others)
        #expect(try parts("\(Self.order(42)) \(Self.trace(43))") == others)
    }

    @Test(
        "terms that say nothing about sequences of bytes leave nothing out", arguments: ["abc", "-nowhere", "~nowh.*"])
    func terms(text: String) throws { #expect(try parts(text) == nil) }

    @Test("another process finds the index in the store")
    func stored() throws {
        let another = try StoreReader.open(folder.file())
        #expect(try parts("nowhere", another) == others)
        #expect(try found(Self.order(42), another) == [42])
    }

    @Test("what is written later is found, also when the index has it")
    func later() throws {
        try writer.write((Self.count + 1...400).flatMap { Self.events($0) })
        #expect(try found(Self.order(399)) == [399])
        try reader.makeSearchIndex()
        #expect(try firsts().last == 320)
        #expect(try found(Self.order(350)) == [350])
    }

    @Test("an exchange that ran is found by what came later")
    func running() throws {
        var response = Sample.response(100, at: 200_000)
        response.fields = Sample.section("ETag: \"late-words\"")
        try writer.write([.response(response), .end(Sample.end(100, at: 200_001))])
        #expect(try found("late-words") == [100])
    }

    @Test("a half of an index is used, and made whole")
    func half() throws {
        try drop("first = 0 OR first = 128")
        #expect(try parts("nowhere") == [1...63, 100...100, 128...191, 256...300])
        #expect(try found(Self.order(150)) == [150])
        var shares: [Double] = []
        try reader.makeSearchIndex {
            shares.append($0)
            return false
        }
        #expect(shares == [0.5])
        // The newest first.
        #expect(try firsts() == [64, 128, 192])
        try reader.makeSearchIndex()
        #expect(try firsts() == [0, 64, 128, 192])
    }

    private func drop(_ condition: String) throws {
        try writer.queue.write { try $0.execute(sql: "DELETE FROM search_chunk WHERE \(condition)") }
    }

    @Test(
        "a chunk that cannot be one is as none",
        arguments: [
            "words = zeroblob(8) WHERE first = 64", "words = 'text' WHERE first = 64", "last = 126 WHERE first = 64",
            "last = 9223372036854775807 WHERE first = 64", "last = 0 WHERE first = 64",
        ])
    func damaged(change: String) throws {
        try writer.queue.write { try $0.execute(sql: "UPDATE search_chunk SET \(change)") }
        #expect(try parts("nowhere") == [64...127, 256...300])
        #expect(try found(Self.order(90)) == [90])
    }

    @Test("negative numbers of a damaged file end no search")
    func negative() throws {
        try writer.queue.write { database in
            try database.execute(
                sql: "UPDATE search_chunk SET first = ?, last = ? WHERE first = 0", arguments: [Int64.min, Int64.max])
        }
        #expect(try found(Self.order(42)) == [42])
    }

    @Test("retention takes the texts of deleted rows out of the index, and they do not come back")
    func retention() throws {
        // What is older than 199.5 s at 300 s goes, but for what runs.
        while try writer.retain(RetentionPolicy(maxAge: 199_500_000_000, step: 7)) {}
        #expect(try reader.exchanges().map(\.id.rawValue) == [100] + Array(101...300))
        #expect(try firsts() == [128, 192])
        try reader.makeSearchIndex()
        #expect(try firsts() == [128, 192])
        #expect(try found(Self.order(42)).isEmpty)
        #expect(try found(Self.order(110)) == [110])
        #expect(try found(Self.order(200)) == [200])
    }

    @Test("a chunk that was made before rows were deleted is not written after it")
    func race() throws {
        let state = try reader.read { database, _ in try SearchChunkTable.State(database) }
        let chunks = [0, 64, 128, 192].map { SearchChunk($0...$0 + 63) }
        while try writer.retain(RetentionPolicy(maxAge: 199_500_000_000)) {}
        let store = try reader.connectForIndex()
        try reader.index.keep(chunks, state, in: store, reader.identity)
        #expect(try firsts() == [128, 192])
        try writer.clear()
        #expect(try firsts().isEmpty)
        try reader.index.keep(chunks, state, in: store, reader.identity)
        #expect(try firsts().isEmpty)
    }

    @Test("after clearing, new exchanges are found and get an index")
    func clearing() throws {
        try writer.clear()
        #expect(try found(Self.order(42)).isEmpty)
        try writer.write((Self.count + 1...500).flatMap { Self.events($0) })
        try reader.makeSearchIndex()
        #expect(try found(Self.order(460)) == [460])
        #expect(try firsts().last == 384)
    }

    @Test("the index of another store at the same path is not used")
    func otherStore() throws {
        let other = try Folder()
        let second = try StoreWriter.open(other.file())
        try second.write((1...Self.count).flatMap { Self.events($0 + 5_000) })
        try second.close()
        try writer.close()
        for (name, _) in try folder.contents() { try FileManager.default.removeItem(atPath: folder.file(name)) }
        try FileManager.default.moveItem(atPath: other.file(), toPath: folder.file())
        let fresh = try StoreReader.open(folder.file(), reader.index)
        #expect(try parts("nowhere", fresh) == [1...300])
        #expect(try found(Self.order(5_042), fresh) == [42])
    }

    @Test("without a file to write, the newest chunks are in memory, for that file alone")
    func memory() throws {
        try drop("true")
        let index = SearchIndex(.small(block: 1, recent: 0, unsaved: 2))
        let state = try reader.read { database, _ in try SearchChunkTable.State(database) }
        let chunks = try reader.read { database, connection in
            let examiner = try SignatureExaminer(database, connection)
            return try [192, 128, 64].map { try examiner.chunk(of: $0...$0 + 63) }
        }
        _ = try parts("nowhere", StoreReader.open(folder.file(), index))
        try index.keep(chunks, state, in: nil, reader.identity)
        let unwritable = try StoreReader.open(folder.file(), index)
        #expect(try parts("nowhere", unwritable) == [1...127, 256...300])
        #expect(try found(Self.order(200), unwritable) == [200])
        let identity = FileIdentity(path: folder.path)
        let terms = try FilterParser.parse("nowhere", now: Sample.moment(0)).terms
        let parts = try reader.read { database, _ in
            try index.search(terms, database, of: identity)?.parts(of: 1...300)
        }
        #expect(parts == [1...300])
    }

    @Test("a long search without an index asks for it; where searches are many, it is made meanwhile")
    func wanted() throws {
        #expect(try found(Self.order(42)) == [42])
        #expect(!reader.wantsSearchIndex)
        try drop("true")
        #expect(try found(Self.order(42)) == [42])
        #expect(reader.wantsSearchIndex)
        try reader.makeSearchIndex()
        #expect(!reader.wantsSearchIndex)
        try drop("true")
        let often = SearchIndex(.small(block: 1, recent: 0), growsInBackground: true)
        let another = try StoreReader.open(folder.file(), often)
        #expect(try found("nowhere", another).isEmpty)
        often.wait()
        #expect(try firsts() == [0, 64, 128, 192])
    }

    @Test("a writer makes the index on request, and not without")
    func upkeep() throws {
        let another = try Folder()
        let writing = try another.batchWriter { $0.indexLimits = .small(block: 1, recent: 10) }
        for first in stride(from: Int64(1), to: 400, by: 50) {
            for id in first..<first + 50 { for event in Self.events(id) { writing.record(event) } }
            try writing.flush()
        }
        let store = try StoreReader.open(another.file())
        // It is made in the background; the newest chunk comes first.
        let end = Date() + 60
        var firsts: Set<Int64> = []
        while firsts.isEmpty, Date() < end {
            usleep(10_000)
            firsts = try store.read { database, _ in try SearchChunkTable.firsts(database) }
        }
        #expect(!firsts.isEmpty && firsts.isSubset(of: [0, 64, 128, 192, 256, 320]))
        try writing.finish()
        #expect(try found(Self.order(42), store) == [42])
        let plain = try Folder()
        let other = try plain.batchWriter { _ in }
        for id in 1...Self.count { for event in Self.events(id) { other.record(event) } }
        try other.finish()
        let without = try StoreReader.open(plain.file())
        let none = try without.read { database, _ in try SearchChunkTable.firsts(database) }
        #expect(none.isEmpty)
    }
}
