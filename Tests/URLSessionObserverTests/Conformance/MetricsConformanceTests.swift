import Foundation
import Observing
import TestSupport
import Testing
import TrafficModel
import TrafficPipeline
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Task metrics follow the rules for observers, as far as that can be tested here.
///
/// Foundation for Linux collects no metrics, so they are replayed: the test makes real exchanges, and gives the observer
/// what Apple's documentation says the system would have reported, with the counts of the origin's log. This does not
/// prove that the system counts in this way.
@Suite(.oneAtATime, .timeLimit(.minutes(2)))
struct MetricsConformanceTests {
    @Test(arguments: ObserverConformance.Rule.allCases)
    func replayedMetricsKeep(rule: ObserverConformance.Rule) async {
        let conformance = ObserverConformance(storage: { TrafficPipeline(to: $0) }) { ReplayedMetrics(reportingTo: $0) }
        #expect(await conformance.check([rule]) == [])
    }
}

/// A session that is not metered, and its exchanges as metrics.
private final class ReplayedMetrics: ConformingObserver {
    private let observer: MetricsObserver
    private let session = URLSession(configuration: .ephemeral)

    init(reportingTo sink: any TrafficSink) {
        observer = MetricsObserver(output: ObserverOutput(sink: sink))
    }

    deinit { session.finishTasksAndInvalidate() }

    func send(_ call: ConformanceCall) async -> ConformanceResult {
        let begin = Date()
        let result = await call.send(in: session)
        let attempts = call.origin.exchanges.filter {
            $0.parsed?.path.split(separator: "/").first.map(String.init) == call.name
        }
        let transactions =
            attempts.isEmpty
            ? [PlainTransaction(refused: call, at: begin)] : attempts.map { PlainTransaction($0, of: call, at: begin) }
        observer.collect(transactions, error: result.error)
        return result
    }

    func flush() async {}

    func stop() async { observer.stop() }
}

extension PlainTransaction {
    /// A request whose connection was refused, so that nothing was sent.
    fileprivate init(refused call: ConformanceCall, at begin: Date) {
        self.init(call.url)
        request.httpMethod = call.method
        for field in call.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        count(up: 0, 0, down: 0, 0, 0)
        fetchStartDate = begin
        connectStartDate = begin
    }

    /// An exchange as the system would report it: start line and headers in one count, body and framing in another.
    fileprivate init(_ exchange: OriginExchange, of call: ConformanceCall, at begin: Date) {
        let head = String(decoding: exchange.responseLog.kept, as: UTF8.self).components(separatedBy: "\r\n\r\n")[0]
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            let parts = line.components(separatedBy: ": ")
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        self.init(
            call.origin.address + exchange.target, status: words.count > 1 ? Int(words[1]) : nil,
            fields: Dictionary(fields) { $1 })
        request.httpMethod = exchange.method
        for field in exchange.parsed?.fields ?? [] { request.setValue(field.value, forHTTPHeaderField: field.name) }
        count(
            up: Int64(exchange.request.startLine + exchange.request.fields),
            Int64(exchange.request.body + exchange.request.framing),
            down: Int64(exchange.response.startLine + exchange.response.fields),
            Int64(exchange.response.body + exchange.response.framing), Int64(exchange.response.body))
        countOfRequestBodyBytesBeforeEncoding = Int64(exchange.request.body)
        networkProtocolName = "http/1.1"
        fetchStartDate = begin
        requestStartDate = begin
        requestEndDate = begin
        if response != nil { responseStartDate = Date() }
        responseEndDate = responseStartDate
    }
}
