import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficStore

/// Which parts of a store a search leaves out; that it finds the same, ``FilterDifferentialTests`` shows.
@Suite("Signatures of texts")
struct TextSignatureTests {
    private let folder: Folder
    private let reader: StoreReader
    private let signatures = TextSignatures(.init(block: 8, recent: 0, most: 1_000, worthwhile: 0))

    init() throws {
        folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(
            (Int64(1)...160).flatMap { id -> [TrafficEvent] in
                var request = Sample.request(id, path: "/orders/\(Self.order(id))", template: "/orders/{id}")
                request.fields = Sample.section("x-trace: \(Self.trace(id))")
                // One never ends.
                if id == 100 { return [.request(request)] }
                return [.request(request), .response(Sample.response(id)), .end(Sample.end(id))]
            })
        reader = try StoreReader.open(folder.file(), signatures)
        try signatures.examine(reader)
    }

    private static func order(_ id: Int64) -> String { "order-\(1_000_003 * (id + 17))" }

    private static func trace(_ id: Int64) -> String { "trace-\(id * 7_919)" }

    private func parts(_ text: String) throws -> [ClosedRange<Int64>]? {
        let terms = try FilterParser.parse(text, now: Sample.moment(0)).terms
        return SignatureSearch(terms, signatures, of: reader.identity)?.parts(of: 1...160)
    }

    @Test("a search reads the block that has the word, and those without a signature")
    func word() throws {
        // The blocks of the exchange that runs and of the newest one, which is not complete.
        let others: [ClosedRange<Int64>] = [96...103, 160...160]
        #expect(try parts("nowhere") == others)
        #expect(try parts(Self.order(42)) == [40...47] + others)
        #expect(try parts("header:\"x-trace: \(Self.trace(42))\"") == [40...47] + others)
        #expect(try parts("has:x-nowhere") == others)
        #expect(try parts("has:X-Trace") == [1...160])
        #expect(try parts("text:nowhere,\(Self.order(42))") == [40...47] + others)
    }

    @Test(
        "terms that say nothing about sequences of bytes leave nothing out", arguments: ["abc", "-nowhere", "~nowh.*"])
    func others(text: String) throws { #expect(try parts(text) == nil) }

    @Test("another file at the same path has no signatures")
    func otherFile() throws {
        #expect(try parts("nowhere") != [1...160])
        for (name, _) in try folder.contents() { try FileManager.default.removeItem(atPath: folder.file(name)) }
        _ = try StoreWriter.open(folder.file("other.db"))
        try FileManager.default.moveItem(atPath: folder.file("other.db"), toPath: folder.file())
        #expect(try parts("nowhere") == [1...160])
    }

    @Test("a search makes the signatures of a large store, once")
    func growth() throws {
        let fresh = TextSignatures(.init(block: 1, recent: 0, most: 1_000, worthwhile: 160))
        let reader = try StoreReader.open(folder.file(), fresh)
        #expect(fresh.isBehind(160) && !fresh.isBehind(159))
        try fresh.examine(reader)
        #expect(!fresh.isBehind(160))
        #expect(fresh.all(of: reader.identity).count == 159)
    }

    @Test("the oldest blocks have no signatures if there are too many")
    func most() throws {
        let few = TextSignatures(.init(block: 8, recent: 0, most: 3, worthwhile: 0))
        try few.examine(reader)
        #expect(few.all(of: reader.identity).keys.sorted() == [17, 18, 19])
    }
}
