internal import Locks
internal import TrafficModel
internal import TrafficPipeline

/// Keeps the metered exchanges and their sums in memory.
final class ExchangeLog: TrafficSink {
    private let tally = TrafficTally()
    private let exchanges = Mutex<[ExchangeID: Exchange]>([:])

    func record(_ event: TrafficEvent) {
        tally.record(event)
        exchanges.withLock { exchanges in
            switch event {
            case .request(let request):
                exchanges[request.exchange, default: Exchange(request: request)].request = request
            case .response(let response): exchanges[response.exchange]?.response = response
            case .end(let end): exchanges[end.exchange]?.end = end
            case .connection, .loss, .device, .lookup, .carrier: return
            }
        }
    }

    /// Whether an exchange is still running.
    var isRunning: Bool { tally.isRunning }

    /// Returns what was metered, together with the result of the metered code.
    func metered<Result>(_ result: Result) -> Metered<Result> {
        let all = exchanges.withLock { Array($0.values) }
        return Metered(
            result: result, totals: tally.totals, losses: tally.losses,
            exchanges: all.sorted {
                ($0.request.startedAt, $0.request.exchange) < ($1.request.startedAt, $1.request.exchange)
            })
    }
}
