import GRDB
internal import TrafficModel

/// Adds up rollups: hours where whole hours are asked for, minutes at the edges and those that are not yet among the
/// hours, and what still runs.
struct RollupSums {
    private let database: Database
    private var sums: [Int64: Rollup] = [:]

    /// No sums yet.
    init(_ database: Database) { self.database = database }

    /// Adds a range, widened to whole minutes; to whole hours where minutes are no longer kept.
    mutating func add(_ range: TimeRange) throws {
        let floor = try meta("minute_floor")
        let folded = try meta("folded")
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
            try add("rollup_minute", from: max(folded, firstHour * perHour), until: endHour * perHour)
            try add("rollup_minute", from: since, until: firstHour * perHour)
            try add("rollup_minute", from: endHour * perHour, until: until)
        } else {
            try add("rollup_minute", from: since, until: until)
        }
        try addRunning(from: since, until: until)
    }

    /// The totals by a grouping.
    func totals(by grouping: TrafficGrouping) throws -> [TrafficTotal] {
        let rows = try PreparedStatement(database, "SELECT id, method, host, template FROM shown_api ORDER BY id")
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

    private func meta(_ key: String) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key]) ?? 0
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
        let rows = try PreparedStatement(database, "SELECT \(OpenExchange.columns) \(OpenExchange.tables)")
        while try rows.step() {
            let exchange = OpenExchange(row: rows)
            let minute = Rollup.minute(of: exchange.startedAt)
            guard minute >= first, minute < end else { continue }
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
