internal import Locks
package import TrafficModel

/// Keeps in memory what was metered of the canaries to one port; it ignores other events.
package final class CanaryLog: TrafficSink {
    private let port: Int
    private let state = Mutex<[ExchangeID: Exchange]>([:])
    private let untappedCount = Atomic<Int64>(0)

    /// Makes a log of the traffic to that port of this machine.
    package init(port: Int) { self.port = port }

    package func record(_ event: TrafficEvent) {
        state.withLock { exchanges in
            switch event {
            case .request(let request):
                guard request.isCanary(to: port) else { return }
                exchanges[request.exchange, default: Exchange(request: request)].request = request
            case .response(let response): exchanges[response.exchange]?.response = response
            case .end(let end): exchanges[end.exchange]?.end = end
            case .loss(let loss):
                if loss.reason == .untapped { untappedCount.add(loss.count, ordering: .relaxed) }
            case .connection, .device, .lookup, .carrier: return
            }
        }
    }

    /// The exchanges that canaries of that style made.
    package func exchanges(of style: SelfTest.Style) -> [Exchange] {
        let path = CanaryOrigin.path(of: style) + "/"
        return state.withLock { $0.values.filter { $0.request.path.hasPrefix(path) } }
    }

    /// The number of transfers in this process that the tap did not meter, not only the canaries'.
    package var untapped: Int64 { untappedCount.load(ordering: .relaxed) }

    /// Whether an exchange has started and not ended.
    var isRunning: Bool { state.withLock { $0.values.contains { $0.end == nil } } }
}

extension RequestRecord {
    /// Whether the request goes to that port of this machine.
    func isCanary(to port: Int) -> Bool { self.port == port && host == "127.0.0.1" }
}
