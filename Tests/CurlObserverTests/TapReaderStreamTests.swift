import CCurlTap
import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// What becomes of frames of the tap below HTTP libraries.
@Suite struct TapReaderStreamTests {
    @Test func aStreamsExchangeIsLikeAnyOther() throws {
        let sink = try Hearing.of { frames in
            frames.beginStream()
            frames.request(url: "http://h/")
            frames.headOut("GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n")
            frames.headIn("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            frames.body(bytes: 5)
            frames.end(headerSize: 38)
        }
        #expect(sink.requests.first?.url == "http://h/a?b")
        #expect(sink.ends.map(\.outcome) == [.completed])
        #expect(sink.responses.last?.size.body == .captured(5))
    }

    @Test func theTimesOfItsConnectionAreNotTakenForTheQueue() throws {
        let sink = try Hearing.of { frames in
            frames.beginStream(at: 1_000)
            frames.request(
                at: 9_000, url: "https://h/", times: FrameBuilder.times(dns: -1, connect: 2, tls: 5, total: -1))
            frames.headOut(at: 9_000, "GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            frames.headIn(at: 10_000, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(at: 11_000, times: FrameBuilder.times(dns: -1, connect: -1, tls: -1, total: -1))
        }
        let timings = try #require(sink.ends.first?.timings)
        #expect(timings.connect == 2_000 && timings.tls == 3_000 && timings.queue == 3_000)
        #expect(timings.dns == nil)
    }

    @Test func aConnectionThatEndsFirstIsAFailure() throws {
        func outcome(_ errno: Int32, _ why: String) throws -> ExchangeEnd.Outcome? {
            try Hearing.of { frames in
                frames.sent()
                frames.end(how: WWT_END_CUT, result: errno, error: why)
            }.ends.first?.outcome
        }
        #expect(
            try outcome(0, "the connection ended without a response")
                == .failed(
                    ExchangeFailure(.connection, code: 0, message: "the connection ended without a response")))
        #expect(try outcome(104, "reset") == .failed(ExchangeFailure(.posix, code: 104, message: "reset")))
    }

    @Test func aConnectionWhoseTLSNobodyKnowsIsALedgerOfUnseenBytesWithItsReason() throws {
        let sink = try Hearing.of { frames in
            frames.unseen(
                WWT_UNSEEN_TLS, serverName: "api.example.com", tcp: FrameBuilder.tcp(sent: 700, received: 4_000))
        }
        let connection = try #require(sink.connections.first)
        #expect(connection.unseen == UnseenTraffic(reason: .tls, serverName: "api.example.com"))
        #expect(connection.remoteAddress == "10.0.0.1:443" && connection.closedAt != nil)
        let ledger = try #require(connection.ledger)
        #expect(ledger.isClosed && ledger.evidence == .reconstructed)
        #expect(ledger.up[.unseen] == 700 && ledger.down[.unseen] == 4_000 && ledger.down.tls == 0)
    }

    @Test func ofHTTP2ThePlaintextIsUnseenAndTLSIsTheRest() throws {
        let sink = try Hearing.of { frames in
            frames.unseen(
                WWT_UNSEEN_HTTP2, isOpen: true, tcp: FrameBuilder.tcp(sent: 700, received: 4_000),
                plaintext: FrameBuilder.plaintext(sent: 100, received: 2_500))
        }
        let connection = try #require(sink.connections.first)
        #expect(connection.unseen?.reason == .http2 && connection.applicationProtocol == "h2")
        #expect(connection.closedAt == nil)
        let ledger = try #require(connection.ledger)
        #expect(ledger.isClosed && ledger.evidence == .reported)
        #expect(ledger.up[.unseen] == 100 && ledger.up.tls == 600)
        #expect(ledger.down[.unseen] == 2_500 && ledger.down.tls == 1_500)
        #expect(connection.coverage()?.isComplete == false)
    }
}
