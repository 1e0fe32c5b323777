import Foundation
import Synchronization
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Numbers from 1.
final class Numbers: Sendable {
    private let value = Atomic<Int64>(0)
    private let connections = Atomic<Int64>(0)

    func next() -> ExchangeID { ExchangeID(value.add(1, ordering: .relaxed).newValue) }

    func nextConnection() -> ConnectionID { ConnectionID(connections.add(1, ordering: .relaxed).newValue) }
}

extension ObserverOutput {
    /// Tells that sink, with numbers of its own.
    init(_ sink: any TrafficSink) {
        let numbers = Numbers()
        self.init(sink: sink, nextExchange: { numbers.next() }, nextConnection: { numbers.nextConnection() })
    }

    /// Tells that sink.
    static func testing(_ sink: RecordingSink) -> ObserverOutput { ObserverOutput(sink) }
}
