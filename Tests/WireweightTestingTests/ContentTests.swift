import Foundation
import Testing

@testable import WireweightTesting

@Suite("Content")
struct ContentTests {
    @Test("the checksum is gzip's")
    func checksum() {
        #expect(StoredGzip.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test("stored gzip has the size that follows from its content", arguments: [0, 1, 65_535, 65_536, 200_000])
    func storedGzip(count: Int) {
        let blocks = max(1, (count + 65_534) / 65_535)
        #expect(StoredGzip.encode(Script.pattern(count: count)).count == 10 + blocks * 5 + count + 8)
    }

    @Test("the coded forms are decoded by curl to the same text", arguments: CodedContent.allCases)
    func coded(coding: CodedContent) throws {
        guard let curl = Tool.path(of: "curl") else { return }
        try withOrigin { _ in
            .respond(fields: ["Content-Encoding: \(coding.rawValue)"], body: .sized(coding.bytes))
        } _: { origin in
            let result = try Tool.run(curl, ["-s", "--compressed", origin.address])
            #expect(result.status == 0)
            #expect(Array(result.output) == CodedContent.text)
        }
    }

    @Test("stored gzip is decoded by curl to the same text")
    func storedGzipDecodes() throws {
        guard let curl = Tool.path(of: "curl") else { return }
        let content = Script.pattern(count: 150_000)
        try withOrigin { _ in
            .respond(fields: ["Content-Encoding: gzip"], body: .sized(StoredGzip.encode(content)))
        } _: { origin in
            let result = try Tool.run(curl, ["-s", "--compressed", origin.address])
            #expect(Array(result.output) == content)
        }
    }
}
