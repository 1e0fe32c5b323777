import HTTPWire
import TestSupport
import Testing

/// Bytes in, pieces out: whole connections, in splits of every kind.
@Suite struct HTTP1ScannerTests {
    private func check(_ entry: HTTP1Case) {
        for split in HTTP1Play.Split.allCases {
            for seed in 1...(split == .random ? 20 : 1) as ClosedRange<UInt64> {
                let play = HTTP1Play(entry.play, split: split, seed: seed)
                #expect(play.requests == entry.requests, "\(split), \(seed)")
                #expect(play.responses == entry.responses, "\(split), \(seed)")
                #expect(play.accounted == play.given, "\(split), \(seed)")
            }
        }
    }

    @Test("messages", arguments: HTTP1Case.messages) func messages(_ entry: HTTP1Case) { check(entry) }

    @Test("other protocols after it", arguments: HTTP1Case.others) func others(_ entry: HTTP1Case) { check(entry) }

    @Test("no HTTP", arguments: HTTP1Case.foreign) func foreign(_ entry: HTTP1Case) { check(entry) }

    @Test("odd and broken ones", arguments: HTTP1Case.odd) func odd(_ entry: HTTP1Case) { check(entry) }

    @Test("the token of Upgrade is kept, up to 31 bytes")
    func token() {
        func token(_ value: String) -> String {
            HTTP1Play([HTTP1Case.get, "<HTTP/1.1 101 S\r\nUpgrade:\(value)\r\n\r\n"]).scanner.upgrade
        }
        #expect(token(" websocket") == "websocket")
        #expect(token(" , TLS/1.0, HTTP/1.1") == "TLS/1.0")
        #expect(token(String(repeating: "x", count: 99)) == String(repeating: "x", count: 31))
        #expect(HTTP1Play([">CONNECT h:1 HTTP/1.1\r\n\r\n", "<HTTP/1.1 200 OK\r\n\r\n"]).scanner.upgrade == "")
    }

    @Test("a line and a header section have most bytes; what is beyond is surplus", arguments: HTTP1Play.Split.allCases)
    func limits(split: HTTP1Play.Split) {
        let (line, head) = (HTTP1Scanner.mostLine, HTTP1Scanner.mostHead)
        func field(_ count: Int) -> String { "X: " + String(repeating: "a", count: count - 5) + "\r\n" }
        let longest = HTTP1Play([">GET / HTTP/1.1\r\n" + field(line) + "\r\n"], split: split)
        #expect(longest.requests == "head:\(18 + line) .")
        let longer = HTTP1Play([HTTP1Case.get, ">GET / HTTP/1.1\r\n" + field(line + 1) + "\r\n"], split: split)
        #expect(longer.requests == "head:18 . head:\(16 + line) surplus:3")
        let target = HTTP1Play([">GET /" + String(repeating: "a", count: line) + " HTTP/1.1\r\n\r\n"], split: split)
        #expect(target.requests == "foreign:\(18 + line)")
        guard split == .whole || split == .random else { return }
        let section = String(repeating: field(1_024), count: head / 1_024)
        let large = HTTP1Play([HTTP1Case.get, "<HTTP/1.1 200 OK\r\n" + section + "\r\n"], split: split)
        #expect(large.responses == "head:\(head) surplus:19")
    }

    @Test("all requests that one read can hold get their responses")
    func pipelined() {
        let count = 65_536 / 18
        let play = HTTP1Play([
            ">" + String(repeating: "GET / HTTP/1.1\r\n\r\n", count: count) + "HEAD / HTTP/1.1\r\n\r\n",
            "<" + String(repeating: "HTTP/1.1 200 N\r\nContent-Length: 1\r\n\r\nx", count: count)
                + "HTTP/1.1 200 N\r\nContent-Length: 1\r\n\r\n",
        ])
        #expect(play.requests == String(repeating: "head:18 . ", count: count) + "head:19 .")
        #expect(play.responses == String(repeating: "head:37 200 content:1 . ", count: count) + "head:37 200 .")
        #expect(!play.scanner.isFull)
    }

    @Test("of more requests of alternating kinds than can wait, the first get responses, and the rest is surplus")
    func full() {
        // The newest one is in no run.
        let most = (HTTP1Scanner.mostRuns + 1) / 2
        let play = HTTP1Play([
            ">" + String(repeating: "GET / HTTP/1.1\r\n\r\nHEAD / HTTP/1.1\r\n\r\n", count: most)
                + String(repeating: "GET / HTTP/1.1\r\n\r\n", count: 3),
            "<" + String(repeating: "HTTP/1.1 204 N\r\n\r\n", count: 2 * most + 3),
        ])
        #expect(play.requests == String(repeating: "head:18 . head:19 . ", count: most) + "head:18 . surplus:36")
        #expect(play.responses == String(repeating: "head:18 204 . ", count: 2 * most + 1) + "surplus:36")
        #expect(play.scanner.isFull)
    }

    @Test("any bytes are accounted for, and any split says the same")
    func randomBytes() {
        var random = SeededGenerator(seed: 7)
        let words = [
            "GET / HTTP/1.1\r\n", "HEAD /", "CONNECT a:1", " HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n", "\r\n", "\r\n\r\n",
            "Content-Length: ", "Transfer-Encoding: ", "chunked", "3", ",", "\r\n ", "abc", "0\r\n\r\n",
            "HTTP/1.1 200 OK\r\n",
            "HTTP/1.1 101 S\r\n", "Upgrade: h2c\r\n", "HTTP/", "\u{00}", "\u{04}", "\n", "\r", ":",
            "HTTP/1.1 100 C\r\n\r\n",
        ]
        for round in 0..<2_000 {
            let lines = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                let isEnd = Int.random(in: 0..<12, using: &random) == 0
                let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                    words.randomElement(using: &random) ?? ""
                }
                return (Bool.random(using: &random) ? ">" : "<") + (isEnd ? "|" : text.joined())
            }
            let whole = HTTP1Play(lines)
            #expect(whole.accounted == whole.given, "round \(round)")
            for split in [HTTP1Play.Split.single, .random] {
                let play = HTTP1Play(lines, split: split, seed: UInt64(round))
                #expect(play.requests == whole.requests, "round \(round): \(lines)")
                #expect(play.responses == whole.responses, "round \(round): \(lines)")
            }
        }
    }
}
