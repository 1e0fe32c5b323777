/// Connections of HTTP/1 with the events that they make.
enum HTTP1Plays {
    private static let get = ">GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    static let all: [HTTP1PlayTests.Case] = [
        .init(
            testDescription: "one exchange, with cookies",
            play: [
                ">GET /a HTTP/1.1\r\nHost: h\r\nCookie: a=b\r\n\r\n",
                "<HTTP/1.1 200 OK\r\nSet-Cookie: c=d\r\nContent-Length: 3\r\n\r\nab", "<c",
            ],
            events: [
                "1> GET /a h 1.1 @1", "1< 200 1.1 @2",
                "1. completed @3 up 17+24(13)+0+0+0@1, down 17+38(17)+0+3+0@3",
            ]),
        .init(
            testDescription: "chunks, trailers, an interim response",
            play: [
                ">PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "<HTTP/1.1 100 Continue\r\n\r\n",
                ">5;a\r\nhello\r\n0\r\nT: 1\r\n\r\n", "<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            ],
            events: [
                "1> PUT /  1.1 @1", "1< 200 1.1 @4",
                "1. completed @4 up 16+30+0+5+18@3, down 17+30+25+0+5@4",
            ]),
        .init(
            testDescription: "pipelining",
            play: [
                get + "HEAD /b HTTP/1.1\r\nHost: h\r\n\r\n",
                "<HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
            ],
            events: [
                "1> GET / h 1.1 @1", "2> HEAD /b h 1.1 @1", "1< 200 1.1 @2",
                "1. completed @2 up 16+11+0+0+0@1, down 17+21+0+1+0@2", "2< 200 1.1 @2",
                "2. completed @2 up 18+11+0+0+0@1, down 17+21+0+0+0@2",
            ]),
        .init(
            testDescription: "417 instead of 100",
            play: [
                ">PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
                "<HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n", ">PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx",
                "<HTTP/1.1 204 N\r\n\r\n",
            ],
            events: [
                "1> PUT /  1.1 @1", "1< 417 1.1 @2", "1. completed @2 up 16+43+0+0+0@1, down 17+21+0+0+0@2",
                "2> PUT /  1.1 @3", "2< 204 1.1 @4", "2. completed @4 up 16+21+0+1+0@3, down 16+2+0+0+0@4",
            ]),
        .init(
            testDescription: "an answer before the request has ended",
            play: [
                ">PUT / HTTP/1.1\r\nContent-Length: 4\r\n\r\nab", "<HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n",
                ">cd",
            ],
            events: [
                "1> PUT /  1.1 @1", "1< 413 1.1 @2", "1. completed @3 up 16+21+0+4+0@3, down 17+21+0+0+0@2",
            ]),
        .init(
            testDescription: "an answer before the head of the request has ended",
            play: [">GET / HT", "<HTTP/1.1 408 No\r\nContent-Length: 0\r\n\r\n", ">TP/1.1\r\n\r\n"],
            events: [
                "1> GET /  1.1 @1", "1< 408 1.1 @2", "1. completed @3 up 16+2+0+0+0@3, down 17+21+0+0+0@2",
            ]),
        .init(
            testDescription: "until the connection closes",
            play: [get, "<HTTP/1.0 200 OK\r\n\r\n", "<abc", "<|", ">|"],
            events: ["1> GET / h 1.1 @1", "1< 200 1.0 @2", "1. completed @4 up 16+11+0+0+0@1, down 17+2+0+3+0@3"]),
        .init(
            testDescription: "HTTP/0.9", play: [">GET /\r\n", "<<html>", "<|"],
            events: ["1> GET /  0.9 @1", "1< 0 0.9 @2", "1. completed @3 up 7+0+0+0+0@1, down 0+0+0+6+0@2"]),
        .init(
            testDescription: "never answered", play: [get, "<|", ">|"],
            events: ["1> GET / h 1.1 @1", "1. closed @2 up 16+11+0+0+0@1, down nothing"]),
        .init(
            testDescription: "cut in a body, and what was pipelined after it",
            play: [get + "GET /b HTTP/1.1\r\n\r\n", "<HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "<|"],
            events: [
                "1> GET / h 1.1 @1", "2> GET /b  1.1 @1", "1< 200 1.1 @2",
                "1. closed @3 up 16+11+0+0+0@1, down 17+21+0+2+0@2 cut", "2. closed @3 up 17+2+0+0+0@1, down nothing",
            ]),
        .init(
            testDescription: "cut in header sections",
            play: [">GET / HTTP/1.1\r\nCookie: a", ">|", "<HTTP/1.1 4", "<|"],
            events: [
                "1> GET /  1.1 @1 cut", "1< 4 1.1 @3 cut",
                "1. closed @4 up 16+9(9)+0+0+0@1 cut, down 10+0+0+0+0@3 cut",
            ]),
        .init(
            testDescription: "an interim response alone", play: [get, "<HTTP/1.1 103 E\r\n\r\n", "<|"],
            events: ["1> GET / h 1.1 @1", "1. closed @3 up 16+11+0+0+0@1, down 0+0+18+0+0@2 cut"]),
        .init(
            testDescription: "a tunnel",
            play: [">CONNECT h:443 HTTP/1.1\r\n\r\n", "<HTTP/1.1 200 OK\r\n\r\n", ">\u{16}\u{03}", "<\u{16}"],
            events: [
                "1> CONNECT h:443  1.1 @1", "1< 200 1.1 @2", "1^ ",
                "1. completed @2 up 24+2+0+0+0@1, down 17+2+0+0+0@2",
            ]),
        .init(
            testDescription: "Upgrade",
            play: [
                ">GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
                "<HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n\u{81}\u{00}",
            ],
            events: [
                "1> GET /  1.1 @1", "1< 101 1.1 @2", "1^ websocket",
                "1. completed @2 up 16+22+0+0+0@1, down 16+22+0+0+0@2",
            ]),
        .init(
            testDescription: "a status that is none", play: [get, "<HTTP/1.1 +100\r\nContent-Length: 1\r\n\r\nx"],
            events: ["1> GET / h 1.1 @1", "1< 0 1.1 @2", "1. completed @2 up 16+11+0+0+0@1, down 15+21+0+1+0@2"]),
        .init(
            testDescription: "an answer to a line that turns out to be no request's",
            play: [get, "<HTTP/1.1 204 N\r\n\r\n", ">GET ", "<HTTP/1.1 400 B\r\nX: y", ">\u{01}", "<|", ">|"],
            events: [
                "1> GET / h 1.1 @1", "1< 204 1.1 @2", "1. completed @2 up 16+11+0+0+0@1, down 16+2+0+0+0@2",
                "2>     @3 cut", "2< 400 1.1 @4 cut", "2. closed @7 up 0+0+0+0+0@3 cut, down 16+4+0+0+0@4 cut",
            ]),
        .init(
            testDescription: "no HTTP", play: [">\u{16}\u{03}\u{01}", "<HTTP/1.1 400 Bad\r\n\r\n", ">|", "<|"],
            events: ["no HTTP"]),
        .init(
            testDescription: "no HTTP, noticed late",
            play: [">SET ", "<HTTP/1.1 400 Bad\r\n\r\n", ">a b\r\n", "<x", ">|", "<|"], events: ["no HTTP"]),
        .init(
            testDescription: "surplus", play: [get, "<HTTP/1.1 204 N\r\n\r\nabc", get, "<HTTP/1.1 204 N\r\n\r\n"],
            events: [
                "1> GET / h 1.1 @1", "1< 204 1.1 @2", "1. completed @2 up 16+11+0+0+0@1, down 16+2+0+0+0@2",
                "2> GET / h 1.1 @3", "2< 204 1.1 @4", "2. completed @4 up 16+11+0+0+0@3, down 16+2+0+0+0@4",
            ]),
        .init(
            testDescription: "a line that is no request after one that is", play: [get, ">GET /\u{01}", "<|", ">|"],
            events: ["1> GET / h 1.1 @1", "1. closed @3 up 16+11+0+0+0@1, down nothing"]),
        .init(
            testDescription: "the first byte of a request decides when it began",
            play: [">P", ">UT / HTTP/1.1\r\n\r\n"],
            events: ["1> PUT /  1.1 @1"]),
    ]
}
