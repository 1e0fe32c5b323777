import Testing
import WireweightTesting

@testable import TrafficExport

@Suite("Undoing deflate")
struct InflaterTests {
    @Test("each cut of a body gives what came before the cut, and says that it was cut")
    func cuts() {
        let whole = CodedContent.gzip.bytes
        for count in 0..<(whole.count - 8) {
            let (bytes, ending) = Inflater.gzip(Array(whole.prefix(count)), limit: 10_000)
            #expect(CodedContent.text.starts(with: bytes))
            if bytes.count < CodedContent.text.count { #expect(ending == .cut, "\(count)") }
        }
        let (bytes, ending) = Inflater.gzip(whole, limit: 10_000)
        #expect(bytes == CodedContent.text)
        #expect(ending == .whole)
    }

    @Test("the limit holds")
    func limit() {
        let (bytes, ending) = Inflater.gzip(CodedContent.gzip.bytes, limit: 100)
        #expect(bytes == Array(CodedContent.text.prefix(100)))
        #expect(ending == .limit)
    }

    @Test("damaged bytes end it and crash nothing")
    func damaged() {
        var generator = SystemRandomNumberGenerator()
        for coded in [CodedContent.gzip, .deflate] {
            for place in coded.bytes.indices {
                var bytes = coded.bytes
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
                let result =
                    coded == .gzip
                    ? Inflater.gzip(bytes, limit: 100_000) : Inflater.deflate(bytes, limit: 100_000)
                #expect(result.bytes.count <= 100_000)
            }
        }
        #expect(Inflater.gzip([0x1F, 0x8B, 9] + [UInt8](repeating: 0, count: 20), limit: 10).ending == .malformed)
    }

    @Test("stored blocks, fixed codes and deflate without its wrapping")
    func kinds() {
        // "abc" stored, and in the fixed code, as zlib writes them.
        #expect(Inflater.deflate([0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63], limit: 9).bytes == [0x61, 0x62, 0x63])
        #expect(Inflater.deflate([0x4B, 0x4C, 0x4A, 0x06, 0x00], limit: 9).bytes == [0x61, 0x62, 0x63])
        // A distance that leads before the begin.
        #expect(Inflater.deflate([0x4B, 0x04, 0x12, 0x00, 0x00], limit: 9).ending != .whole)
    }
}
