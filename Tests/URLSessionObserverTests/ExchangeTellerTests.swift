import Foundation
import Observing
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Calls that come twice, late or in no order at all tell at most one request, one response and one end of an exchange.
@Suite struct ExchangeTellerTests {
    private let sink = RecordingSink()

    private func teller() -> ExchangeTeller {
        ExchangeTeller(
            output: ObserverOutput(sink: sink), surroundings: .init(), recompression: Recompression(), isSilent: false)
    }

    private func request(_ url: String = "http://h/a") throws -> URLRequest {
        URLRequest(url: try #require(URL(string: url)))
    }

    private func response(_ status: Int = 200) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://h/a"))
        return try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: ["Content-Length": "5"]))
    }

    @Test func nothingIsToldBehindTheEnd() throws {
        let teller = teller()
        teller.begin(try request())
        teller.receive(try response())
        teller.receive(Data(count: 5))
        teller.end(.completed)
        let told = sink.events.count
        teller.end(.cancelled)
        teller.receive(try response(500))
        teller.receive(Data(count: 1_000))
        teller.sent(1_000)
        teller.redirect(try response(302))
        teller.begin(try request("http://h/b"))
        teller.end(.completed)
        #expect(sink.events.count == told)
        #expect(sink.ends.map(\.outcome) == [.completed])
        #expect(sink.responses.map(\.size.body) == [.init(5, .reconstructed)])
    }

    @Test func withoutABeginNothingIsTold() throws {
        let teller = teller()
        teller.receive(try response())
        teller.receive(Data(count: 5))
        teller.sent(5)
        teller.redirect(try response(302))
        teller.end(.completed)
        #expect(sink.events.isEmpty)
    }

    @Test func theFirstOfTwoResponsesCounts() throws {
        let teller = teller()
        teller.begin(try request())
        teller.receive(try response(200))
        teller.receive(try response(500))
        teller.end(.completed)
        #expect(sink.responses.map(\.status) == [200])
    }

    @Test func countsThatAreNegativeOrWithoutEndDoNotOverflow() throws {
        let teller = teller()
        var streamed = try request()
        streamed.httpMethod = "POST"
        streamed.httpBodyStream = InputStream(data: Data())
        teller.begin(streamed)
        for count in [Int64.min, -1, .max, .max] { teller.sent(count) }
        teller.receive(try response())
        teller.end(.completed)
        #expect(sink.requests.map(\.size.body) == [.init(ByteCount(Int64.max), .reconstructed)])
    }

    @Test func aRedirectOutOfHTTPIsNoExchange() throws {
        let teller = teller()
        teller.begin(try request())
        teller.redirect(try response(302))
        teller.begin(try request("gopher://h/"))
        teller.end(.failed(ExchangeFailure(.urlSession, code: -1002, message: "unsupported URL")))
        #expect(sink.requests.map(\.url) == ["http://h/a"])
        #expect(sink.ends.map(\.outcome) == [.completed])
    }

    @Test func threadsThatEndItAtOnceEndItOnce() async throws {
        let teller = teller()
        teller.begin(try request())
        await withTaskGroup(of: Void.self) { group in
            for outcome in [ExchangeEnd.Outcome.completed, .cancelled, .abandoned, .timedOut] {
                for _ in 0..<50 {
                    group.addTask {
                        teller.receive(Data(count: 1))
                        teller.end(outcome)
                    }
                }
            }
        }
        #expect(sink.ends.count == 1)
        #expect(sink.events.last.map { if case .end = $0 { true } else { false } } == true)
    }
}
