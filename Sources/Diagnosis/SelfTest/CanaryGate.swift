internal import CurlObserver
internal import Locks
package import TrafficModel

/// Takes a self-test's canaries out of the events before they reach a monitor's pipeline.
///
/// So a monitor stores and shows only the program's own traffic.
package final class CanaryGate: ExchangeSink {
    fileprivate struct State {
        /// The log that receives the canaries to each port.
        var logs: [Int: CanaryLog] = [:]
        /// The exchanges that were taken out and have not ended; their later events name no port.
        var exchanges: [ExchangeID: CanaryLog] = [:]
        /// The canaries' connections, which may be closed, and reported once more, long after the test.
        var connections: Set<ConnectionID> = []
    }

    /// The most connections to remember; a test makes about a dozen.
    fileprivate static let mostConnections = 1_024

    private let downstream: ExchangeOutput
    private let state = Mutex(State())
    /// Whether a self-test has ever started; before the first one, an event takes no lock.
    private let isUsed = Atomic(false)

    package init(to downstream: any TrafficSink) { self.downstream = ExchangeOutput(downstream) }

    /// Sends events of traffic to that port to the log, and no longer to the monitor.
    func open(port: Int, to log: CanaryLog) {
        state.withLock { $0.logs[port] = log }
        isUsed.store(true, ordering: .releasing)
        // The origin is in this process, and what it serves is no traffic of the program's.
        CurlObserver.leaveOut(port: UInt16(clamping: port))
    }

    /// Ends the test on that port: later traffic to it reaches the monitor again.
    func close(port: Int) {
        CurlObserver.leaveOut(port: UInt16(clamping: port), false)
        state.withLock { $0.logs[port] = nil }
    }

    package func record(_ event: TrafficEvent) {
        guard isUsed.load(ordering: .acquiring), let log = state.withLock({ $0.log(for: event) }) else {
            return downstream.sink.record(event)
        }
        log.record(event)
    }

    package func record(_ exchange: inout Exchange) {
        if isUsed.load(ordering: .acquiring) { exchange.forEachEvent(record) } else { downstream.record(&exchange) }
    }
}

extension CanaryGate.State {
    /// The log that receives the event instead of the monitor; nil if the event belongs to no canary.
    fileprivate mutating func log(for event: TrafficEvent) -> CanaryLog? {
        switch event {
        case .request(let request):
            if let known = exchanges[request.exchange] { return known }
            guard let log = logs[request.port], request.isCanary(to: request.port) else { return nil }
            exchanges[request.exchange] = log
            return log
        case .response(let response): return exchanges[response.exchange]
        case .end(let end):
            if let connection = end.connection, exchanges[end.exchange] != nil { remember(connection) }
            return exchanges.removeValue(forKey: end.exchange)
        case .connection(let record):
            let log = logs.first { record.remoteAddress == "127.0.0.1:\($0.key)" }?.value
            if log != nil { remember(record.connection) }
            guard connections.contains(record.connection) else { return nil }
            return log ?? CanaryLog(port: 0)
        case .loss, .device, .lookup, .carrier: return nil
        }
    }

    private mutating func remember(_ connection: ConnectionID) {
        connections.insert(connection)
        guard connections.count > CanaryGate.mostConnections else { return }
        if let oldest = connections.min(by: { $0.rawValue < $1.rawValue }) { connections.remove(oldest) }
    }
}
