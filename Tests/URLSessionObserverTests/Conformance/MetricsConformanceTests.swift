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

/// Task metrics keep to what every observer must deliver, as far as it can be seen here.
///
/// Foundation for Linux collects no metrics, so they are replayed: real exchanges are made, and the observer is fed
/// what Apple's documentation says the system would have reported of them, with the counts of the origin's log. That
/// the system counts so is not proven by it.
@Suite(.oneAtATime, .timeLimit(.minutes(2)))
struct MetricsConformanceTests {
    @Test(arguments: ObserverConformance.Rule.allCases)
    func replayedMetricsKeep(rule: ObserverConformance.Rule) async {
        let conformance = ObserverConformance(storage: { TrafficPipeline(to: $0) }) { ReplayedMetrics(telling: $0) }
        #expect(await conformance.check([rule]) == [])
    }
}

/// A session that nothing watches, and its exchanges as metrics.
private final class ReplayedMetrics: ConformingObserver {
    private let observer: MetricsObserver
    private let session = URLSession(configuration: .ephemeral)

    init(telling sink: any TrafficSink) {
        observer = MetricsObserver(output: ObserverOutput(sink: sink))
    }

    deinit { session.finishTasksAndInvalidate() }

    func send(_ call: ConformanceCall) async -> ConformanceAnswer {
        let begin = Date()
        let answer = await call.send(in: session)
        let hops = call.origin.exchanges.filter {
            $0.parsed?.path.split(separator: "/").first.map(String.init) == call.name
        }
        let transactions =
            hops.isEmpty
            ? [PlainTransaction(refused: call, at: begin)] : hops.map { PlainTransaction($0, of: call, at: begin) }
        observer.collect(transactions, error: answer.error)
        return answer
    }

    func flush() async {}

    func stop() async { observer.stop() }
}

extension PlainTransaction {
    /// A connection was tried, and nothing sent.
    fileprivate init(refused call: ConformanceCall, at begin: Date) {
        self.init(call.url)
        request.httpMethod = call.method
        for field in call.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        count(up: 0, 0, down: 0, 0, 0)
        fetchStartDate = begin
        connectStartDate = begin
    }

    /// What the system would report of it: heads with their start lines, content with its framing.
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
            Int64(exchange.response.body + exchange.response.framing), -1)
        networkProtocolName = "http/1.1"
        fetchStartDate = begin
        requestStartDate = begin
        requestEndDate = begin
        if response != nil { responseStartDate = Date() }
        responseEndDate = responseStartDate
    }
}
