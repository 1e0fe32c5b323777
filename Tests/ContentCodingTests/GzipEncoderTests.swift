import HTTPWire
import Testing

@testable import ContentCoding

/// What is written as gzip is read as what it was.
@Suite struct GzipEncoderTests {
    @Test(arguments: [0, 1, 511, 16_384, 100_000, 1_000_000])
    func whatIsEncodedIsDecoded(count: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        for bytes in [[UInt8](repeating: 65, count: count), noise] {
            for level in [1, 4, 9] {
                // Either by libdeflate, if this system has it, or by zlib, and always by zlib.
                for coded in [
                    GzipEncoder.encoded(bytes, level: level),
                    bytes.withUnsafeBytes { GzipEncoder.encodedByZlib($0, level: level) },
                ] {
                    let coded = try #require(coded)
                    let content = try #require(ZlibContent(of: coded, coding: .gzip, limit: 1 << 21))
                    #expect(content.ending == .whole)
                    #expect(content.bytes == bytes)
                }
            }
        }
    }

    @Test(.enabled(if: DeflateLibrary.system != nil, "libdeflate0 is not installed"))
    func theLibraryMakesNoMoreThanZlib() throws {
        let bytes = (0..<5_000).flatMap { Array("row \($0 % 97) of a table with \($0 * 7 % 31) columns\n".utf8) }
        let coded = try #require(GzipEncoder.encoded(bytes, level: 1))
        #expect(coded == bytes.withUnsafeBytes { DeflateLibrary.system?.gzip($0, level: 1) })
        let byZlib = try #require(bytes.withUnsafeBytes { GzipEncoder.encodedByZlib($0, level: 1) })
        #expect(coded.count <= byZlib.count)
    }

    @Test func afterAFlushAllIsThere() throws {
        let encoder = try #require(GzipEncoder(level: 4))
        var sent: [UInt8] = []
        var given: [UInt8] = []
        for number in 0..<50 {
            let piece = Array("data: \(number)\n\n".utf8)
            given += piece
            sent += encoder.add(piece, isFlushed: true)
            #expect(ZlibContent(of: sent, coding: .gzip, limit: 1 << 20)?.bytes == given)
        }
        sent += encoder.finish()
        #expect(ZlibContent(of: sent, coding: .gzip, limit: 1 << 20)?.ending == .whole)
    }
}
