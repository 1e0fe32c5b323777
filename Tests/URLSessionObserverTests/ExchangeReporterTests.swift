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

/// Calls that come twice, late or in any order report at most one request, one response and one end of an exchange.
@Suite struct ExchangeReporterTests {
    private let sink = RecordingSink()

    private func reporter() -> ExchangeReporter {
        ExchangeReporter(
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
        let reporter = reporter()
        reporter.begin(try request())
        reporter.receive(try response())
        reporter.receive(Data(count: 5))
        reporter.end(.completed)
        let told = sink.events.count
        reporter.end(.cancelled)
        reporter.receive(try response(500))
        reporter.receive(Data(count: 1_000))
        reporter.sent(1_000)
        reporter.redirect(try response(302))
        reporter.begin(try request("http://h/b"))
        reporter.end(.completed)
        #expect(sink.events.count == told)
        #expect(sink.ends.map(\.outcome) == [.completed])
        #expect(sink.responses.map(\.size.body) == [.init(5, .reconstructed)])
    }

    @Test func withoutABeginNothingIsTold() throws {
        let reporter = reporter()
        reporter.receive(try response())
        reporter.receive(Data(count: 5))
        reporter.sent(5)
        reporter.redirect(try response(302))
        reporter.end(.completed)
        #expect(sink.events.isEmpty)
    }

    @Test func theFirstOfTwoResponsesCounts() throws {
        let reporter = reporter()
        reporter.begin(try request())
        reporter.receive(try response(200))
        reporter.receive(try response(500))
        reporter.end(.completed)
        #expect(sink.responses.map(\.status) == [200])
    }

    @Test func countsThatAreNegativeOrWithoutEndDoNotOverflow() throws {
        let reporter = reporter()
        var streamed = try request()
        streamed.httpMethod = "POST"
        streamed.httpBodyStream = InputStream(data: Data())
        reporter.begin(streamed)
        for count in [Int64.min, -1, .max, .max] { reporter.sent(count) }
        reporter.receive(try response())
        reporter.end(.completed)
        #expect(sink.requests.map(\.size.body) == [.init(ByteCount(Int64.max), .reconstructed)])
    }

    @Test func aRedirectOutOfHTTPIsNoExchange() throws {
        let reporter = reporter()
        reporter.begin(try request())
        reporter.redirect(try response(302))
        reporter.begin(try request("gopher://h/"))
        reporter.end(.failed(ExchangeFailure(.urlSession, code: -1002, message: "unsupported URL")))
        #expect(sink.requests.map(\.url) == ["http://h/a"])
        #expect(sink.ends.map(\.outcome) == [.completed])
    }

    @Test func threadsThatEndItAtOnceEndItOnce() async throws {
        let reporter = reporter()
        reporter.begin(try request())
        await withTaskGroup(of: Void.self) { group in
            for outcome in [ExchangeEnd.Outcome.completed, .cancelled, .abandoned, .timedOut] {
                for _ in 0..<50 {
                    group.addTask {
                        reporter.receive(Data(count: 1))
                        reporter.end(outcome)
                    }
                }
            }
        }
        #expect(sink.ends.count == 1)
        #expect(sink.events.last.map { if case .end = $0 { true } else { false } } == true)
    }
}
