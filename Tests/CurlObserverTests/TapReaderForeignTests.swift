import CCurlTap
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// What is no HTTP in a transfer of libcurl's: the requests around it are metered, and the rest is its connection's.
@Suite struct TapReaderForeignTests {
    private static let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"

    @Test("a WebSocket: the request that opens it and its 101 are an exchange", arguments: ["ws", "wss"])
    func webSocket(scheme: String) throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "\(scheme)://h/chat")
            frames.headOut("GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n")
            frames.headIn(Self.switching)
            frames.foreign()
            frames.end(result: 56, url: "\(scheme)://h/chat")
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 1_000, received: 2_000, isOver: true))
        }
        #expect(sink.requests.map(\.scheme) == [scheme])
        #expect(sink.requests.map(\.port) == [scheme == "ws" ? 80 : 443])
        #expect(sink.requests.map(\.size.known) == [42])
        #expect(sink.responses.map(\.status) == [101])
        #expect(sink.responses.map(\.size.known) == [ByteCount(Self.switching.utf8.count)])
        if scheme == "ws" {
            let ledger = try #require(sink.connections.first?.ledger)
            #expect(ledger.up[.upgraded] == 1_000 - 42)
            #expect(ledger.down[.upgraded] == 2_000 - Int64(Self.switching.utf8.count))
            #expect(ledger.isClosed)
        }
        // What came of the WebSocket later is not what came of the request that opened it.
        #expect(sink.ends.map(\.outcome) == [.completed])
    }

    @Test("a request to a proxy for another protocol's URL")
    func absoluteForm() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "ftp://f.test/f")
            frames.headOut("GET ftp://f.test/f HTTP/1.1\r\nHost: f.test\r\n\r\n")
            frames.headIn("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            frames.body(bytes: 5)
            frames.end(headerSize: 38, url: "ftp://f.test/f")
        }
        #expect(sink.requests.map(\.host) == ["f.test"])
        #expect(sink.requests.map(\.path) == ["/f"])
        #expect(sink.responses.map(\.size.known) == [43])
        #expect(sink.ends.map(\.outcome) == [.completed])
    }

    @Test("a tunnel for another protocol: the CONNECT is an exchange, and how that protocol ends is not its outcome")
    func tunnel() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "imap://f.test/")
            frames.headOut("CONNECT f.test:143 HTTP/1.1\r\nHost: f.test:143\r\n\r\n")
            frames.headIn("HTTP/1.1 200 Connection established\r\n\r\n")
            frames.foreign()
            frames.end(result: 67, url: "imap://f.test/")
        }
        #expect(sink.requests.map(\.method) == ["CONNECT"])
        #expect(sink.ends.map(\.outcome) == [.completed])
    }

    @Test("a transfer of another protocol without HTTP is no exchange")
    func noHTTP() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.end(url: "ftp://f.test/f")
        }
        #expect(sink.requests.isEmpty)
        #expect(sink.connections.isEmpty)
    }

    @Test("a connection that libcurl has made for the program to speak on is no exchange, and has its count")
    func connectOnly() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.end(tcp: FrameBuilder.tcp(sent: 0, received: 0))
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 30, received: 59, isOver: true))
        }
        #expect(sink.requests.isEmpty)
        #expect(sink.ends.isEmpty)
        #expect(sink.connections.map(\.payloadUp) == [30])
        #expect(sink.connections.map(\.payloadDown) == [59])
        let ledger = try #require(sink.connections.first?.ledger)
        #expect([ledger.up[.upgraded], ledger.down[.upgraded]] == [30, 59])
        #expect(sink.connections.first?.closedAt != nil)
    }

    @Test("a connection that could not be made is an attempt")
    func refused() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.end(result: 7, localPort: 0, error: "Couldn't connect to server")
        }
        #expect(sink.requests.count == 1)
    }
}
