import Synchronization
package import TrafficModel
internal import URLTemplates

/// The sums of one run by API, in memory.
package final class TrafficTally: TrafficSink {
    /// The figures of a status line.
    package struct Progress: Sendable {
        /// How many exchanges have not ended.
        package var running = 0
        /// How many exchanges have ended.
        package var exchanges: Int64 = 0
        /// Bytes of all requests.
        package var up = ByteCount.zero
        /// Bytes of all responses.
        package var down = ByteCount.zero
    }

    fileprivate struct State {
        var open: [ExchangeID: Exchange] = [:]
        var totals: [TrafficTotal.Key: TrafficTotal] = [:]
        /// Merges templates in the same way as the store.
        var learner = TemplateLearner()
        var templates: [TrafficTotal.Key: String] = [:]
        /// The keys with a template of the user's own, which is never merged with others.
        var given: Set<TrafficTotal.Key> = []
        var losses: [TrafficLoss.Reason: Int64] = [:]
        var ledgers = LedgerTally()
        var progress = Progress()
    }

    private let state = Mutex(State())

    /// Sums without exchanges.
    package init() {}

    /// Takes one event.
    package func record(_ event: TrafficEvent) {
        state.withLock { state in
            switch event {
            case .request(let request):
                state.open[request.exchange, default: Exchange(request: request)].request = request
            case .response(let response): state.open[response.exchange]?.response = response
            case .end(let end):
                guard let exchange = state.open.removeValue(forKey: end.exchange) else { return }
                state.add(exchange, end)
            case .loss(let loss): state.losses[loss.reason, default: 0] += loss.count
            case .connection(let connection): state.ledgers.add(connection)
            }
        }
    }

    /// The sums of the exchanges that have ended, by API, in no particular order.
    package var totals: [TrafficTotal] { state.withLock { Array($0.totals.values) } }

    /// What could not be recorded, by reason.
    package var losses: [TrafficLoss] {
        state.withLock { $0.losses.map { TrafficLoss(reason: $0.key, count: $0.value) } }
    }

    /// The coverage of the ledgers of the connections.
    package var ledgerCoverage: LedgerCoverage { state.withLock { $0.ledgers.coverage } }

    /// The progress so far; a running exchange counts with the bytes that it has so far.
    package var progress: Progress {
        state.withLock { state in
            var progress = state.progress
            progress.running = state.open.count
            for exchange in state.open.values {
                progress.up += exchange.request.size.known
                progress.down += exchange.response?.size.known ?? .zero
            }
            return progress
        }
    }
}

extension TrafficTally.State {
    fileprivate mutating func add(_ exchange: Exchange, _ end: ExchangeEnd) {
        let request = exchange.request
        let key = key(of: request)
        var total = totals[key] ?? TrafficTotal(key: key)
        var exchange = exchange
        exchange.end = end
        total.add(exchange)
        totals[key] = total
        progress.exchanges += 1
        progress.up += request.size.known
        progress.down += exchange.response?.size.known ?? .zero
    }

    /// How many results of the learner are cached.
    private static let knownLimit = 10_000

    private mutating func key(of request: RequestRecord) -> TrafficTotal.Key {
        var key = request.apiKey
        if request.isTemplateGiven {
            given.insert(key)
            return key
        }
        if let known = templates[key] {
            key.template = known
            return key
        }
        let authority = request.authority
        let outcome = learner.learn(request.template, host: authority)
        if outcome.hasMerged { mergeTotals(of: authority) }
        if templates.count >= Self.knownLimit { templates.removeAll(keepingCapacity: true) }
        templates[key] = outcome.template
        key.template = outcome.template
        return key
    }

    private mutating func mergeTotals(of host: String) {
        templates.removeAll(keepingCapacity: true)
        for (before, total) in totals where before.host == host && !given.contains(before) {
            var key = before
            key.template = before.template.map { learner.template(of: $0, host: host) }
            guard key != before else { continue }
            totals[before] = nil
            totals[key, default: TrafficTotal(key: key)].merge(total)
        }
    }
}
