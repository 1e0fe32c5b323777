import GRDB
internal import TrafficModel

/// Adds up rollups: hours where whole hours are asked for, minutes at the edges, and what still runs.
struct RollupSums {
    private let database: Database
    private var sums: [Int64: Rollup] = [:]

    /// No sums yet.
    init(_ database: Database) { self.database = database }

    /// Adds a range, widened to whole minutes; to whole hours where minutes are no longer kept.
    mutating func add(_ range: TimeRange) throws {
        let floor = try Int64.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'minute_floor'") ?? 0
        let perHour = Rollup.minutesPerHour
        var since = range.since.map(Rollup.minute(of:)) ?? Int64.min / perHour
        var until = range.until.map(Self.minuteBehind) ?? Int64.max / perHour
        guard since < until else { return }
        if since < floor { since = Rollup.hour(of: since) * perHour }
        if until < floor { until = -Rollup.floor(-until, perHour) * perHour }
        let firstHour = -Rollup.floor(-since, perHour)
        let endHour = Rollup.hour(of: until)
        if firstHour < endHour {
            try add("rollup_hour", from: firstHour, until: endHour)
            try add("rollup_minute", from: since, until: firstHour * perHour)
            try add("rollup_minute", from: endHour * perHour, until: until)
        } else {
            try add("rollup_minute", from: since, until: until)
        }
        try addRunning(from: since, until: until)
    }

    /// The totals by a grouping.
    func totals(by grouping: TrafficGrouping) throws -> [TrafficTotal] {
        let rows = try PreparedStatement(database, "SELECT id, method, host, template FROM api ORDER BY id")
        var totals: [TrafficTotal.Key: TrafficTotal] = [:]
        while try rows.step() {
            guard let sum = sums[rows.int(0)] else { continue }
            let key =
                switch grouping {
                case .host: TrafficTotal.Key(host: rows.text(2))
                case .method: TrafficTotal.Key(method: rows.text(1))
                default: TrafficTotal.Key(method: rows.text(1), host: rows.text(2), template: rows.text(3))
                }
            totals[key, default: TrafficTotal(key: key)].merge(sum.total(key))
        }
        return Array(totals.values)
    }

    private static func minuteBehind(_ moment: Timestamp) -> Int64 {
        let minute = Rollup.minute(of: moment)
        return minute * Rollup.minute == moment.nanoseconds ? minute : minute + 1
    }

    private mutating func add(_ table: String, from first: Int64, until end: Int64) throws {
        guard first < end else { return }
        let rows = try PreparedStatement(
            database, "SELECT api, \(Rollup.columns) FROM \(table) WHERE slot >= ? AND slot < ?")
        rows.bind(1, first)
        rows.bind(2, end)
        while try rows.step() {
            sums[rows.int(0), default: Rollup()].merge(Rollup(row: rows, first: 1))
        }
    }

    private mutating func addRunning(from first: Int64, until end: Int64) throws {
        let rows = try PreparedStatement(
            database,
            """
            SELECT e.id, t.api, e.started, r.id IS NOT NULL, coalesce(a.status, 0),
                e.start_line, e.fields, e.cookies, e.interim, e.body, e.framing, e.evidence,
                r.start_line, r.fields, r.cookies, r.interim, r.body, r.framing, r.evidence
            FROM running n JOIN exchange e ON e.id = n.id JOIN route t ON t.id = e.route
                LEFT JOIN response r ON r.id = e.id LEFT JOIN answer a ON a.id = r.answer
            """)
        while try rows.step() {
            let startedAt = Timestamp(nanoseconds: rows.int(2))
            let minute = Rollup.minute(of: startedAt)
            guard minute >= first, minute < end else { continue }
            let exchange = OpenExchange(
                row: rows.int(0), api: rows.int(1), startedAt: startedAt,
                up: WireSize(row: rows, first: 5, evidence: 11),
                down: rows.int(3) == 0 ? nil : WireSize(row: rows, first: 12, evidence: 18),
                status: Int(rows.int(4)))
            sums[exchange.api, default: Rollup()].add(exchange, end: nil)
        }
    }
}

extension Rollup {
    /// The sums as reports see them.
    func total(_ key: TrafficTotal.Key) -> TrafficTotal {
        var result = TrafficTotal(key: key)
        result.requests = requests
        result.responses = responses
        result.failures = failures
        result.up = up
        result.down = down
        result.latency = total.histogram
        result.firstSeen = requests > 0 ? Timestamp(nanoseconds: firstSeen) : nil
        result.lastSeen = requests > 0 ? Timestamp(nanoseconds: lastSeen) : nil
        return result
    }
}
