import CCurlTap
import ConnectionAccounts
import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// What a connection carries beside its messages has a name where it can be only one thing.
@Suite struct TapReaderLedgerTests {
    /// A server sends 234 bytes after a response that has no body, and closes before or after the exchange ends.
    @Test(arguments: [true, false], ["HEAD", "304", "surplus"])
    func whatComesAfterAResponseIsTheConnectionsWheneverItComes(_ isEarly: Bool, _ kind: String) throws {
        let method = kind == "HEAD" ? "HEAD" : "GET"
        let line = kind == "304" ? "HTTP/1.1 304 Not Modified\r\n\r\n" : "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        let head = UInt64(line.utf8.count)
        let shown: UInt64 = kind == "surplus" ? 5 : 0
        let sent = UInt64("\(method) /a HTTP/1.1\r\n\r\n".utf8.count)
        let all = head + shown + 234
        let sink = try Hearing.of { frames in
            frames.sent("\(method) /a HTTP/1.1\r\n\r\n")
            frames.headIn(line)
            if shown > 0 { frames.body(bytes: shown) }
            frames.end(
                headerSize: Int64(head),
                tcp: FrameBuilder.tcp(sent: sent, received: isEarly ? all : head + shown, isOver: isEarly))
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: sent, received: all), at: 9_000)
        }
        #expect(sink.responses.last?.size.body == .captured(shown))
        let connection = try #require(sink.connections.last)
        #expect(connection.load.parts == [.afterMessage: ByteFlow(down: 234)])
        #expect(connection.ledger?.isClosed == true)
    }

    /// Another program's handle, unmetered, may have used the same connection.
    @Test func whereMoreWasSentThanMetersSawNothingHasAName() throws {
        let sink = try Hearing.of { frames in
            frames.exchange(1)
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 60, received: 90))
        }
        let connection = try #require(sink.connections.last)
        #expect(connection.load.parts == [:])
        #expect(connection.ledger?.up.unaccounted == 30)
        #expect(connection.ledger?.down.unaccounted == 47)
    }

    @Test func whatFollowsOneHundredAndOneIsUpgraded() throws {
        let sink = try Hearing.of { frames in
            frames.sent("GET /ws HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 101 Switching\r\n\r\n")
            frames.end(headerSize: 26)
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 20 + 31, received: 26 + 1_142))
        }
        #expect(sink.connections.last?.load.parts == [.upgraded: ByteFlow(up: 31, down: 1_142)])
    }

    @Test func whatGoesBeforeTheMessagesIsNoPartOfThem() throws {
        let prelude = wwt_prelude(socks_sent: 20, socks_received: 12, proxy_line: 44, begins_tls: 0)
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.connection(tcp: FrameBuilder.tcp(sent: 83, received: 12), prelude: prelude)
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(headerSize: 27, tcp: FrameBuilder.tcp(sent: 83, received: 39, isOver: true))
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 83, received: 39), prelude: prelude)
        }
        #expect(sink.requests.last?.size.total == 19)
        #expect(sink.responses.last?.size.total == 27)
        let connection = try #require(sink.connections.last)
        #expect(connection.load.parts == [.socks: ByteFlow(up: 20, down: 12), .proxyProtocol: ByteFlow(up: 44)])
        #expect(connection.ledger?.isClosed == true)
        #expect(sink.ends.last?.share?.overhead == ByteFlow(up: 64, down: 12))
    }

    @Test func underTLSAHandshakeWithAProxyIsNoTLS() throws {
        let prelude = wwt_prelude(socks_sent: 14, socks_received: 12, proxy_line: 0, begins_tls: 0)
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "https://h/a")
            frames.connection(tls: ("TLSv1.3", "AES"), prelude: prelude)
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(
                headerSize: 27, url: "https://h/a", tcp: FrameBuilder.tcp(sent: 914, received: 2_012),
                plaintext: FrameBuilder.plaintext(sent: 19, received: 27))
        }
        let ledger = try #require(sink.connections.last?.ledger)
        #expect(ledger.up[.socks] == 14 && ledger.down[.socks] == 12)
        #expect(ledger.up.tls == 914 - 14 - 19)
        #expect(ledger.down.tls == 2_012 - 12 - 27)
        #expect(ledger.isClosed)
    }

    /// The handshake belongs to the exchange after the CONNECT, whose connection is no longer new then.
    @Test func behindAConnectEachExchangeHasItsShare() throws {
        let sink = try Hearing.of { frames in
            frames.sent("CONNECT h:443 HTTP/1.1\r\n\r\n", url: "https://h/a")
            frames.headIn("HTTP/1.1 200 OK\r\n\r\n")
            frames.request(at: 3_500, url: "https://h/a", headerSize: 19)
            frames.connection(
                tls: ("TLSv1.3", "AES"), tcp: FrameBuilder.tcp(sent: 26 + 600, received: 19 + 1_600),
                plaintext: FrameBuilder.plaintext(sent: 0, received: 0))
            frames.headOut(at: 3_500, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(at: 3_700, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(
                headerSize: 46, url: "https://h/a",
                tcp: FrameBuilder.tcp(sent: 26 + 600 + 41, received: 19 + 1_600 + 49),
                plaintext: FrameBuilder.plaintext(sent: 19, received: 27))
        }
        let ledger = try #require(sink.connections.last?.ledger)
        #expect(ledger.isClosed)
        #expect(sink.ends.count == 2 && sink.ends.allSatisfy { $0.share != nil })
        let given = sink.ends.compactMap { $0.share?.overhead }.reduce(ByteFlow.zero, +)
        #expect(given == ByteFlow(up: ByteCount(ledger.up.overhead), down: ByteCount(ledger.down.overhead)))
    }

    /// A proxy that refuses a tunnel: its CONNECT is all that the connection carries.
    @Test("TLS that was to begin and never did", arguments: [19, 99] as [UInt64])
    func refusedTunnels(_ received: UInt64) throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "https://h/a")
            frames.headOut("CONNECT h:443 HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 403 No\r\n\r\n")
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 26, received: received))
            frames.end(result: 56, headerSize: 19, url: "https://h/a")
        }
        let connection = try #require(sink.connections.last)
        #expect((connection.tls == nil) == (received == 19))
        let ledger = try #require(connection.ledger)
        #expect(ledger.evidence == (received == 19 ? .captured : .reconstructed))
        #expect(ledger.isClosed)
    }

    /// The program was killed before the tap could read the kernel's count.
    @Test func aConnectionOfWhichTheKernelWasNeverAskedIsToldAsUnknown() throws {
        let hearing = Hearing()
        var frames = FrameBuilder()
        frames.sent()
        try hearing.take(frames.bytes)
        hearing.reader.finish(at: 9_000)
        #expect(hearing.sink.connections.last?.load.exchanges == 1)
        #expect(hearing.sink.connections.last?.coverage()?.unknown == 1)
    }

    private struct OneInterface: InterfaceLookup {
        mutating func network(local: String, remote: String) -> ConnectionNetwork? {
            local == "10.0.0.9" ? ConnectionNetwork(interface: "wlan0", isLoopback: false) : nil
        }
    }

    @Test func aConnectionHasTheNetworkOfItsOwnAddress() throws {
        let sink = RecordingSink()
        let reader = TapReader(
            process: ProcessIdentity(pid: 1, name: "test"), sink: sink,
            interfaces: OneInterface(), wallOffset: { 1_000_000 })
        var frames = FrameBuilder()
        frames.begin()
        frames.request()
        frames.connection()
        frames.headOut("GET /a HTTP/1.1\r\n\r\n")
        try frames.bytes.withUnsafeBytes { try reader.take($0) }
        #expect(sink.connections.last?.network == ConnectionNetwork(interface: "wlan0", isLoopback: false))
    }
}
