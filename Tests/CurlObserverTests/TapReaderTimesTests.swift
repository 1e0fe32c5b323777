import CCurlTap
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// The times of an exchange close, whatever libcurl's own clocks say.
@Suite struct TapReaderTimesTests {
    private func closes(_ sink: RecordingSink) {
        for (request, end) in zip(sink.requests, sink.ends) {
            #expect(Exchange(request: request, end: end).timeFaults == [])
        }
    }

    /// libcurl 7.88 says that a transfer on a reused connection took microseconds when it was given up.
    @Test(arguments: [(WWT_END_DONE, 28), (WWT_END_REMOVED, 0)] as [(wwt_end_how, Int32)])
    func whatIsGivenUpOnAReusedConnectionTookTheTimeUntilThen(_ how: wwt_end_how, result: Int32) throws {
        let sink = try Hearing.of { frames in
            frames.exchange(1)
            frames.begin(2, at: 10_000)
            frames.request(2, at: 20_000, connects: 0)
            frames.headOut(2, at: 20_000, "GET /hang HTTP/1.1\r\n\r\n")
            frames.end(
                2, at: 2_000_020_000, how: how, result: result, connects: 0, times: FrameBuilder.times(total: 91))
        }
        let timings = try #require(sink.ends.last?.timings)
        #expect(timings == ExchangeTimings(queue: 10_000, send: 0, wait: 2_000_000_000, total: 2_000_010_000))
        #expect(sink.requests.last?.startedAt == Timestamp(nanoseconds: 1_010_000))
        #expect(sink.ends.last?.endedAt == Timestamp(nanoseconds: 2_001_020_000))
        closes(sink)
    }

    @Test func aProgramThatAsksLateMakesNoExchangeLonger() throws {
        let sink = try Hearing.of { frames in
            frames.sent()
            frames.headIn(at: 5_000, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            frames.body(bytes: 5, first: 5_000, last: 6_000)
            frames.end(at: 9_000_000, headerSize: 38, times: FrameBuilder.times(total: 7))
        }
        #expect(sink.ends.map(\.endedAt.nanoseconds) == [1_008_000])
        #expect(
            sink.ends.map(\.timings) == [
                ExchangeTimings(queue: 1_000, dns: 0, connect: 0, send: 0, wait: 3_000, receive: 1_000, total: 7_000)
            ])
        closes(sink)
    }

    @Test func theTimeBeforeTheRequestIsTheLookupTheHandshakesAndTheQueue() throws {
        let sink = try Hearing.of { frames in
            frames.begin(at: 1_000)
            frames.request(at: 101_000, url: "https://h/a", times: FrameBuilder.times(dns: 10, connect: 30, tls: 70))
            frames.headOut(at: 101_000, "POST /a HTTP/1.1\r\nContent-Length: 9\r\n\r\n")
            frames.body(out: true, bytes: 9, first: 102_000, last: 111_000)
            frames.headIn(at: 121_000, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            frames.body(bytes: 5, first: 121_500, last: 151_000)
            frames.end(
                at: 160_000, headerSize: 38, url: "https://h/a", times: FrameBuilder.times(tls: 70, total: 159))
        }
        #expect(
            sink.ends.map(\.timings) == [
                ExchangeTimings(
                    queue: 30_000, dns: 10_000, connect: 20_000, tls: 40_000, send: 10_000, wait: 10_000,
                    receive: 30_000, total: 159_000)
            ])
        #expect(sink.ends.first?.timings.unattributed == 9_000)
        closes(sink)
    }

    /// Whole microseconds of libcurl's can be more than the nanoseconds of ours.
    @Test func handshakesThatTakeMoreThanThereWasAreCut() throws {
        let sink = try Hearing.of { frames in
            frames.begin(at: 1_000)
            frames.request(at: 30_500, times: FrameBuilder.times(dns: 10, connect: 30))
            frames.headOut(at: 30_500, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(at: 40_000, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(at: 41_000, headerSize: 27, times: FrameBuilder.times(total: 40))
        }
        let timings = try #require(sink.ends.first?.timings)
        #expect([timings.queue, timings.dns, timings.connect] == [0, 10_000, 19_500])
        closes(sink)
    }

    @Test func aResponseThatComesBeforeTheRequestIsWholeOverlapsNothing() throws {
        let sink = try Hearing.of { frames in
            frames.sent("POST /a HTTP/1.1\r\nContent-Length: 900\r\n\r\n")
            frames.headIn(at: 3_000, "HTTP/1.1 413 No\r\nContent-Length: 5\r\n\r\n")
            frames.body(bytes: 5, first: 3_100, last: 9_000)
            frames.body(out: true, bytes: 900, first: 2_100, last: 8_000)
            frames.end(at: 10_000, headerSize: 38)
        }
        let timings = try #require(sink.ends.first?.timings)
        #expect([timings.send, timings.wait, timings.receive] == [1_000, 0, 6_000])
        closes(sink)
    }

    @Test func anInterimResponseIsNoAnswer() throws {
        let sink = try Hearing.of { frames in
            frames.sent("POST /a HTTP/1.1\r\nContent-Length: 900\r\nExpect: 100-continue\r\n\r\n")
            frames.headIn(at: 3_000, "HTTP/1.1 100 Continue\r\n\r\n")
            frames.body(out: true, bytes: 900, first: 4_000, last: 5_000)
            frames.end(at: 50_000, result: 28, headerSize: 25)
        }
        let timings = try #require(sink.ends.first?.timings)
        #expect([timings.send, timings.wait, timings.receive] == [3_000, 45_000, nil])
        closes(sink)
    }

    /// The first request was lost with its connection; libcurl then opened another.
    @Test func aRetryBeginsWithItsHandshakes() throws {
        let sink = try Hearing.of { frames in
            frames.begin(at: 1_000)
            frames.request(at: 2_000, connects: 0, times: FrameBuilder.times(dns: 1, connect: 1))
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.request(
                at: 90_000, connects: 1, localPort: 5_001, times: FrameBuilder.times(dns: 11, connect: 41))
            frames.headOut(at: 90_000, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(at: 95_000, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(at: 96_000, headerSize: 27, localPort: 5_001)
        }
        #expect(sink.ends.map(\.endedAt.nanoseconds) == [1_050_000, 1_096_000])
        #expect(sink.requests.map(\.startedAt.nanoseconds) == [1_001_000, 1_050_000])
        #expect(sink.ends.map(\.timings.connect) == [nil, 30_000])
        closes(sink)
    }

    @Test func theHandshakeBehindAProxyIsTheNextRequests() throws {
        let sink = try Hearing.of { frames in
            frames.begin(at: 1_000)
            frames.request(at: 50_000, url: "https://h/a", times: FrameBuilder.times(dns: 5, connect: 30))
            frames.headOut(at: 50_000, "CONNECT h:443 HTTP/1.1\r\n\r\n")
            frames.headIn(at: 60_000, "HTTP/1.1 200 OK\r\n\r\n")
            frames.request(
                at: 100_000, url: "https://h/a", headerSize: 19,
                times: FrameBuilder.times(dns: 5, connect: 30, tls: 95))
            frames.headOut(at: 100_000, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(at: 110_000, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(
                at: 111_000, headerSize: 46, url: "https://h/a",
                times: FrameBuilder.times(dns: 5, connect: 30, tls: 95, total: 110))
        }
        #expect(sink.ends.map(\.timings.tls) == [nil, 40_000])
        #expect(sink.ends.last?.timings.queue == 0)
        closes(sink)
    }

    @Test func anAttemptThatSentNothingHasNoMomentOfSending() throws {
        let sink = try Hearing.of { frames in
            frames.begin(at: 1_000)
            frames.end(
                at: 2_000_001_000, result: 28, connects: 0, localPort: 0, remotePort: 0, url: "http://h/x", remote: "",
                error: "Timeout", times: FrameBuilder.times(dns: 300, total: 5))
        }
        #expect(sink.requests.map(\.sentAt) == [nil])
        #expect(sink.ends.map(\.timings) == [ExchangeTimings(dns: 300_000, total: 2_000_000_000)])
        closes(sink)
    }
}
