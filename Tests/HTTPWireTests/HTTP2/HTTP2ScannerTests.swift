import HTTPWire
import TestSupport
import Testing
import TrafficModel

/// Frames of HTTP/2 (RFC 9113, sections 4 and 6), byte by byte.
@Suite struct HTTP2ScannerTests {
    private func pieces(_ bytes: [UInt8], ofClient: Bool = false) -> [HTTP2Piece] {
        var scanner = HTTP2Scanner(ofClient: ofClient)
        return scanner.add(bytes)
    }

    private func piece(
        _ stream: UInt32, _ kind: HTTP2Piece.Kind, _ overhead: ByteCount, _ content: ByteCount, endsStream: Bool = false
    ) -> HTTP2Piece {
        HTTP2Piece(
            stream: stream, kind: kind, begins: true, endsStream: endsStream, overhead: overhead, content: content)
    }

    @Test("a client begins with 24 bytes (section 3.4), then settings (6.5)")
    func preface() {
        let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]
        #expect(pieces(bytes, ofClient: true) == [piece(0, .preface, 24, 0), piece(0, .other, 15, 0)])
    }

    @Test("HEADERS (6.2) with the block of RFC 7541, C.4.1")
    func headers() {
        let host: [UInt8] = [0x8C, 0xF1, 0xE3, 0xC2, 0xE5, 0xF2, 0x3A, 0x6B, 0xA0, 0xAB, 0x90, 0xF4, 0xFF]
        let block = [0x82, 0x86, 0x84, 0x41] + host
        #expect(pieces([0, 0, 17, 1, 0x05, 0, 0, 0, 1] + block) == [piece(1, .headers, 9, 17, endsStream: true)])
    }

    @Test("priority and padding are no part of the fields (6.2)")
    func paddedHeaders() {
        let bytes: [UInt8] = [0, 0, 10, 1, 0x2C, 0, 0, 0, 3, 2, 0, 0, 0, 0, 15, 0x88, 0x82, 0, 0]
        #expect(pieces(bytes) == [piece(3, .headers, 17, 2)])
    }

    @Test("padding is no part of the content (6.1)")
    func paddedData() {
        #expect(pieces([0, 0, 8, 0, 0x08, 0, 0, 0, 5, 4, 0x61, 0x62, 0x63, 0, 0, 0, 0]) == [piece(5, .data, 14, 3)])
        // Not padded, though a first byte could be a length.
        #expect(pieces([0, 0, 3, 0, 0x01, 0, 0, 0, 5, 1, 2, 3]) == [piece(5, .data, 9, 3, endsStream: true)])
    }

    @Test("padding that is longer than the frame breaks the rules (6.1) and is no content")
    func tooMuchPadding() {
        #expect(pieces([0, 0, 3, 0, 0x08, 0, 0, 0, 5, 200, 1, 2]) == [piece(5, .data, 12, 0)])
        #expect(pieces([0, 0, 0, 0, 0x08, 0, 0, 0, 5]) == [piece(5, .data, 9, 0)])
    }

    @Test("CONTINUATION (6.10) goes on with the fields; a promise (6.6) is another stream's")
    func continuation() {
        #expect(pieces([0, 0, 2, 9, 0x04, 0, 0, 0, 7, 0x88, 0x82]) == [piece(7, .continuation, 9, 2)])
        #expect(pieces([0, 0, 6, 5, 0x04, 0, 0, 0, 7, 0, 0, 0, 2, 0x88, 0x82]) == [piece(7, .other, 13, 2)])
    }

    @Test("RST_STREAM (6.4), WINDOW_UPDATE (6.9), PING (6.7), GOAWAY (6.8), and unknown types (4.1)")
    func others() {
        #expect(pieces([0, 0, 4, 3, 0, 0, 0, 0, 9, 0, 0, 0, 8]) == [piece(9, .other, 13, 0)])
        #expect(pieces([0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 1, 0, 0]) == [piece(0, .other, 13, 0)])
        #expect(pieces([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]) == [piece(0, .other, 17, 0)])
        #expect(pieces([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]) == [piece(0, .other, 17, 0)])
        #expect(pieces([0, 0, 1, 0xBE, 0x08, 0, 0, 0, 1, 9]) == [piece(1, .other, 10, 0)])
    }

    @Test("the reserved bit is no part of the stream's number (4.1)")
    func reservedBit() {
        #expect(pieces([0, 0, 0, 0, 1, 0x80, 0, 0, 1]) == [piece(1, .data, 9, 0, endsStream: true)])
    }

    @Test("an incomplete frame header belongs to no stream yet")
    func pending() {
        var scanner = HTTP2Scanner(ofClient: false)
        #expect(scanner.add([0, 0, 4, 3, 0]).isEmpty)
        #expect(scanner.pending == 5)
        #expect(scanner.add([0, 0, 0, 9]) == [piece(9, .other, 9, 0)])
        #expect(scanner.pending == 0)
    }

    @Test("any split gives the same sums, and they are all the bytes", arguments: 0..<UInt64(Rounds.few(50, all: 200)))
    func splits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let length = [0, 1, 2, 5, 6, 300, 16_384].randomElement(using: &random) ?? 0
            bytes += [0, UInt8(length >> 8), UInt8(length & 0xFF)]
            bytes += [UInt8.random(in: 0...11, using: &random), UInt8.random(in: 0...255, using: &random)]
            bytes += [0, 0, 0, UInt8.random(in: 0...3, using: &random)]
            for _ in 0..<length { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        }
        // Anything at the end, cut anywhere.
        bytes.removeLast(Int.random(in: 0...8, using: &random))
        struct Sum: Hashable {
            var stream: UInt32
            var kind: HTTP2Piece.Kind
        }
        func sums(_ pieces: [HTTP2Piece]) -> [Sum: [Int64]] {
            pieces.reduce(into: [:]) { sums, piece in
                let old = sums[Sum(stream: piece.stream, kind: piece.kind)] ?? [0, 0, 0]
                sums[Sum(stream: piece.stream, kind: piece.kind)] = [
                    old[0] + piece.overhead.bytes, old[1] + piece.content.bytes, old[2] + (piece.begins ? 1 : 0),
                ]
            }
        }
        var whole = HTTP2Scanner(ofClient: true)
        let expected = sums(whole.add(bytes))
        #expect(
            expected.values.reduce(0) { $0 + $1[0] + $1[1] } + Int64(whole.pending) == Int64(bytes.count))
        var split = HTTP2Scanner(ofClient: true)
        var pieces: [HTTP2Piece] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...12, using: &random))
            pieces += split.add(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(sums(pieces) == expected)
        #expect(split.pending == whole.pending)
    }
}
