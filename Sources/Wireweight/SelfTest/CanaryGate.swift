internal import Synchronization
internal import TrafficModel

/// Stands before a monitor's pipeline and takes the canaries of a self-test out: what a monitor stores and shows is the
/// program's own traffic.
final class CanaryGate: TrafficSink {
    fileprivate struct State {
        /// By port, who is told of the canaries to it.
        var logs: [Int: CanaryLog] = [:]
        /// What was taken out and is not over; its later events name no port.
        var exchanges: [ExchangeID: CanaryLog] = [:]
        /// Connections are closed, and told of once more, when a test may be long over.
        var connections: Set<ConnectionID> = []
    }

    /// How many connections are remembered; a test makes a dozen.
    fileprivate static let mostConnections = 1_024

    private let downstream: any TrafficSink
    private let state = Mutex(State())
    /// Whether there ever was a self-test: before the first, an event costs no lock.
    private let isUsed = Atomic(false)

    init(to downstream: any TrafficSink) { self.downstream = downstream }

    /// From now on what goes to that port is told to the log alone.
    func open(port: Int, to log: CanaryLog) {
        state.withLock { $0.logs[port] = log }
        isUsed.store(true, ordering: .releasing)
    }

    /// The test is over: the port may be anybody's again.
    func close(port: Int) { state.withLock { $0.logs[port] = nil } }

    func record(_ event: TrafficEvent) {
        guard isUsed.load(ordering: .acquiring), let log = state.withLock({ $0.log(for: event) }) else {
            return downstream.record(event)
        }
        log.record(event)
    }
}

extension CanaryGate.State {
    /// Who is to be told of it instead of the monitor; nil where it is no canary's.
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
        case .loss: return nil
        }
    }

    private mutating func remember(_ connection: ConnectionID) {
        connections.insert(connection)
        guard connections.count > CanaryGate.mostConnections else { return }
        if let oldest = connections.min(by: { $0.rawValue < $1.rawValue }) { connections.remove(oldest) }
    }
}
