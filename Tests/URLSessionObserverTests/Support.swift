import Foundation
import Synchronization
import TrafficModel

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Keeps what it is told.
final class RecordingSink: TrafficSink {
    private let log = Mutex<[TrafficEvent]>([])

    func record(_ event: TrafficEvent) { log.withLock { $0.append(event) } }

    var events: [TrafficEvent] { log.withLock { $0 } }

    /// The last word on each request, in the order of the exchanges.
    var requests: [RequestRecord] {
        var last: [ExchangeID: RequestRecord] = [:]
        for case .request(let record) in events { last[record.exchange] = record }
        return last.values.sorted { $0.exchange < $1.exchange }
    }

    /// The last word on each response.
    var responses: [ExchangeID: ResponseRecord] {
        var last: [ExchangeID: ResponseRecord] = [:]
        for case .response(let record) in events { last[record.exchange] = record }
        return last
    }

    var ends: [ExchangeEnd] {
        events.compactMap { if case .end(let end) = $0 { end } else { nil } }
    }

    var untapped: Int64 {
        events.reduce(0) { sum, event in
            if case .loss(let loss) = event, loss.reason == .untapped { sum + loss.count } else { sum }
        }
    }
}

/// Numbers from 1.
final class Numbers: Sendable {
    private let value = Atomic<Int64>(0)

    func next() -> ExchangeID { ExchangeID(value.add(1, ordering: .relaxed).newValue) }
}

extension ObserverOutput {
    /// Tells that sink.
    static func testing(_ sink: RecordingSink) -> ObserverOutput {
        let numbers = Numbers()
        return ObserverOutput(sink: sink, nextExchange: { numbers.next() })
    }
}

/// Waits until a condition holds.
///
/// - Returns: whether it held before the time was over.
func eventually(seconds: Double = 5, _ condition: () -> Bool) async -> Bool {
    let end = ProcessInfo.processInfo.systemUptime + seconds
    while ProcessInfo.processInfo.systemUptime < end {
        if condition() { return true }
        try? await Task.sleep(nanoseconds: 5_000_000)
    }
    return condition()
}
