import HTTPWire
import TestSupport
import Testing

/// Frames of WebSocket (RFC 6455, section 5), byte by byte.
@Suite struct WebSocketScannerTests {
    private struct Sums: Equatable {
        var overhead: UInt64
        var payload: UInt64
        var frames: UInt64
        var messages: UInt64
        var controlFrames: UInt64
        var unseparated: UInt64

        init(
            _ overhead: UInt64, _ payload: UInt64, frames: UInt64, messages: UInt64, control: UInt64 = 0,
            unseparated: UInt64 = 0
        ) {
            (self.overhead, self.payload, self.frames, self.messages) = (overhead, payload, frames, messages)
            (controlFrames, self.unseparated) = (control, unseparated)
        }

        init(_ scanner: WebSocketScanner) {
            self.init(
                scanner.overhead, scanner.payload, frames: scanner.frames, messages: scanner.messages,
                control: scanner.controlFrames, unseparated: scanner.unseparated)
        }
    }

    private func sums(_ pieces: [[UInt8]]) -> Sums {
        var scanner = WebSocketScanner()
        for piece in pieces { scanner.add(piece) }
        return Sums(scanner)
    }

    private func sums(_ bytes: [UInt8]) -> Sums { sums([bytes]) }

    private static let hello = Array("Hello".utf8)
    private static let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    private static let masked: [UInt8] = [0x7F, 0x9F, 0x4D, 0x51, 0x58]

    @Test("the examples of section 5.7")
    func examples() {
        // A single-frame unmasked text message.
        #expect(sums([0x81, 0x05] + Self.hello) == Sums(2, 5, frames: 1, messages: 1))
        // A single-frame masked text message.
        #expect(sums([0x81, 0x85] + Self.mask + Self.masked) == Sums(6, 5, frames: 1, messages: 1))
        // A fragmented unmasked text message.
        let fragments: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
        #expect(sums(fragments) == Sums(4, 5, frames: 2, messages: 1))
        // An unmasked ping and its masked pong.
        #expect(sums([0x89, 0x05] + Self.hello) == Sums(2, 5, frames: 1, messages: 0, control: 1))
        #expect(sums([0x8A, 0x85] + Self.mask + Self.masked) == Sums(6, 5, frames: 1, messages: 0, control: 1))
        // 256 bytes of binary data in a single unmasked frame, and 64 KiB.
        let short = [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 7, count: 256)
        #expect(sums(short) == Sums(4, 256, frames: 1, messages: 1))
        let long = [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65_536)
        #expect(sums(long) == Sums(10, 65_536, frames: 1, messages: 1))
    }

    @Test("a mask follows lengths of 16 and of 64 bits (section 5.2)")
    func masksAfterLengths() {
        let short = [0x82, 0xFE, 0x00, 0x7E] + Self.mask + [UInt8](repeating: 7, count: 126)
        #expect(sums(short) == Sums(8, 126, frames: 1, messages: 1))
        let long = [0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0, 3] + Self.mask + [1, 2, 3]
        #expect(sums(long) == Sums(14, 3, frames: 1, messages: 1))
    }

    @Test("a control frame may come between the fragments of a message (section 5.4), and frames may be empty")
    func interleaved() {
        let bytes: [UInt8] = [0x01, 0x01, 0x61, 0x89, 0x00, 0x00, 0x00, 0x80, 0x01, 0x62]
        #expect(sums(bytes) == Sums(8, 2, frames: 4, messages: 1, control: 1))
        #expect(sums([0x88, 0x02, 0x03, 0xE8]) == Sums(2, 2, frames: 1, messages: 0, control: 1))
    }

    @Test("reserved bits are an extension's: a compressed message (RFC 7692, section 7.2.3.1)")
    func compressed() {
        let bytes: [UInt8] = [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        #expect(sums(bytes) == Sums(2, 7, frames: 1, messages: 1))
    }

    @Test(
        "what is no frame is not taken apart, nor is what follows",
        arguments: [
            // Opcodes that are reserved (section 5.2).
            ([0x83], 1), ([0x87, 0x00], 2), ([0x8B, 0x00], 2), ([0x8F, 0x00], 2),
            // A control frame of more than 125 bytes, or in fragments (section 5.5).
            ([0x89, 0x7E, 0x00, 0x05], 4), ([0x09, 0x00], 2), ([0x88, 0x7F], 2),
            // A length of 64 bits (section 5.2).
            ([0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], 10), ([0x82, 0xFF, 0xFF, 0xFF], 4),
            // HTTP, in place of a frame.
            (Array("HTTP/1.1 200 OK\r\n".utf8), 17),
        ] as [([UInt8], UInt64)])
    func malformed(_ bytes: [UInt8], _ count: UInt64) {
        let before: [UInt8] = [0x81, 0x05] + Self.hello
        #expect(sums(before + bytes) == Sums(2, 5, frames: 1, messages: 1, unseparated: count))
        #expect(
            sums(before + bytes + before) == Sums(2, 5, frames: 1, messages: 1, unseparated: count + 7))
    }

    @Test("the largest length of 63 bits is a frame, of which little has come")
    func largest() {
        let bytes: [UInt8] = [0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2]
        #expect(sums(bytes) == Sums(10, 2, frames: 1, messages: 0))
    }

    @Test("a header that is cut is overhead, and no frame yet")
    func cut() {
        #expect(sums([0x81]) == Sums(1, 0, frames: 0, messages: 0))
        #expect(sums([0x81, 0xFE, 0x01]) == Sums(3, 0, frames: 0, messages: 0))
    }

    @Test("any split of the bytes gives the same")
    func splits() {
        let bytes =
            [0x81, 0x85] + Self.mask + Self.masked + [0x01, 0x03, 0x48, 0x65, 0x6C, 0x89, 0x00, 0x80, 0x02, 0x6C, 0x6F]
            + [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 0x81, count: 256) + [0x88, 0x80] + Self.mask
            + [0x83, 0x01, 0x02]
        let whole = sums(bytes)
        #expect(whole == Sums(22, 266, frames: 6, messages: 3, control: 2, unseparated: 3))
        for size in 1..<bytes.count {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(sums(pieces) == whole, "in pieces of \(size)")
        }
        for end in 0...bytes.count {
            let part = sums(Array(bytes[..<end]))
            #expect(part.overhead + part.payload + part.unseparated == UInt64(end))
        }
    }
}
