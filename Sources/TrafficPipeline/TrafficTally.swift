import Locks
package import TrafficModel
package import URLTemplates

/// The sums of one run by API, in memory.
package final class TrafficTally: ExchangeSink {
    /// The figures of a status line in one direction.
    package struct Progress: Sendable {
        /// How many exchanges have not ended.
        package var running = 0
        /// How many exchanges have ended.
        package var exchanges: Int64 = 0
        /// Bytes of all requests.
        package var up = ByteCount.zero
        /// Bytes of all responses.
        package var down = ByteCount.zero

        /// Adds an exchange that has ended.
        fileprivate mutating func add(_ exchange: borrowing ExchangeFigures) {
            exchanges += 1
            up += exchange.up.known
            down += exchange.down.known
        }
    }

    /// What decides under which API an exchange is counted.
    fileprivate struct Name: Hashable {
        var method: String
        var scheme: String
        var host: String
        var port: Int
        var template: String
        var isTemplateGiven: Bool
        var direction: TrafficDirection

        init(_ request: borrowing RequestRecord) {
            method = request.method
            scheme = request.scheme
            host = request.host
            port = request.port
            template = request.template
            isTemplateGiven = request.isTemplateGiven
            direction = request.direction
        }

        // The rest seldom distinguishes two names.
        func hash(into hasher: inout Hasher) {
            hasher.combine(host)
            hasher.combine(template)
        }
    }

    /// An exchange that has not ended.
    fileprivate struct Running {
        var name: Name
        var figures: ExchangeFigures

        init(_ request: borrowing RequestRecord) {
            name = Name(request)
            figures = ExchangeFigures(startedAt: request.startedAt, up: request.size)
        }

        /// Takes a later record of the same request; a response that has come stays.
        mutating func take(_ request: borrowing RequestRecord) {
            name = Name(request)
            figures.startedAt = request.startedAt
            figures.up = request.size
        }
    }

    fileprivate struct State {
        var open: [ExchangeID: Running] = [:]
        var totals: [TrafficTotal] = []
        /// The index of each total by its key.
        var places: [TrafficTotal.Key: Int] = [:]
        /// The index of the total in which a name is counted: the results of the learner, as far as they are cached.
        var known: [Name: Int] = [:]
        /// Merges templates in the same way as the store.
        var learner: TemplateLearner
        /// The keys with a template of the user's own, which is never merged with others.
        var given: Set<TrafficTotal.Key> = []
        var losses: [TrafficLoss.Reason: Int64] = [:]
        var ledgers: [TrafficDirection: LedgerTally] = [:]
        var unseen = UnseenTally()
        var lookups = LookupTally()
        var progress: [TrafficDirection: Progress] = [:]
    }

    private let state: Mutex<State>

    /// Sums without exchanges.
    package init(templates limits: TemplateLimits = TemplateLimits()) {
        state = Mutex(State(learner: TemplateLearner(limits)))
    }

    /// Takes one event.
    package func record(_ event: TrafficEvent) {
        state.withLock { state in
            switch event {
            case .request(let request):
                state.open[request.exchange, default: Running(request)].take(request)
            case .response(let response): state.open[response.exchange]?.figures.take(response)
            case .end(let end):
                guard let exchange = state.open.removeValue(forKey: end.exchange) else { return }
                state.add(exchange.figures, of: exchange.name, end)
            case .device, .carrier: return
            case .lookup(let lookup): state.lookups.add(lookup)
            case .loss(let loss): state.losses[loss.reason, default: 0] += loss.count
            case .connection(let connection):
                state.ledgers[connection.direction, default: LedgerTally()].add(connection)
                state.unseen.add(connection)
            }
        }
    }

    /// Takes all of an exchange at once.
    package func record(_ exchange: inout Exchange) {
        guard let end = exchange.end else { return exchange.forEachEvent { record($0) } }
        state.withLock { state in
            if !state.open.isEmpty { state.open[end.exchange] = nil }
            state.add(ExchangeFigures(exchange), of: Name(exchange.request), end)
        }
    }

    /// The sums of the exchanges that have ended, by API, in no particular order.
    package var totals: [TrafficTotal] { state.withLock { $0.totals } }

    /// Returns the ``totals`` and begins new ones, so that each exchange is in the result of exactly one call.
    ///
    /// An exchange is counted under the template that is known at the call. Templates that were learned stay.
    package func takeTotals() -> [TrafficTotal] {
        state.withLock { state in
            defer {
                state.totals = []
                state.places.removeAll(keepingCapacity: true)
                state.known.removeAll(keepingCapacity: true)
                state.given.removeAll(keepingCapacity: true)
            }
            return state.totals
        }
    }

    /// What could not be recorded, by reason.
    package var losses: [TrafficLoss] {
        state.withLock { $0.losses.map { TrafficLoss(reason: $0.key, count: $0.value) } }
    }

    /// The coverage of the ledgers of the connections of a direction.
    package func ledgerCoverage(of direction: TrafficDirection) -> LedgerCoverage {
        state.withLock { $0.ledgers[direction]?.coverage ?? LedgerCoverage() }
    }

    /// The connections whose messages were not seen.
    package var unseen: UnseenTally { state.withLock { $0.unseen } }

    /// The lookups of names.
    package var lookups: LookupTally { state.withLock { $0.lookups } }

    /// The progress so far in each direction; a running exchange counts with the bytes that it has so far.
    package var progress: [TrafficDirection: Progress] {
        state.withLock { state in
            var progress = state.progress
            for exchange in state.open.values {
                progress[exchange.name.direction, default: Progress()].running += 1
                progress[exchange.name.direction]?.up += exchange.figures.up.known
                progress[exchange.name.direction]?.down += exchange.figures.down.known
            }
            return progress
        }
    }

    /// Whether any exchange has not ended.
    package var isRunning: Bool { state.withLock { !$0.open.isEmpty } }
}

extension TrafficTally.State {
    fileprivate mutating func add(
        _ exchange: borrowing ExchangeFigures, of name: TrafficTally.Name, _ end: ExchangeEnd
    ) {
        let place = known[name] ?? learn(name)
        totals[place].sums.add(exchange, end: end)
        progress[name.direction, default: TrafficTally.Progress()].add(exchange)
    }

    /// How many results of the learner are cached.
    private static let knownLimit = 10_000

    /// Finds the total of a name that is not known.
    private mutating func learn(_ name: TrafficTally.Name) -> Int {
        let authority = Authority.text(host: name.host, port: name.port, scheme: name.scheme)
        var key = TrafficTotal.Key(
            method: name.method, host: authority, template: name.template, direction: name.direction)
        if name.isTemplateGiven {
            given.insert(key)
        } else {
            let outcome = learner.learn(name.template, host: authority)
            if outcome.hasMerged { mergeTotals(of: authority) }
            key.template = outcome.template
        }
        if known.count >= Self.knownLimit { known.removeAll(keepingCapacity: true) }
        let place = place(of: key)
        known[name] = place
        return place
    }

    /// The index of the total with that key, which is made if there is none.
    private mutating func place(of key: TrafficTotal.Key) -> Int {
        if let place = places[key] { return place }
        totals.append(TrafficTotal(key: key))
        places[key] = totals.count - 1
        return totals.count - 1
    }

    private mutating func mergeTotals(of host: String) {
        let before = totals
        totals = []
        places.removeAll(keepingCapacity: true)
        known.removeAll(keepingCapacity: true)
        for total in before {
            var key = total.key
            if key.host == host, !given.contains(key) {
                key.template = key.template.map { learner.template(of: $0, host: host) }
            }
            totals[place(of: key)].merge(total)
        }
    }
}
