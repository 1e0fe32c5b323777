import ContentCoding
import HTTPWire
import Testing
import WireweightTesting

@Suite struct ZlibContentTests {
    @Test(arguments: [CompressedCoding.gzip, .deflate])
    func aCutBodyGivesWhatCameBeforeTheCut(coding: CompressedCoding) throws {
        let whole = try #require(CodedContent(rawValue: coding.rawValue)).bytes
        for count in 0..<whole.count {
            let content = try #require(ZlibContent(of: Array(whole.prefix(count)), coding: coding, limit: 10_000))
            #expect(CodedContent.text.starts(with: content.bytes))
            #expect(content.ending == .cut, "\(count)")
        }
        let content = try #require(ZlibContent(of: whole, coding: coding, limit: 10_000))
        #expect(content.bytes == CodedContent.text)
        #expect(content.ending == .whole)
    }

    @Test(arguments: [0, 1, 100, 2_209])
    func theLimitHolds(limit: Int) throws {
        let content = try #require(ZlibContent(of: CodedContent.gzip.bytes, coding: .gzip, limit: limit))
        #expect(content.bytes == Array(CodedContent.text.prefix(limit)))
        #expect(content.ending == .limit)
    }

    @Test func exactlyTheLimitIsWhole() throws {
        let content = try #require(ZlibContent(of: CodedContent.gzip.bytes, coding: .gzip, limit: 2_210))
        #expect(content.ending == .whole)
    }

    @Test func deflateWithoutItsEnvelopeIsRead() throws {
        let stored: [UInt8] = [0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63]
        let content = try #require(ZlibContent(of: stored, coding: .deflate, limit: 9))
        #expect(content.bytes == Array("abc".utf8))
        #expect(content.ending == .whole)
    }

    @Test func otherBytesAreMalformed() throws {
        let content = try #require(ZlibContent(of: Array("<html>no gzip</html>".utf8), coding: .gzip, limit: 99))
        #expect(content.ending == .malformed && content.bytes.isEmpty)
    }

    @Test func otherCodingsAreNotDecoded() {
        #expect(ZlibContent(of: CodedContent.brotli.bytes, coding: .brotli, limit: 99) == nil)
    }
}
