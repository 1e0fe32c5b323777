import HTTPWire
import PassiveHTTP
import TestSupport
import Testing
import TrafficModel

/// Bytes of a connection of HTTP/1 in, events out.
@Suite struct HTTP1PlayTests {
    /// A play with what must come of it.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var play: [String]
        var events: [String]
    }

    @Test("exchanges of HTTP/1, part by part, in any split", arguments: HTTP1Plays.all)
    func plays(_ entry: Case) {
        for split in ConnectionPlay.Split.allCases {
            for seed in 1...(split == .random ? 20 : 1) as ClosedRange<UInt64> {
                let play = ConnectionPlay(entry.play, split: split, seed: seed)
                #expect(play.text == entry.events, "\(split), \(seed)")
                #expect(play.closes, "\(split), \(seed)")
            }
        }
    }

    @Test("a request has its fields, a response its own")
    func fields() throws {
        let play = ConnectionPlay([
            ">GET /a?b HTTP/1.1\r\nHost: h:80\r\nX: 1\r\n\r\n", "<HTTP/1.1 200 All right\r\nContent-Type: a/b\r\n\r\n",
        ])
        guard case .request(let request) = try #require(play.events.first),
            case .response(let response) = try #require(play.events.last)
        else { return #expect(Bool(false), "\(play.text)") }
        #expect(request.target == "/a?b")
        #expect(request.authority == "h:80")
        #expect(request.fields.firstValue(of: "X") == "1")
        #expect(response.reason == "All right")
        #expect(response.fields.firstValue(of: "content-type") == "a/b")
    }

    @Test("the digest and the last bytes are those of the content", arguments: ConnectionPlay.Split.allCases)
    func digests(split: ConnectionPlay.Split) throws {
        let chunked = ConnectionPlay(
            [
                ">POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
                "<HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde",
            ], split: split)
        guard case .end(let end) = try #require(chunked.events.last) else { return #expect(Bool(false)) }
        #expect(end.request.bodyDigest != nil)
        #expect(end.request.bodyDigest == end.response?.bodyDigest)
        #expect(end.request.bodyTail == 0x6564_6362)
        #expect(end.response?.bodyTail == 0x6564_6362)
    }

    @Test("what waits for an answer is bounded; further requests are counted, and are none")
    func bounded() {
        let request = "GET / HTTP/1.1\r\n\r\n"
        let play = ConnectionPlay(Array(repeating: ">" + String(repeating: request, count: 100), count: 50))
        #expect(play.events.count == 4_096)
        #expect(play.reader.bytes.messages.up.bytes == 4_096 * 18)
        #expect(play.reader.bytes.afterMessage.up.bytes == 904 * 18)
    }

    @Test("what follows an upgrade goes to a reader of its own")
    func upgraded() {
        final class Log: UpgradedReader {
            var text: [String] = []
            func receive(_ bytes: ArraySlice<UInt8>, _ direction: Direction, at time: Timestamp) {
                text.append("\(direction) \(String(decoding: bytes, as: UTF8.self)) @\(time.nanoseconds)")
            }
            func end(_ direction: Direction, at time: Timestamp) { text.append("\(direction) |") }
        }
        let log = Log()
        var names: [String] = []
        _ = ConnectionPlay(
            [
                ">GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", "<HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\nab",
                ">cd",
                "<|",
            ],
            reader: ConnectionReader(upgraded: {
                names.append($0)
                return log
            }))
        #expect(names == ["websocket"])
        #expect(log.text == ["down ab @2", "up cd @3", "down |"])
    }

    @Test("WebSocket's frames are apart from their payload, in any split", arguments: ConnectionPlay.Split.allCases)
    func webSocket(split: ConnectionPlay.Split) throws {
        // RFC 6455, section 5.7: a masked "Hello", a ping with "Hello", and its pong.
        let hello = "\u{81}\u{85}\u{37}\u{fa}\u{21}\u{3d}\u{7f}\u{9f}\u{4d}\u{51}\u{58}"
        let ping = "\u{89}\u{05}Hello"
        let pong = "\u{8a}\u{85}\u{37}\u{fa}\u{21}\u{3d}\u{7f}\u{9f}\u{4d}\u{51}\u{58}"
        let play = ConnectionPlay(
            [
                ">GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n",
                "<HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n\(ping)",
                ">\(hello)\(pong)", "<|", ">|",
            ], split: split)
        let reader = try #require(play.reader.upgraded as? WebSocketReader)
        #expect([reader.up.overhead, reader.up.payload, reader.up.unseparated] == [12, 10, 0])
        #expect([reader.up.frames, reader.up.controlFrames, reader.up.messages] == [2, 1, 1])
        #expect([reader.down.overhead, reader.down.payload, reader.down.controlFrames] == [2, 5, 1])
        #expect(play.reader.bytes.upgraded == ByteFlow(up: 22, down: 7))
        #expect(play.closes)
    }
}
