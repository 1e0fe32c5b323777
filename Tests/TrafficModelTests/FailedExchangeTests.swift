import Testing
import TrafficModel

/// The one definition of what has failed.
@Suite struct FailedExchangeTests {
    @Test(
        "an exchange has failed by its status, or when it ended as failed or timed out",
        arguments: [
            (200, .completed, false), (399, .completed, false), (400, .completed, true), (503, .completed, true),
            (200, .cancelled, false), (0, .cancelled, false), (404, .cancelled, true), (0, .abandoned, false),
            (200, .incomplete, false), (0, .incomplete, false), (500, .incomplete, true), (200, .timedOut, true),
            (0, .timedOut, true), (0, .failed(ExchangeFailure(.libcurl, code: 7)), true), (500, nil, true),
            (200, nil, false), (0, nil, false),
        ] as [(Int, ExchangeEnd.Outcome?, Bool)])
    func definition(_ status: Int, _ outcome: ExchangeEnd.Outcome?, hasFailed: Bool) {
        let exchange = Self.exchange(status, outcome)
        #expect(exchange.hasFailed == hasFailed)
        var total = TrafficTotal(key: .init())
        total.add(exchange)
        #expect(total.failures == (hasFailed ? 1 : 0))
        #expect(total.failureRate == (hasFailed ? 1 : 0))
    }

    @Test func nothingHasNoRate() { #expect(TrafficTotal(key: .init()).failureRate == nil) }

    @Test("a code is one of its domain")
    func domains() {
        #expect(ExchangeFailure(.libcurl, code: 7) != ExchangeFailure(.urlSession, code: 7))
        #expect(ExchangeFailure.Domain.urlSession.rawValue == "NSURLErrorDomain")
        #expect(ExchangeEnd.Outcome.failed(ExchangeFailure(.posix, code: 2)).name == "failed")
    }

    static func exchange(_ status: Int, _ outcome: ExchangeEnd.Outcome?) -> Exchange {
        let id = ExchangeID(1)
        let request = RequestRecord(
            exchange: id, task: id, resendCount: 0, process: ProcessIdentity(pid: 1, name: "a"),
            startedAt: Timestamp(nanoseconds: 0), method: "GET", scheme: "http", host: "h", port: 80, path: "/",
            query: nil, httpVersion: "1.1", fields: FieldSection(), size: .nothing)
        let response =
            status == 0
            ? nil
            : ResponseRecord(
                exchange: id, firstByteAt: Timestamp(nanoseconds: 1), status: status, reason: "", httpVersion: "1.1",
                fields: FieldSection(), size: .nothing)
        let end = outcome.map {
            ExchangeEnd(exchange: id, endedAt: Timestamp(nanoseconds: 2), outcome: $0, timings: ExchangeTimings())
        }
        return Exchange(request: request, response: response, end: end)
    }
}
