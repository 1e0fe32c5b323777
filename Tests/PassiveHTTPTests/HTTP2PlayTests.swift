import ContentCoding
import HTTPWire
import PassiveHTTP
import Testing
import TrafficModel

/// Bytes of a connection of HTTP/2 in, events out (RFC 9113); header blocks are those of RFC 7541 or as short.
@Suite struct HTTP2PlayTests {
    typealias Step = (direction: Direction, bytes: [UInt8]?)

    private static let preface: Step = (
        .up, Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0, [0, 3, 0, 0, 0, 100])
    )
    private static let settings: Step = (.down, frame(4, 0, 0))
    /// GET http://www.example.com/ (RFC 7541, C.4.1).
    private static let firstBlock: [UInt8] = [
        0x82, 0x86, 0x84, 0x41, 0x8C, 0xF1, 0xE3, 0xC2, 0xE5, 0xF2, 0x3A, 0x6B, 0xA0, 0xAB, 0x90, 0xF4, 0xFF,
    ]
    /// The same with cache-control: no-cache, by the dynamic table (C.4.2).
    private static let secondBlock: [UInt8] = [
        0x82, 0x86, 0x84, 0xBE, 0x58, 0x86, 0xA8, 0xEB, 0x10, 0x64, 0x9C, 0xBF,
    ]
    /// :status 103.
    private static let interim: [UInt8] = [0x48, 3] + Array("103".utf8)
    private static let cookie: [UInt8] = [0x40, 6] + Array("cookie".utf8) + [3] + Array("a=b".utf8)

    private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }

    /// What comes of it in every split, which must be the same.
    private func play(_ steps: [Step], decodes: Bool = true) -> ConnectionPlay {
        func play(_ split: ConnectionPlay.Split, _ seed: UInt64) -> ConnectionPlay {
            ConnectionPlay(
                steps, split: split, seed: seed,
                reader: ConnectionReader(decoder: { decodes ? HPACKDecoder() : nil }))
        }
        let whole = play(.whole, 1)
        #expect(whole.closes)
        for split in ConnectionPlay.Split.allCases {
            for seed in 1...(split == .random ? 20 : 1) as ClosedRange<UInt64> {
                let other = play(split, seed)
                #expect(other.events == whole.events, "\(split), \(seed)")
                #expect(other.reader.bytes == whole.reader.bytes, "\(split), \(seed)")
            }
        }
        return whole
    }

    @Test("two streams, whose header blocks share a table; content, padding and frame headers are parts")
    func streams() throws {
        let steps: [Step] = [
            Self.preface, Self.settings,
            (.up, Self.frame(1, 5, 1, Self.firstBlock) + Self.frame(1, 4, 3, Self.secondBlock)),
            (.up, Self.frame(0, 1, 3, Array("abc".utf8))),
            (.down, Self.frame(1, 4, 3, [0x88]) + Self.frame(0, 9, 3, [2] + Array("hello".utf8) + [0, 0])),
            (.down, Self.frame(1, 4, 1, [0x88]) + Self.frame(0, 0, 1, Array("x".utf8))),
            (.down, Self.frame(1, 5, 1, [0x0F, 0x0D, 1, 0x31])),
        ]
        let result = play(steps)
        #expect(
            result.text == [
                "1/1> GET / www.example.com 2 @3", "2/3> GET / www.example.com 2 @3", "2< 200 2 @5",
                "2. completed @5 up 0+12+0+3+18@4, down 0+1+0+5+21@5", "1< 200 2 @6",
                "1. completed @7 up 0+17+0+0+9@3, down 0+1+0+1+31@7",
            ])
        #expect(result.reader.bytes.http2Control == ByteFlow(up: 39, down: 9))
        guard case .request(let request) = try #require(result.events.dropFirst().first) else { return }
        #expect(request.fields.bytes == Array("cache-control: no-cache\r\n".utf8))
        #expect(request.scheme == "http")

        // The fields are unknown without a decoder, and the sizes the same.
        let undecoded = play(steps, decodes: false)
        #expect(
            undecoded.text == [
                "1/1>    2 @3 cut", "2/3>    2 @3 cut", "2< 0 2 @5 cut",
                "2. completed @5 up 0+12(?)+0+3+18@4, down 0+1(?)+0+5+21@5", "1< 0 2 @6 cut",
                "1. completed @7 up 0+17(?)+0+0+9@3, down 0+1(?)+0+1+31@7",
            ])
        #expect(undecoded.reader.bytes == result.reader.bytes)
    }

    @Test("CONTINUATION (6.10), padding and priority of HEADERS (6.2), cookies by their bytes, interim responses")
    func sections() {
        let block = [0x82, 0x86, 0x84] + Self.cookie
        let result = play([
            Self.preface,
            (.up, Self.frame(1, 0x29, 1, [1] + [0, 0, 0, 0, 9] + Array(block.prefix(4)) + [0])),
            (.up, Self.frame(9, 0, 1, Array(block[4..<6])) + Self.frame(9, 4, 1, Array(block[6...]))),
            (.down, Self.frame(1, 4, 1, Self.interim)), (.down, Self.frame(1, 5, 1, [0x88])),
        ])
        #expect(
            result.text == [
                "1/1> GET /  2 @2", "1< 200 2 @5",
                "1. completed @5 up 0+15(12)+0+0+34@3, down 0+1+14+0+9@5",
            ])
    }

    @Test("a promise (6.6, 8.4) weighs on the response that it comes with, and what is pushed is an exchange")
    func push() {
        let result = play([
            Self.preface, (.up, Self.frame(1, 5, 1, [0x82, 0x86, 0x84])),
            (.down, Self.frame(5, 4, 1, [0, 0, 0, 2, 0x82, 0x86, 0x85])),
            (.down, Self.frame(1, 5, 1, [0x88]) + Self.frame(1, 4, 2, [0x88]) + Self.frame(0, 1, 2, [1, 2])),
        ])
        #expect(
            result.text == [
                "1/1> GET /  2 @2", "2/2> GET /index.html  2 @3 pushed", "1< 200 2 @4",
                "1. completed @4 up 0+3+0+0+9@2, down 0+1+0+0+25@4", "2< 200 2 @4",
                "2. completed @4 up 0+0+0+0+0@3, down 0+1+0+2+18@4",
            ])
    }

    @Test("RST_STREAM (6.4), GOAWAY (6.8), and frames of a stream that is over")
    func ends() {
        let get: [UInt8] = [0x82, 0x86, 0x84]
        let result = play([
            Self.preface, (.up, Self.frame(1, 5, 1, get) + Self.frame(1, 5, 3, get) + Self.frame(1, 5, 5, get)),
            (.down, Self.frame(1, 4, 1, [0x88]) + Self.frame(0, 0, 1, [1])),
            (.up, Self.frame(3, 0, 1, [0, 0, 0, 8])),
            (.down, Self.frame(0, 1, 1, [2]) + Self.frame(7, 0, 0, [0, 0, 0, 3, 0, 0, 0, 0])),
            (.up, Self.frame(8, 0, 0, [0, 0, 1, 0]) + Self.frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])), (.down, nil),
            (.up, nil),
        ])
        #expect(
            result.text == [
                "1/1> GET /  2 @2", "2/3> GET /  2 @2", "3/5> GET /  2 @2", "1< 200 2 @3",
                "1. reset(code: 8) @4 up 0+3+0+0+22@4, down 0+1+0+1+18@3 cut",
                "3. refused @5 up 0+3+0+0+9@2, down nothing", "2. closed @7 up 0+3+0+0+9@2, down nothing",
            ])
        // Preface, SETTINGS, WINDOW_UPDATE and PING; late DATA and GOAWAY.
        #expect(result.reader.bytes.http2Control == ByteFlow(up: 24 + 15 + 13 + 17, down: 10 + 17))
    }

    @Test("a response before the request has ended, and one that stops it")
    func early() {
        let result = play([
            Self.preface, (.up, Self.frame(1, 4, 1, [0x83, 0x86, 0x84]) + Self.frame(0, 0, 1, [1, 2])),
            (.down, Self.frame(1, 5, 1, [0x8D])), (.down, Self.frame(3, 0, 1, [0, 0, 0, 0])),
        ])
        #expect(
            result.text == [
                "1/1> POST /  2 @2", "1< 404 2 @3",
                "1. reset(code: 0) @4 up 0+3+0+2+18@2 cut, down 0+1+0+0+22@4",
            ])
    }

    @Test("a response before the header section of the request is whole, also where that never is")
    func earlier() {
        let result = play([
            Self.preface, (.up, Self.frame(1, 1, 1, [0x82, 0x86])), (.down, Self.frame(1, 4, 1, [0x88])),
            (.up, Self.frame(9, 4, 1, [0x84])), (.up, Self.frame(1, 1, 3, [0x82])),
            (.down, Self.frame(1, 5, 3, [0x8D])), (.down, nil),
        ])
        #expect(
            result.text == [
                "1/1> GET /  2 @2", "1< 200 2 @3", "1. closed @7 up 0+3+0+0+18@4, down 0+1+0+0+9@3 cut",
                "2/3>    2 @5 cut", "2< 404 2 @6", "2. closed @7 up 0+1(?)+0+0+9@5 cut, down 0+1+0+0+9@6",
            ])
    }

    @Test("HTTP/2 by Upgrade (RFC 7540, 3.2): the request is HTTP/1.1's, the response stream 1's")
    func upgrade() {
        let result = play([
            (.up, Array("GET / HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\n\r\n".utf8)),
            (.down, Array("HTTP/1.1 101 S\r\nUpgrade: h2c\r\n\r\n".utf8) + Self.frame(4, 0, 0)), Self.preface,
            (.up, Self.frame(8, 0, 1, [0, 0, 1, 0])),
            (.down, Self.frame(1, 4, 1, [0x88]) + Self.frame(0, 1, 1, [1, 2, 3])),
            (.up, Self.frame(1, 5, 3, [0x82, 0x86, 0x84])),
        ])
        #expect(
            result.text == [
                "1> GET / h 1.1 @1", "1< 200 2 @5", "1. completed @5 up 16+25+0+0+13@1, down 0+1+32+3+18@5",
                "2/3> GET /  2 @6",
            ])
    }

    @Test("a block that cannot be decoded takes the fields of all that follow, and no size")
    func broken() {
        let result = play([
            Self.preface, (.up, Self.frame(1, 5, 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])),
            (.up, Self.frame(1, 5, 3, [0x82, 0x86, 0x84])), (.down, Self.frame(1, 5, 3, [0x88])),
        ])
        #expect(
            result.text == [
                "1/1>    2 @2 cut", "2/3>    2 @3 cut", "2< 200 2 @4",
                "2. completed @4 up 0+3(?)+0+0+9@3, down 0+1+0+0+9@4",
            ])
    }

    @Test("SETTINGS of the other side raise what a table may hold (6.5.2)")
    func tableSize() {
        // A change of the table to 8,192 bytes (RFC 7541, 6.3), which is an error without the setting.
        let larger: [UInt8] = [0x3F, 0xE1, 0x3F, 0x82, 0x86, 0x84]
        let allowed: Step = (.down, Self.frame(4, 0, 0, [0, 1, 0, 0, 0x20, 0]))
        let request: Step = (.up, Self.frame(1, 5, 1, larger))
        #expect(play([Self.preface, allowed, request]).text == ["1/1> GET /  2 @3"])
        #expect(play([Self.preface, request]).text == ["1/1>    2 @2 cut"])
    }

    @Test("more streams than are followed are the connection's own")
    func many() {
        var reader = ConnectionReader(decoder: { HPACKDecoder() })
        var events = 0
        let time = Timestamp(nanoseconds: 1)
        events += reader.receive(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), .up, at: time).count
        for stream in 0..<2_000 {
            let number = 2 * stream + 1
            let frame = [0, 0, 3, 1, 5, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF), 0x82, 0x86, 0x84]
            events += reader.receive(frame, .up, at: time).count
        }
        #expect(events == 1_024)
        #expect(reader.bytes.messages.up.bytes == 1_024 * 12)
        #expect(reader.bytes.http2Control.up.bytes == 24 + 976 * 12)
    }
}
