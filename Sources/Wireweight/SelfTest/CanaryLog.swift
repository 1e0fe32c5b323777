internal import Synchronization
package import TrafficModel

/// What was metered of the canaries to one port, in memory; all else is let by.
package final class CanaryLog: TrafficSink {
    private let port: Int
    private let state = Mutex<[ExchangeID: Exchange]>([:])
    private let untappedCount = Atomic<Int64>(0)

    /// A log of what goes to that port of this machine.
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
            case .connection: return
            }
        }
    }

    /// The exchanges of a style.
    package func exchanges(of style: SelfTest.Style) -> [Exchange] {
        let path = CanaryOrigin.path(of: style) + "/"
        return state.withLock { $0.values.filter { $0.request.path.hasPrefix(path) } }
    }

    /// How many transfers the tap has left alone, whoever's they were.
    package var untapped: Int64 { untappedCount.load(ordering: .relaxed) }

    /// Whether an exchange has begun and not ended.
    var isRunning: Bool { state.withLock { $0.values.contains { $0.end == nil } } }
}

extension RequestRecord {
    /// Whether it goes to that port of this machine.
    func isCanary(to port: Int) -> Bool { self.port == port && host == "127.0.0.1" }
}
