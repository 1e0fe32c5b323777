#if os(Linux)
    import Testing
    import TrafficModel
    import WireweightTesting

    /// What is in a proxy's tunnel, from the calls of a program to records.
    ///
    /// It is in TLS or in the clear, to a proxy in TLS or in the clear. A session of TLS has nothing but the random of its
    /// ClientHello that says which connection it is in.
    @Suite struct StreamTunnelTests {
        private typealias Step = ConnectionPlay.Step

        private static let connect: [Step] = [
            .up("CONNECT inside.test:443 HTTP/1.1\r\nHost: inside.test:443\r\n\r\n"),
            .down("HTTP/1.1 200 Connection established\r\nVia: proxy\r\n\r\n"),
        ]
        private static let conversation: [Step] = [
            .up("GET /a?b=c HTTP/1.1\r\nHost: inside.test\r\nCookie: a=b\r\n\r\n"),
            .down("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nSet-Cookie: c=d\r\n\r\nhello"),
            .up("PUT /d HTTP/1.1\r\nHost: inside.test\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .up("3;x=y\r\nabc\r\n0\r\nA: b\r\n\r\n"),
            .down("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .down("2\r\nok\r\n0\r\n\r\n"),
        ]
        /// Start line, interim, headers, cookies, body, framing.
        private static let opening = "CONNECT https://inside.test:443 34+0+25+0+0+0 > 200 37+0+14+0+0+0 completed"
        private static func exchanges(_ origin: String) -> [String] {
            [
                "GET \(origin)/a?b=c 21+0+34+13+0+0 > 200 17+0+38+17+5+0 completed",
                "PUT \(origin)/d 17+0+49+0+3+20 > 200 17+25+30+0+2+10 completed",
            ]
        }

        private func play(
            _ steps: [Step], isServer: Bool = false, _ body: (ConnectionPlay, Comment) throws -> Void
        ) throws {
            for split in StreamPlay.Split.allCases {
                for passing in ConnectionPlay.Passing.allCases {
                    try body(
                        ConnectionPlay(steps, split: split, passing: passing, isServer: isServer), "\(split) \(passing)"
                    )
                }
            }
        }

        private static func rows(_ play: ConnectionPlay) -> [String] {
            play.sink.requests.map { request in
                let response = play.sink.response(to: request.exchange)
                let end = play.sink.ends.first { $0.exchange == request.exchange }
                return """
                    \(request.method) \(request.url) \(StreamPlay.text(request.size)) > \(response?.status ?? -1) \
                    \(response.map { StreamPlay.text($0.size) } ?? "-") \(end?.outcome == .completed ? "completed" : "-")
                    """
            }
        }

        /// Compares the one connection with what its layers have carried.
        private func compare(
            _ play: ConnectionPlay, proxyTLS: ByteFlow, tls: ByteFlow, others: ByteFlow = .zero, isSecure: Bool,
            _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let connection = try #require(play.sink.connections.last, comment, sourceLocation: sourceLocation)
            let ledger = try #require(connection.ledger, comment, sourceLocation: sourceLocation)
            #expect(Set(play.sink.connections.map(\.connection)).count == 1, comment, sourceLocation: sourceLocation)
            #expect(ledger.up.payload == play.payload.up.bytes, comment, sourceLocation: sourceLocation)
            #expect(ledger.down.payload == play.payload.down.bytes, comment, sourceLocation: sourceLocation)
            #expect(ledger.isClosed, "\(comment): \(ledger)", sourceLocation: sourceLocation)
            for (side, way) in [(ledger.up, \ByteFlow.up), (ledger.down, \ByteFlow.down)] {
                #expect(side[.proxyTLS] == proxyTLS[keyPath: way].bytes, comment, sourceLocation: sourceLocation)
                #expect(side.tls == tls[keyPath: way].bytes, comment, sourceLocation: sourceLocation)
                #expect(side[.upgraded] == others[keyPath: way].bytes, comment, sourceLocation: sourceLocation)
            }
            let evidence: Evidence = isSecure ? .reported : .captured
            #expect(ledger.evidence == evidence, comment, sourceLocation: sourceLocation)
            let version = isSecure ? "TLSv1.3" : nil
            #expect(connection.tls?.version == version, comment, sourceLocation: sourceLocation)
            #expect((connection.tls == nil) == !isSecure, comment, sourceLocation: sourceLocation)
        }

        @Test("TLS in the TLS to a proxy: each TLS has its own bytes, and each message its parts")
        func nested() throws {
            try play([.tls()] + Self.connect + [.tls()] + Self.conversation) { play, comment in
                #expect(Self.rows(play) == [Self.opening] + Self.exchanges("https://inside.test"), comment)
                try compare(play, proxyTLS: play.overheads[0], tls: play.overheads[1], isSecure: true, comment)
            }
        }

        @Test("in the clear inside the TLS to a proxy, which is all the TLS that there is")
        func clearInside() throws {
            try play([.tls()] + Self.connect + Self.conversation) { play, comment in
                #expect(Self.rows(play) == [Self.opening] + Self.exchanges("http://inside.test"), comment)
                try compare(play, proxyTLS: play.overheads[0], tls: .zero, isSecure: true, comment)
            }
        }

        @Test("TLS through a second proxy, which the tunnel of the first leads to", arguments: [false, true])
        func chain(isSecure: Bool) throws {
            let outer: [Step] = isSecure ? [.tls()] : []
            try play(outer + Self.connect + Self.connect + [.tls()] + Self.conversation) { play, comment in
                #expect(
                    Self.rows(play) == [Self.opening, Self.opening] + Self.exchanges("https://inside.test"), comment)
                try compare(
                    play, proxyTLS: isSecure ? play.overheads[0] : .zero, tls: play.overheads[isSecure ? 1 : 0],
                    isSecure: true, comment)
            }
        }

        @Test("TLS through a proxy in the clear is all the origin's")
        func clearProxy() throws {
            try play(Self.connect + [.tls()] + Self.conversation) { play, comment in
                #expect(Self.rows(play) == [Self.opening] + Self.exchanges("https://inside.test"), comment)
                try compare(play, proxyTLS: .zero, tls: play.overheads[0], isSecure: true, comment)
            }
        }

        @Test("without TLS there is none: in the clear through a proxy in the clear, and where that refuses")
        func withoutTLS() throws {
            try play(Self.connect + Self.conversation) { play, comment in
                #expect(Self.rows(play) == [Self.opening] + Self.exchanges("http://inside.test"), comment)
                try compare(play, proxyTLS: .zero, tls: .zero, isSecure: false, comment)
            }
            let refusal: [Step] = [
                Self.connect[0], .down("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"),
            ]
            try play(refusal) { play, comment in
                #expect(
                    Self.rows(play) == [
                        "CONNECT https://inside.test:443 34+0+25+0+0+0 > 403 24+0+21+0+2+0 completed"
                    ], comment)
                try compare(play, proxyTLS: .zero, tls: .zero, isSecure: false, comment)
            }
        }

        @Test("another protocol in the tunnel is no TLS, and has its sum")
        func foreign() throws {
            let banners: [Step] = [.down("SSH-2.0-OpenSSH_9.2\r\n"), .up("SSH-2.0-OpenSSH_9.6\r\n"), .down("keys")]
            try play(Self.connect + banners) { play, comment in
                #expect(Self.rows(play) == [Self.opening], comment)
                try compare(
                    play, proxyTLS: .zero, tls: .zero, others: ByteFlow(up: 21, down: 21 + 4), isSecure: false, comment)
            }
            try play([.tls()] + Self.connect + banners) { play, comment in
                #expect(Self.rows(play) == [Self.opening], comment)
                try compare(
                    play, proxyTLS: play.overheads[0], tls: .zero, others: ByteFlow(up: 21, down: 21 + 4),
                    isSecure: true, comment)
            }
        }

        @Test("a session with another random is another connection's", arguments: [false, true])
        func otherRandom(isHooked: Bool) throws {
            try play([.tls()] + Self.connect + [.tls(isHooked: isHooked, isOwn: false)] + Self.conversation) {
                play, comment in
                #expect(Self.rows(play) == [Self.opening], comment)
                let connection = try #require(play.sink.connections.last)
                #expect(connection.ledger?.up.payload == play.payload.up.bytes, comment)
                #expect(connection.ledger?.up[.proxyTLS] == play.overheads[0].up.bytes, comment)
                // What the tap cannot look into is no message, and nothing names it.
                let rest = play.payload.up.bytes - play.overheads[0].up.bytes - (34 + 25)
                #expect(connection.ledger?.up.unaccounted == rest && rest > 300, "\(comment) \(connection)")
            }
        }
    }
#endif
