import GRDB
internal import TrafficModel

/// Adds up exchanges whose rows are still there, in one pass and in memory that grows with the groups only.
struct DetailSums {
    private let database: Database
    private let connection: ReadConnection

    /// Sums over that store.
    init(_ database: Database, _ connection: ReadConnection) {
        self.database = database
        self.connection = connection
    }

    /// The totals of a range by path, status or type.
    func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        var filter = ExchangeFilter()
        filter.range = range
        let rows = try ExchangeQuery(filter).statement(
            database,
            """
            SELECT e.route, e.path, e.started, r.answer, n.outcome, n.total, n.details,
                e.start_line, e.fields, e.cookies, e.interim, e.body, e.framing, e.evidence,
                r.start_line, r.fields, r.cookies, r.interim, r.body, r.framing, r.evidence
            FROM exchange e LEFT JOIN response r ON r.id = e.id LEFT JOIN ending n ON n.id = e.id
            """)
        var sums: [TrafficTotal.Key: TrafficTotal] = [:]
        while try rows.step() {
            let answer = try rows.optionalInt(3).map { try connection.answer($0, database) }
            let exchange = OpenExchange(
                row: 0, api: 0, startedAt: Timestamp(nanoseconds: rows.int(2)),
                up: WireSize(row: rows, first: 7, evidence: 13),
                down: answer == nil ? nil : WireSize(row: rows, first: 14, evidence: 20), status: answer?.status ?? 0)
            let key = try key(rows, grouping, answer)
            sums[key, default: TrafficTotal(key: key)].add(exchange, end: end(rows, exchange.startedAt))
        }
        return Array(sums.values)
    }

    private func key(
        _ row: PreparedStatement, _ grouping: TrafficGrouping, _ answer: ReadConnection.Answer?
    ) throws -> TrafficTotal.Key {
        switch grouping {
        case .status: return TrafficTotal.Key(status: answer?.status ?? 0)
        case .type: return TrafficTotal.Key(contentType: answer?.type ?? "")
        default:
            let route = try connection.route(row.int(0), database)
            return TrafficTotal.Key(method: route.method, host: route.host, path: row.text(1))
        }
    }

    private func end(_ row: PreparedStatement, _ startedAt: Timestamp) -> ExchangeEnd? {
        guard let outcome = row.optionalInt(4) else { return nil }
        let total = row.optionalInt(5)
        let (endedAt, timings) = EndCoding.read(row.blob(6), startedAt: startedAt, total: total)
        return ExchangeEnd(
            exchange: ExchangeID(0), endedAt: endedAt, outcome: EndCoding.outcome(outcome, failure: nil),
            timings: timings)
    }
}

extension TrafficTotal {
    /// Adds one exchange; paths can be as many as exchanges, so there is no more to it than the report shows.
    fileprivate mutating func add(_ exchange: OpenExchange, end: ExchangeEnd?) {
        requests += 1
        up.add(exchange.up)
        if let size = exchange.down {
            if exchange.status > 0 { responses += 1 }
            down.add(size)
        }
        if Rollup.isFailure(exchange, end: end) { failures += 1 }
        if let latency = end?.latency(startedAt: exchange.startedAt) { self.latency.record(nanoseconds: latency) }
        firstSeen = min(firstSeen ?? exchange.startedAt, exchange.startedAt)
        lastSeen = max(lastSeen ?? exchange.startedAt, exchange.startedAt)
    }
}
