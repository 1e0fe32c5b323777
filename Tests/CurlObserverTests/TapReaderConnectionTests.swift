import CCurlTap
import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// Connections, as frames report them.
@Suite struct TapReaderConnectionTests {
    @Test(arguments: [true, false])
    func theKernelsLastCountReachesTheConnection(_ closesFirst: Bool) throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 204 No Content\r\n\r\n")
            if closesFirst { frames.socketClosed(tcp: FrameBuilder.tcp(sent: 19, received: 27), at: 3_900) }
            frames.end(headerSize: 27, tcp: closesFirst ? wwt_tcp() : FrameBuilder.tcp(sent: 19, received: 1))
            if !closesFirst { frames.socketClosed(tcp: FrameBuilder.tcp(sent: 19, received: 27), at: 5_000) }
        }
        let connection = try #require(sink.connections.first)
        #expect(sink.connections.count == 1)
        #expect(connection.payloadUp == 19)
        #expect(connection.payloadDown == 27)
        #expect(connection.closedAt == Timestamp(nanoseconds: closesFirst ? 1_003_900 : 1_005_000))
        #expect(connection.localAddress == "10.0.0.9:5000")
        #expect(connection.roundTrip == 7_000)
    }

    @Test func aConnectionThatIsOpenAsTheProgramEndsHasCarriedWhatTheKernelSaysThen() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(headerSize: 27, tcp: FrameBuilder.tcp(sent: 19, received: 27))
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 50, received: 27), isLeft: true)
            // A running exchange such as this is still reported, and keeps its connection.
            frames.begin(2)
            frames.request(2, connects: 0)
            frames.headOut(2, "GET /b HTTP/1.1\r\n\r\n")
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 69, received: 40), isLeft: true)
        }
        let connection = try #require(sink.connections.last)
        #expect(connection.payloadUp == 50)
        #expect(connection.payloadDown == 27)
        #expect(connection.ledger?.up.unaccounted == 31)
        #expect(connection.closedAt == nil)
        #expect(Set(sink.connections.map(\.connection)).count == 1)
    }

    @Test func aReusedConnectionIsTheSameOne() throws {
        let sink = try Hearing.of { frames in
            frames.exchange(1)
            frames.exchange(2, at: 10_000, connects: 0)
            frames.exchange(3, at: 20_000, connects: 1, localPort: 5_001)
        }
        #expect(sink.ends.map(\.connection?.rawValue) == [1, 1, 2])
        #expect(sink.ends.map(\.reusedConnection) == [false, true, false])
    }

    @Test func theFirstStreamInATunnelIsNotItsCONNECT() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "https://h/a")
            frames.headOut("CONNECT h:443 HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 200 OK\r\n\r\n")
            frames.stream(1)
            frames.http2([FrameBuilder.part(1, type: 1, content: 30)])
            frames.request(at: 3_500, url: "https://h/a", headerSize: 19)
            frames.headOut(at: 3_500, "GET /a HTTP/2\r\n\r\n")
            frames.end(headerSize: 19)
        }
        let tunnel = try #require(sink.requests.last { $0.method == "CONNECT" })
        let inside = try #require(sink.requests.last { $0.method == "GET" })
        #expect(tunnel.size.total == 26)
        #expect(inside.size.total == 39)
    }

    @Test func aPortThatIsUsedAgainIsANewConnectionAndTheOldOneIsTold() throws {
        let sink = try Hearing.of { frames in
            frames.exchange(1)
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 31, received: 43))
            frames.exchange(2, at: 10_000)
        }
        #expect(sink.connections.map(\.connection.rawValue) == [1, 2])
        #expect(sink.connections.map(\.closedAt) == [Timestamp(nanoseconds: 1_005_000), nil])
        #expect(sink.connections.map(\.payloadDown) == [43, nil])
    }

    @Test func thePortsAloneDoNotMakeAConnection() throws {
        let sink = try Hearing.of { frames in
            for (transfer, remote) in [(UInt64(1), "10.0.0.1"), (2, "10.0.0.2")] {
                frames.begin(transfer)
                frames.request(transfer, remote: remote)
                frames.headOut(transfer, "GET /a HTTP/1.1\r\n\r\n")
            }
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 19, received: 0), remote: "10.0.0.1")
        }
        #expect(sink.connections.map(\.remoteAddress) == ["10.0.0.1:80", "10.0.0.2:80"])
        #expect(sink.connections.map { $0.closedAt != nil } == [true, false])
    }

    @Test func afterAResetTheLocalPortIsEnough() throws {
        let sink = try Hearing.of { frames in
            frames.exchange(1)
            frames.socketClosed(remotePort: 0, tcp: FrameBuilder.tcp(sent: 31, received: 43), remote: "")
        }
        #expect(sink.connections.map(\.payloadUp) == [31])
        #expect(sink.connections.first?.closedAt != nil)
    }

    /// The kernel has counted since the connection opened, so its count includes bytes that were not metered.
    @Test func aConnectionThatWasOpenBeforeHasNoLedgerAndCorrectsNothing() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(connects: 0)
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 200 OK\r\n")
            frames.end(headerSize: 17, connects: 0, tcp: FrameBuilder.tcp(sent: 9_019, received: 70_017, isOver: true))
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 9_019, received: 70_017))
        }
        #expect(sink.responses.first?.size.total == 17)
        #expect(sink.requests.first?.size.total == 19)
        let connection = try #require(sink.connections.first)
        #expect(connection.payloadUp == nil)
        #expect(connection.payloadDown == nil)
        #expect(connection.segmentsUp == nil)
        #expect(connection.ledger == nil)
        #expect(connection.closedAt != nil)
    }

    /// libcurl gives a connection to the next transfer before the end of the last one is reported, and may close it before.
    @Test(arguments: [true, false])
    func whatWasReadUnseenBelongsToTheLastExchangeOnItsConnection(_ firstEndsLast: Bool) throws {
        let sink = try Hearing.of { frames in
            frames.begin(1)
            frames.request(1)
            frames.headOut(1, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(1, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.begin(2)
            frames.request(2, at: 4_000, connects: 0)
            frames.headOut(2, "GET /b HTTP/1.1\r\n\r\n")
            frames.headIn(2, "HTTP/1.1 200 OK\r\n")
            // 27 and 17 bytes were shown, and 5 more were read.
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 38, received: 49))
            frames.end(firstEndsLast ? 2 : 1, headerSize: firstEndsLast ? 17 : 27)
            frames.end(firstEndsLast ? 1 : 2, headerSize: firstEndsLast ? 27 : 17)
        }
        let sizes = Dictionary(uniqueKeysWithValues: sink.responses.map { ($0.exchange.rawValue, $0.size) })
        #expect(sizes[1]?.total == 27)
        #expect(sizes[1]?.evidence == .captured)
        // An exchange that was reported last cannot be reported again, so the five bytes belong to the connection.
        #expect(sizes[2]?.total == (firstEndsLast ? 17 : 22))
        #expect(sizes[2]?.fields.evidence == (firstEndsLast ? .reconstructed : .reported))
    }

    /// The kernel does not report the peer after a reset, and libcurl does not report that of a refused connection.
    @Test func aTransferDoesNotGetAConnectionThatWasOverBeforeItBegan() throws {
        let sink = try Hearing.of { frames in
            frames.socketClosed(
                remotePort: 0, tcp: FrameBuilder.tcp(sent: 617, received: 0), remote: "", at: 500)
            frames.begin(at: 1_000)
            frames.end(result: 7, connects: 0, localPort: 0, remotePort: 0, remote: "", error: "refused")
        }
        #expect(sink.ends.map(\.connection) == [nil])
        #expect(sink.connections == [])
    }

    /// A socket that was reset has no peer any more, and a transfer that was refused never had one.
    @Test func aRefusedTransferDoesNotGetAConnectionOfAnotherProtocolThatWasReset() throws {
        let sink = try Hearing.of { frames in
            frames.begin(at: 1_000)
            frames.socketClosed(
                remotePort: 0, tcp: FrameBuilder.tcp(sent: 41, received: 11), remote: "", at: 1_500)
            frames.end(result: 7, connects: 0, localPort: 0, remotePort: 0, remote: "", error: "refused")
        }
        #expect(sink.ends.map(\.connection) == [nil])
        #expect(sink.connections == [])
    }

    /// A service with a connection per request comes round to the same ports, long before the reader forgets the old ones.
    @Test func eachConnectionIsToldHoweverManyWereClosedAndHoweverPortsComeRound() throws {
        let sink = RecordingSink()
        let reader = TapReader(
            process: ProcessIdentity(pid: 1, name: "test"), sink: sink, memory: 64,
            wallOffset: { 1_000_000 })
        var frames = FrameBuilder()
        let count: UInt64 = 400
        for number in 1...count {
            let port = UInt32(5_000 + number % 7)
            frames.exchange(number, at: number * 10_000, localPort: port)
            frames.socketClosed(
                localPort: port, tcp: FrameBuilder.tcp(sent: 31, received: 43), at: number * 10_000 + 5_000)
        }
        try frames.bytes.withUnsafeBytes { try reader.take($0) }
        let told = Set(
            sink.connections.filter { $0.closedAt != nil && $0.payloadDown == 43 }.map(\.connection.rawValue))
        #expect(told == Set(1...Int64(count)))
        #expect(Set(sink.ends.compactMap(\.connection?.rawValue)) == told)
    }
}
