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

/// A wrapped delegate is called as if nothing had been wrapped around it.
@Suite(.oneAtATime, .timeLimit(.minutes(1)))
struct MetricsDelegateTests {
    private let sink = RecordingSink()
    private var observer: MetricsObserver { MetricsObserver(output: ObserverOutput(sink: sink)) }

    private func callbacks(
        of differential: DifferentialCase, isWrapped: Bool
    ) async throws -> (DifferentialCase.Seen, [String]) {
        let origin = LoopbackOrigin(handler: differential.script)
        try origin.start()
        defer { origin.stop() }
        let recorder = DelegateRecorder(differential)
        let delegate: any URLSessionDelegate =
            isWrapped ? MetricsDelegate(wrapping: recorder, observer: observer) : recorder
        let session = URLSession(configuration: differential.configuration(), delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        var seen = await withCheckedContinuation { continuation in
            recorder.begin(continuation)
            let task = session.dataTask(with: differential.request(to: origin.address))
            task.resume()
            differential.cancel(at: origin) { task.cancel() }
        }
        seen.fields["Date"] = nil
        _ = origin.waitUntilIdle(seconds: 1)
        return (seen, origin.exchanges.map { "\($0.method) \($0.target) \($0.request.total)" })
    }

    @Test(arguments: DifferentialTests.cases.filter { $0.styles.contains(.delegate) })
    func aWrappedDelegateSeesWhatItSawBefore(differential: DifferentialCase) async throws {
        let (plain, plainLog) = try await callbacks(of: differential, isWrapped: false)
        let (wrapped, wrappedLog) = try await callbacks(of: differential, isWrapped: true)
        #expect(wrapped == plain)
        // The port has five digits on either run.
        #expect(wrappedLog == plainLog)
    }

    @Test func aDelegateIsWrappedOnce() {
        let recorder = DelegateRecorder(DifferentialCase(name: "") { _ in .hold })
        let once = MetricsDelegate(wrapping: recorder, observer: observer)
        let twice = MetricsDelegate(wrapping: once, observer: observer)
        #expect(twice.wrapped === recorder)
    }

    @Test func withoutADelegateToWrapATaskRunsAsUsual() async throws {
        let origin = LoopbackOrigin { _ in .respond(body: .fill(5_000)) }
        try origin.start()
        defer { origin.stop() }
        let session = URLSession(
            configuration: .ephemeral, delegate: MetricsDelegate(wrapping: nil, observer: observer),
            delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (body, _) = try await session.data(from: try #require(URL(string: origin.address)))
        #expect(body.count == 5_000)
    }

    @Test func nothingIsToldAfterTheStop() throws {
        let observer = observer
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: try #require(URL(string: "http://localhost/")))
        observer.stop()
        observer.collect([PlainTransaction("http://localhost/", status: 200)], of: task)
        #expect(sink.events.isEmpty)
    }

    @Test func aTaskThatTheTapSeesIsNotToldAgain() throws {
        let ownership = ExchangeOwnership()
        let observer = MetricsObserver(output: ObserverOutput(sink: sink), ownership: ownership)
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: try #require(URL(string: "http://localhost/")))
        ownership.enter(.libcurl)
        observer.collect([PlainTransaction("http://localhost/", status: 200)], of: task)
        #expect(sink.events.isEmpty)
        ownership.leave(.libcurl)
        observer.collect([PlainTransaction("http://localhost/", status: 200)], of: task)
        #expect(sink.requests.count == 1)
    }

    @Test func aTaskThatIsExpectedIsNotTheProtocolObservers() throws {
        let ownership = ExchangeOwnership()
        let observer = MetricsObserver(output: ObserverOutput(sink: sink), ownership: ownership)
        let task = URLSession(configuration: .ephemeral).dataTask(with: try #require(URL(string: "http://localhost/")))
        observer.expect(task)
        #expect(!ownership.mayReport(task, as: .urlProtocol))
        observer.collect([PlainTransaction("http://localhost/", status: 200)], of: task)
        #expect(sink.requests.count == 1)
    }

    // A session's delegate and the task's own are both wrapped where metrics are taken by themselves, too.
    @Test func metricsThatAreBroughtTwiceAreToldOnce() throws {
        let observer = observer
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: "http://localhost/"))
        let tasks = (0..<2).map { _ in session.dataTask(with: url) }
        for task in tasks + tasks {
            observer.expect(task)
            observer.collect([PlainTransaction("http://localhost/", status: 200)], of: task)
        }
        #expect(sink.requests.count == 2)
        #expect(sink.ends.count == 2)
    }
}
