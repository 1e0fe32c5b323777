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
            SELECT e.route, e.path, e.started, e.request, e.outcome, e.total, r.answer, r.details
            FROM exchange e LEFT JOIN response r ON r.id = e.id
            """)
        var sums: [TrafficTotal.Key: TrafficTotal] = [:]
        while try rows.step() {
            let answer = try rows.optionalInt(6).map { try connection.answer($0, database) }
            let key = try key(rows, grouping, answer)
            sums[key, default: TrafficTotal(key: key)].add(rows, answer)
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
            return TrafficTotal.Key(method: route.method, host: route.host, path: route.path(row, column: 1))
        }
    }
}

extension TrafficTotal {
    /// Adds one exchange; paths can be as many as exchanges, so there is no more to it than the report shows.
    fileprivate mutating func add(_ row: PreparedStatement, _ answer: ReadConnection.Answer?) {
        requests += 1
        var request = ByteReader(row.bytes(3))
        up.count(MessageCoding(request: &request).size)
        let status = answer?.status ?? 0
        if answer != nil {
            if status > 0 { responses += 1 }
            var response = ByteReader(row.bytes(7))
            down.count(MessageCoding(response: &response).size)
        }
        // NULL, which is 0 here, has not failed yet.
        if status >= 400 || row.int(4) != 0 { failures += 1 }
        if let latency = row.optionalInt(5) { self.latency.record(nanoseconds: latency) }
        let startedAt = Timestamp(nanoseconds: row.int(2))
        firstSeen = min(firstSeen ?? startedAt, startedAt)
        lastSeen = max(lastSeen ?? startedAt, startedAt)
    }
}
