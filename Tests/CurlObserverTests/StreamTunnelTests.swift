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

        /// Compares the one connection, whose tunnel carries TLS that no known session has.
        private func compareUnseen(
            _ play: ConnectionPlay, proxyTLS: ByteFlow, _ comment: Comment,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let connection = try #require(play.sink.connections.last, comment, sourceLocation: sourceLocation)
            let ledger = try #require(connection.ledger, comment, sourceLocation: sourceLocation)
            #expect(connection.unseen == UnseenTraffic(reason: .tls), comment, sourceLocation: sourceLocation)
            #expect(connection.applicationProtocol.isEmpty, comment, sourceLocation: sourceLocation)
            #expect(connection.tls != nil, comment, sourceLocation: sourceLocation)
            #expect(ledger.isClosed, "\(comment): \(ledger)", sourceLocation: sourceLocation)
            // Of no TLS the plaintext was counted, or of the proxy's.
            let evidence: Evidence = proxyTLS == .zero ? .reconstructed : .reported
            #expect(ledger.evidence == evidence, comment, sourceLocation: sourceLocation)
            for (side, way, opening) in [
                (ledger.up, \ByteFlow.up, 34 + 25), (ledger.down, \ByteFlow.down, 37 + 14),
            ] as [(ConnectionLedger.Side, KeyPath<ByteFlow, ByteCount>, Int64)] {
                let rest = play.payload[keyPath: way].bytes - proxyTLS[keyPath: way].bytes - opening
                #expect(side.messages == opening, comment, sourceLocation: sourceLocation)
                #expect(side[.proxyTLS] == proxyTLS[keyPath: way].bytes, comment, sourceLocation: sourceLocation)
                #expect(side[.unseen] == rest && rest > 300, comment, sourceLocation: sourceLocation)
                #expect(side.tls == 0, comment, sourceLocation: sourceLocation)
            }
        }

        @Test("a session with another random is another connection's", arguments: [false, true])
        func otherRandom(isHooked: Bool) throws {
            try play([.tls()] + Self.connect + [.tls(isHooked: isHooked, isOwn: false)] + Self.conversation) {
                play, comment in
                #expect(Self.rows(play) == [Self.opening], comment)
                try compareUnseen(play, proxyTLS: play.overheads[0], comment)
            }
        }

        @Test("TLS of a library that is not known, through a proxy in the clear, is not seen")
        func unknownLibrary() throws {
            try play(Self.connect + [.tls(isHooked: false)] + Self.conversation) { play, comment in
                #expect(Self.rows(play) == [Self.opening], comment)
                try compareUnseen(play, proxyTLS: .zero, comment)
            }
        }

        @Test("TLS that passes through a program that is the proxy is overhead of the CONNECT")
        func proxysOwn() throws {
            try play(Self.connect + [.tls(isHooked: false)] + Self.conversation, isServer: true) { play, comment in
                #expect(play.sink.requests.map(\.method) == ["CONNECT"], comment)
                let connection = try #require(play.sink.connections.last, comment)
                let ledger = try #require(connection.ledger, comment)
                #expect(ledger.isClosed && ledger.evidence == .reconstructed, "\(comment) \(ledger)")
                #expect(ledger.up.tls == play.payload.up.bytes - (34 + 25), comment)
                #expect(ledger.down.tls == play.payload.down.bytes - (37 + 14), comment)
                #expect(connection.unseen == nil && connection.applicationProtocol.isEmpty, comment)
            }
        }

        @Test("the protocol is that of the tunnel, and that of the CONNECT if there is none")
        func protocols() throws {
            let refusal = Step.down("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
            let old = Step.down("HTTP/1.0 200 OK\r\n\r\n")
            let inner: [Step] = [
                .up("GET / HTTP/1.1\r\nHost: inside.test\r\n\r\n"), .down("HTTP/1.1 204 No Content\r\n\r\n"),
            ]
            let banner = Step.down("SSH-2.0-OpenSSH_9.2\r\n")
            for (steps, name) in [
                ([Self.connect[0], refusal], "http/1.1"), ([.tls(), Self.connect[0], refusal], "http/1.1"),
                ([Self.connect[0], old], "http/1.0"), ([Self.connect[0], old, banner], "http/1.0"),
                ([Self.connect[0], old] + inner, "http/1.1"), ([Self.connect[0], old, .tls()] + inner, "http/1.1"),
                ([.tls(), Self.connect[0], old, .tls()] + inner, "http/1.1"),
            ] as [([Step], String)] {
                try play(steps) { play, comment in
                    #expect(
                        play.sink.connections.last?.applicationProtocol == name, "\(comment) \(steps)")
                }
            }
        }

        @Test("TLS of a known library is seen, also if nothing was sent inside it")
        func nothingInside() throws {
            try play(Self.connect + [.tls()]) { play, comment in
                #expect(Self.rows(play) == [Self.opening], comment)
                let connection = try #require(play.sink.connections.last, comment)
                #expect(connection.unseen == nil && connection.ledger?.isClosed == true, "\(comment) \(connection)")
                #expect(connection.ledger?.up.tls == play.overheads[0].up.bytes, comment)
                #expect(connection.ledger?.down.tls == play.overheads[0].down.bytes, comment)
            }
        }
    }
#endif
