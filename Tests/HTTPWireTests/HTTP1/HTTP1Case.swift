import Testing

/// A play with what must come of it.
struct HTTP1Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var play: [String]
    var requests: String
    var responses: String

    init(_ name: String, _ play: [String], _ requests: String, _ responses: String) {
        (testDescription, self.play, self.requests, self.responses) = (name, play, requests, responses)
    }
}

extension HTTP1Case {
    static let get = ">GET / HTTP/1.1\r\n\r\n"

    static let messages: [Self] = [
        Self(
            "Content-Length (RFC 9112, 6.2)",
            [">POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", "<HTTP/1.1 200 OK\r\ncontent-length:\t2\r\n\r\nok"],
            "head:38 content:5 .", "head:38 200 content:2 ."),
        Self(
            "no body at all (6.3, rule 7)", [get, "<HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
            "head:18 .", "head:38 200 ."),
        Self(
            "chunks with extensions and trailers (7.1)",
            [
                ">PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nT: 1\r\n\r\n",
                "<HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            ], "head:46 framing:7 content:3 framing:13 .", "head:53 200 framing:3 content:1 framing:7 ."),
        Self(
            "until the connection closes (6.3, rule 8)", [get, "<HTTP/1.1 200 OK\r\n\r\nabc", "<d", "<|"],
            "head:18 .", "head:19 200 content:4 ."),
        Self(
            "a transfer coding that is not chunked ends with the connection (6.3, rule 4)",
            [get, "<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\nContent-Length: 1\r\n\r\nabc", "<|"],
            "head:18 .", "head:72 200 content:3 ."),
        Self(
            "Transfer-Encoding goes before Content-Length (6.3, rule 3), in HTTP/1.0 as well",
            [get, "<HTTP/1.0 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
            "head:18 .", "head:66 200 framing:5 ."),
        Self(
            "equal lengths are one (6.3, rule 5)",
            [get, "<HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\nContent-Length: 2\r\n\r\nok"],
            "head:18 .", "head:60 200 content:2 ."),
        Self(
            "lengths that differ are none",
            [get, "<HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabcd", "<|"],
            "head:18 .", "head:57 200 content:4 ."),
        Self(
            "a length beyond 64 bits is none",
            [get, "<HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nabcd", "<|"],
            "head:18 .", "head:57 200 content:4 ."),
        Self(
            "a folded value (5.2)",
            [get, "<HTTP/1.1 200 OK\r\nContent-Length:\r\n 2\r\nX: a\r\n Content-Length: 7\r\n\r\nok"],
            "head:18 .", "head:66 200 content:2 ."),
        Self(
            "HEAD, 204 and 304 have none (6.3, rule 1)",
            [
                ">HEAD / HTTP/1.1\r\n\r\n", "<HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", get,
                "<HTTP/1.1 204 N\r\nContent-Length: 5\r\n\r\n", get,
                "<HTTP/1.1 304 N\r\nTransfer-Encoding: chunked\r\n\r\n", ">head / HTTP/1.1\r\n\r\n",
                "<HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
            ], "head:19 . head:18 . head:18 . head:19 .",
            "head:38 200 . head:37 204 . head:46 304 . head:38 200 content:1 ."),
        Self(
            "interim responses (RFC 9110, 15.2)",
            [
                ">PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\n", "<HTTP/1.1 100 Continue\r\n\r\n", ">x",
                "<HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
            ], "head:37 content:1 .", "head:25 100 head:40 103 head:43 201 ."),
        Self(
            "417 instead of 100: the request comes again without its expectation (RFC 9110, 10.1.1)",
            [
                ">PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
                "<HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n",
                ">PUT / HTTP/1.1\r\nexpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n",
                "<HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n",
                ">PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", "<HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
            ], "head:59 head:68 head:37 content:1 .", "head:38 417 . head:38 417 . head:43 201 ."),
        Self(
            "417 that comes too late, or after a 100, or where nothing was expected",
            [
                ">PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n", ">12",
                "<HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n", ">3456789",
                ">PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n", "<HTTP/1.1 100 C\r\n\r\n",
                "<HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n", ">123456789",
                ">PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\n", "<HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n", ">x",
            ], "head:59 content:9 . head:59 content:9 . head:37 content:1 .",
            "head:38 417 . head:18 100 head:38 417 . head:38 417 ."),
        Self(
            "pipelining (RFC 9112, 9.3.2)",
            [
                ">GET /a HTTP/1.1\r\n\r\nHEAD /b HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\n\r\n",
                "<HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nc",
            ], "head:19 . head:20 . head:19 .", "head:38 200 content:1 . head:38 200 . head:38 200 content:1 ."),
        Self(
            "an answer before the request has ended, and before its head has",
            [
                ">POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nab", "<HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n",
                ">cdGET / HT", "<HTTP/1.1 408 No\r\nContent-Length: 0\r\n\r\n", ">TP/1.1\r\n\r\n",
            ], "head:38 content:4 . head:18 .", "head:38 413 . head:38 408 ."),
        Self(
            "lone line feeds (2.2)", [">GET / HTTP/1.1\nA: b\n\n", "<HTTP/1.1 200\nContent-Length: 1\n\nx"],
            "head:21 .", "head:32 200 content:1 ."),
        Self(
            "HTTP/1.0", [">GET / HTTP/1.0\r\n\r\n", "<HTTP/1.0 200 OK\r\n\r\nabc", "<|"],
            "head:18 .", "head:19 200 content:3 ."),
        Self("HTTP/0.9 (RFC 1945, 6)", [">GET /\r\n", "<\r\nHT<html>", "<|"], "head:7 .", "content:10 ."),
        Self("no status line in answer to HTTP/1.1", [get, "<ICY 200 OK", "<|"], "head:18 .", "content:10 ."),
        Self(
            "a status that is none", [get, "<HTTP/1.1 abc\r\nContent-Length: 1\r\n\r\nx"],
            "head:18 .", "head:35 content:1 ."),
        Self("a target with spaces", [">GET /a b c HTTP/1.1\r\n\r\n"], "head:23 .", ""),
    ]

    static let others: [Self] = [
        Self(
            "a tunnel (RFC 9110, 9.3.6)",
            [
                ">CONNECT h:443 HTTP/1.1\r\n\r\n", "<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                ">\u{16}\u{03}\u{01}", "<\u{16}\u{03}",
            ], "head:26 . upgraded:3", "head:47 200 . upgraded:2"),
        Self(
            "a tunnel that is refused, and then opened",
            [
                ">CONNECT h:443 HTTP/1.1\r\n\r\n", "<HTTP/1.1 407 No\r\nContent-Length: 1\r\n\r\nx",
                ">CONNECT h:443 HTTP/1.1\r\n\r\n", ">early", "<HTTP/1.1 200 OK\r\n\r\n", ">late", "<x",
            ], "head:26 . head:26 . upgraded:9", "head:38 407 content:1 . head:19 200 . upgraded:1"),
        Self(
            "Upgrade (7.8)",
            [
                ">GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
                "<HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n\u{81}\u{01}a", ">\u{81}\u{80}",
            ], "head:38 . upgraded:2", "head:38 101 . upgraded:3"),
        Self(
            "an Upgrade that the client does not wait for",
            [">GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n\u{81}\u{80}", "<HTTP/1.1 101 S\r\n\r\n\u{81}"],
            "head:38 . upgraded:2", "head:18 101 . upgraded:1"),
        Self(
            "h2c by Upgrade (RFC 7540, 3.2)",
            [
                ">GET / HTTP/1.1\r\nUpgrade: h2c\r\n\r\n", "<HTTP/1.1 101 S\r\nUpgrade: h2c\r\n\r\n\u{00}\u{00}",
                ">PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nx",
            ], "head:32 . http2:25", "head:32 101 . http2:2"),
        Self(
            "HTTP/2 with prior knowledge (RFC 9113, 3.3)",
            [">PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nabc", "<\u{00}\u{00}\u{00}\u{04}"], "http2:27", "http2:4"),
        Self(
            "a server of HTTP/2 that speaks first (3.4)",
            [
                ">P", "<\u{00}\u{00}\u{06}\u{04}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{03}\u{00}\u{00}\u{00}\u{64}",
                ">RI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            ], "http2:24", "http2:15"),
        Self("a part of the preface alone", [">PRI * HTTP/2.0\r\n\r\nSM\r\n", ">|"], "head:22 cut", ""),
        Self("a method that begins like it", [">PRIZE / HTTP/1.1\r\n\r\n"], "head:20 .", ""),
        Self("PRI in HTTP/1.1", [">PRI * HTTP/1.1\r\n\r\n"], "head:18 .", ""),
        Self("a preface that goes wrong", [">PRI * HTTP/2.0\r\nHost: a\r\n\r\n", "<x"], "foreign:27", "foreign:1"),
    ]

    static let foreign: [Self] = [
        Self("TLS", [">\u{16}\u{03}\u{01}\u{02}\u{00}", "<HTTP/1.1 400 Bad\r\n\r\n"], "foreign:5", "foreign:20"),
        Self("a server that greets: SSH", ["<SSH-2.0-x\r\n", ">SSH-2.0-y\r\n"], "foreign:11", "foreign:11"),
        Self("one whose greeting begins like HTTP", ["<HT", "<|"], "", "foreign:2"),
        Self("MySQL", ["<\u{4A}\u{00}\u{00}\u{00}\u{0A}8.0", ">x"], "foreign:1", "foreign:8"),
        Self("PostgreSQL", [">\u{00}\u{00}\u{00}\u{08}\u{04}\u{D2}\u{16}\u{2F}", "<N"], "foreign:8", "foreign:1"),
        Self(
            "zeros that are no SETTINGS", ["<\u{00}\u{00}\u{06}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}"], "",
            "foreign:10"),
        Self("Redis", [">*1\r\n$4\r\nPING\r\n", "<+PONG\r\n"], "foreign:14", "foreign:7"),
        Self(
            "words of another protocol", [">OPTIONS rtsp://h/ RTSP/1.0\r\nCSeq: 1\r\n\r\n", "<x"], "foreign:39",
            "foreign:1"),
        Self("a command that is no request", [">GET key\r\n", "<$-1\r\n"], "foreign:9", "foreign:5"),
        Self("controls in a line", [">GET /\u{01} HTTP/1.1\r\n"], "foreign:17", ""),
        Self("a lone CR in a line", [">GET /\rX HTTP/1.1\r\n"], "foreign:18", ""),
    ]

    static let odd: [Self] = [
        Self(
            "empty lines before a request (RFC 9112, 2.2)", [">\r\n\r\nGET / HTTP/1.1\r\n\r\n"],
            "surplus:4 head:18 .", ""),
        Self(
            "more than the length",
            [
                get, "<HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc", get,
                "<HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            ], "head:18 . head:18 .",
            "head:38 200 content:1 . surplus:2 head:38 200 ."),
        Self("an answer to nothing", ["<HTTP/1.1 408 No\r\n\r\n", "<|"], "", "surplus:19"),
        Self(
            "an answer to nothing after others",
            [get, "<HTTP/1.1 204 N\r\n\r\n", "<HTTP/1.1 408 No\r\n\r\n", "<|"], "head:18 .", "head:18 204 . surplus:19"),
        Self(
            "no request after a request", [get, ">\u{00}\u{01}", "<HTTP/1.1 204 N\r\n\r\nHTTP/1.1 400 B\r\n\r\n"],
            "head:18 . surplus:2", "head:18 204 . surplus:18"),
        Self(
            "a line that breaks off after a request", [get, ">GET /\u{01} HTTP/1.1\r\n\r\n"],
            "head:18 . surplus:19", ""),
        Self(
            "chunks that break the rules are framing from there",
            [get, "<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabXX", "<|"], "head:18 .",
            "head:47 200 framing:3 content:2 framing:2 cut"),
        Self(
            "cut in a head, in a body, before a response",
            [">GET / HT", ">|", "<HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", "<|"], "head:8 cut",
            "head:38 200 content:3 cut"),
        Self("cut in the first bytes of a response", [get, "<HTT", "<|"], "head:18 .", "head:3 cut"),
        Self(
            "bytes after the close", [get, ">|", ">x", "<HTTP/1.1 204 N\r\n\r\n", "<|", "<y"],
            "head:18 . surplus:1", "head:18 204 . surplus:1"),
        Self(
            "an answer while the client's first bytes are held back answers nothing",
            [">PRI ", "<HTTP/1.1 100 C\r\n\r\n\u{00}HTTP/1.1 101 S\r\n\r\n"], "", "surplus:37"),
        Self(
            "the same, and then a request",
            [">P", "<HTTP/1.1 408 T\r\n\r\n", ">UT / HTTP/1.1\r\n\r\n", "<HTTP/1.1 204 N\r\n\r\n"], "head:18 .",
            "surplus:18 head:18 204 ."),
        Self(
            "a second answer that is none", [get, get, "<HTTP/1.1 204 N\r\n\r\nhello HTTP/1.1 200 OK\r\n\r\n"],
            "head:18 . head:18 .", "head:18 204 . surplus:25"),
    ]
}
