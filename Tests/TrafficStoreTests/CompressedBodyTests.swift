import Foundation
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// Words in kept bodies that were sent compressed.
@Suite struct CompressedBodyTests {
    // `{"error": "not found", "note": "Zebrafish 7"}`, as Python's gzip and zlib compress it.
    private static let gzip =
        "H4sIAAAAAAACA6tWSi0qyi9SslJQyssvUUjLL81LUdIBc1JBglGpSUWJaZnFGQrmSrUAX0cmWi0AAAA="
    private static let deflate = "eJyrVkotKsovUrJSUMrLL1FIyy/NS1HSAXNSQYJRqUlFiWmZxRkK5kq1AE+eDms="

    private let folder: Folder
    private let file: String

    init() throws {
        folder = try Folder()
        file = folder.file()
        var exchanges = RandomTraffic(seed: 3, count: 60, span: 60_000).exchanges
        func decoded(_ text: String) throws -> [UInt8] { try #require(Data(base64Encoded: text)).map(\.self) }
        let bodies = [
            5: try decoded(Self.gzip), 20: try decoded(Self.deflate), 30: Array(try decoded(Self.gzip).dropLast(20)),
            40: [0x1F, 0x8B, 8] + Array("zebra".utf8), 50: Array("x^ zebra".utf8),
        ]
        for (index, body) in bodies { exchanges[index].request.capturedBody = body }
        try StoreWriter.open(file).write(exchanges.flatMap(\.events))
    }

    private func numbers(_ text: String, _ reader: StoreReader) throws -> [Int64] {
        var filter = ExchangeFilter()
        filter.expression = FilterExpression([
            FilterTerm(text.hasPrefix("body:") ? .body : .text, String(text.split(separator: ":").last ?? ""))
        ])
        return try reader.exchanges(filter).map(\.id.rawValue)
    }

    @Test("are found by a word and by the key, with the index and without it", arguments: [false, true])
    func found(hasIndex: Bool) throws {
        let reader = try StoreReader.open(file, SearchIndex(.small(block: 1, recent: 0)))
        if hasIndex { try reader.makeSearchIndex() }
        let whole = try numbers("Zebrafish 7", reader)
        #expect(whole.count == 2)
        #expect(try numbers("body:zebrafish 7", reader) == whole)
        // What was kept of a body is decoded as far as it goes, and what only looks compressed is text.
        #expect(try numbers("not found", reader).count >= 2)
        #expect(try numbers("zebra", reader).count >= 3)
        #expect(try numbers("zebu", reader).isEmpty)
    }
}
