import CCurlTap
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// TLS to an HTTPS proxy has a name apart from the TLS that goes through it.
@Suite struct TapReaderProxyTLSTests {
    private static let connect = "CONNECT h:443 HTTP/1.1\r\n\r\n"  // 26 bytes
    private static let established = "HTTP/1.1 200 OK\r\n\r\n"  // 19

    @Test("each TLS has what it took of what went through it")
    func nested() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "https://h/a")
            frames.connection(
                tls: ("TLSv1.3", "OUTER"), tcp: FrameBuilder.tcp(sent: 600, received: 2_000),
                plaintext: FrameBuilder.plaintext(sent: 26, received: 0))
            frames.headOut(Self.connect)
            frames.headIn(Self.established)
            frames.request(at: 3_500, url: "https://h/a", headerSize: 19)
            frames.connection(
                tls: ("TLSv1.2", "INNER"), tcp: FrameBuilder.tcp(sent: 1_400, received: 4_000),
                plaintext: FrameBuilder.plaintext(sent: 19, received: 0, proxy: (sent: 700, received: 1_900)))
            frames.headOut(at: 3_500, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(at: 3_700, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(headerSize: 46, url: "https://h/a")
            frames.socketClosed(
                tcp: FrameBuilder.tcp(sent: 1_500, received: 4_200),
                plaintext: FrameBuilder.plaintext(sent: 19, received: 27, proxy: (sent: 800, received: 2_000)))
        }
        let connection = try #require(sink.connections.last)
        #expect(connection.tls == ConnectionRecord.TLS(version: "TLSv1.2", cipher: "INNER"))
        let ledger = try #require(connection.ledger)
        #expect(ledger.up[.proxyTLS] == 1_500 - 800 && ledger.down[.proxyTLS] == 4_200 - 2_000)
        #expect(ledger.up.tls == 800 - 26 - 19 && ledger.down.tls == 2_000 - 19 - 27)
        #expect(ledger.isClosed && ledger.evidence == .reported)
    }

    @Test("all TLS is the proxy's where the URL asks for none, also around a tunnel", arguments: [true, false])
    func forward(_ isTunnel: Bool) throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.connection(tls: ("TLSv1.3", "AES"))
            if isTunnel {
                frames.headOut(Self.connect)
                frames.headIn(Self.established)
                frames.request(at: 3_500, headerSize: 19)
            }
            frames.headOut(at: 3_500, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(at: 3_700, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(headerSize: isTunnel ? 46 : 27)
            frames.socketClosed(
                tcp: FrameBuilder.tcp(sent: 1_500, received: 4_200),
                plaintext: FrameBuilder.plaintext(
                    sent: isTunnel ? 26 + 19 : 19, received: isTunnel ? 19 + 27 : 27))
        }
        let ledger = try #require(sink.connections.last?.ledger)
        #expect(ledger.up[.proxyTLS] == 1_500 - (isTunnel ? 45 : 19))
        #expect(ledger.down[.proxyTLS] == 4_200 - (isTunnel ? 46 : 27))
        #expect(ledger.up.tls == 0 && ledger.down.tls == 0 && ledger.isClosed)
    }

    @Test("a CONNECT in TLS that is refused leaves only the proxy's TLS")
    func refused() throws {
        let answer = "HTTP/1.1 403 Forbidden\r\n\r\n"
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "https://h/a")
            frames.connection(tls: ("TLSv1.3", "AES"))
            frames.headOut(Self.connect)
            frames.headIn(answer)
            frames.end(result: 56, headerSize: Int64(answer.utf8.count), url: "https://h/a")
            frames.socketClosed(
                tcp: FrameBuilder.tcp(sent: 900, received: 1_600),
                plaintext: FrameBuilder.plaintext(sent: 26, received: UInt64(answer.utf8.count)))
        }
        let ledger = try #require(sink.connections.last?.ledger)
        #expect(ledger.up[.proxyTLS] == 900 - 26 && ledger.down[.proxyTLS] == 1_600 - Int64(answer.utf8.count))
        #expect(ledger.up.tls == 0 && ledger.down.tls == 0 && ledger.isClosed)
    }

    @Test("after a plain proxy's CONNECT all TLS is the origin's")
    func plainProxy() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "https://h/a")
            frames.connection()
            frames.headOut(Self.connect)
            frames.headIn(Self.established)
            frames.request(at: 3_500, url: "https://h/a", headerSize: 19)
            frames.connection(tls: ("TLSv1.3", "AES"))
            frames.headOut(at: 3_500, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(at: 3_700, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(headerSize: 46, url: "https://h/a")
            frames.socketClosed(
                tcp: FrameBuilder.tcp(sent: 1_500, received: 4_200),
                plaintext: FrameBuilder.plaintext(sent: 19, received: 27))
        }
        let connection = try #require(sink.connections.last)
        #expect(connection.load.parts == [:])
        let ledger = try #require(connection.ledger)
        #expect(ledger.up.tls == 1_500 - 26 - 19 && ledger.isClosed)
    }

    /// The kernel's count has TLS, and the answer has not.
    @Test("a response through TLS to a proxy is not lengthened by that TLS")
    func untilClose() throws {
        let answer = "HTTP/1.1 200 OK\r\n\r\n"
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.connection(tls: ("TLSv1.3", "AES"))
            frames.headOut("GET http://h/a HTTP/1.1\r\n\r\n")
            frames.headIn(answer)
            frames.body(bytes: 50)
            frames.end(
                headerSize: Int64(answer.utf8.count),
                tcp: FrameBuilder.tcp(sent: 600, received: 2_000, isEnded: true),
                plaintext: FrameBuilder.plaintext(sent: 27, received: UInt64(answer.utf8.count) + 50))
        }
        #expect(sink.responses.last?.size.body == .captured(50))
        #expect(sink.connections.last?.ledger?.isClosed == true)
    }
}
