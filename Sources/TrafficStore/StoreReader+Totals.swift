import GRDB
package import TrafficModel

extension StoreReader {
    /// The totals of a range by one grouping, in no particular order.
    package func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        try read { database, connection in
            if grouping.countsRows { return try DetailSums(database, connection).totals(in: range) }
            var sums = try RollupSums(database, by: grouping)
            try sums.add(range)
            return sums.totals
        }
    }

    /// The traffic of a range over time; the range is widened as ``totals(by:in:)`` does.
    package func timeline(in range: TimeRange, limit: Int) throws -> TrafficTimeline {
        try read { database, _ in
            let bounds = try RollupBounds(range, database)
            var minutes: [(minute: Int64, sum: TimelineGrowth.Sum)] = []
            let rows = try PreparedStatement(
                database,
                "SELECT minute, requests, failures, up, down FROM timeline WHERE minute >= ? AND minute < ? ORDER BY 1")
            rows.bind(1, bounds.since)
            rows.bind(2, bounds.until)
            while try rows.step() {
                let sum = TimelineGrowth.Sum(
                    requests: rows.int(1), failures: rows.int(2), up: rows.int(3), down: rows.int(4))
                minutes.append((rows.int(0), sum))
            }
            let running = try PreparedStatement(database, "SELECT \(OpenExchange.columns) \(OpenExchange.tables)")
            while try running.step() {
                let exchange = OpenExchange(row: running, first: 0)
                let minute = Rollup.minute(of: exchange.startedAt)
                guard minute >= bounds.since, minute < bounds.until else { continue }
                var sum = TimelineGrowth.Sum()
                sum.add(exchange, end: nil)
                minutes.append((minute, sum))
            }
            guard let first = minutes.map(\.minute).min(), let last = minutes.map(\.minute).max() else { return .none }
            func moment(_ minute: Int64) -> Timestamp { Timestamp(nanoseconds: minute &* Rollup.minute) }
            var timeline = TrafficTimeline(
                from: moment(first), to: moment(last), limit: limit,
                leastStep: first < bounds.floor ? Rollup.minutesPerHour : 1)
            for (minute, sum) in minutes {
                timeline.add(
                    at: moment(minute), requests: sum.requests, failures: sum.failures, up: ByteCount(sum.up),
                    down: ByteCount(sum.down))
            }
            return timeline
        }
    }

    /// What could not be recorded, by reason.
    package func losses() throws -> [TrafficLoss] {
        try read { database, _ in
            let rows = try PreparedStatement(
                database, "SELECT reason, sum(count) FROM loss GROUP BY reason ORDER BY reason")
            var losses: [TrafficLoss] = []
            while try rows.step() {
                guard let reason = TrafficLoss.Reason(rawValue: rows.text(0)) else { continue }
                losses.append(TrafficLoss(reason: reason, count: rows.int(1)))
            }
            return losses
        }
    }

    /// What the store holds.
    package func overview() throws -> StoreOverview {
        let losses = try losses()
        return try read { database, _ in
            func number(_ sql: String) throws -> Int64? { try Int64.fetchOne(database, sql: sql) }
            let bounds = try RollupBounds(.always, database)
            func seen(_ function: String, _ column: String) throws -> [Int64] {
                try [
                    number("SELECT \(function)(\(column)) FROM rollup_all"),
                    number("SELECT \(function)(\(column)) FROM rollup_hour WHERE slot >= \(bounds.foldedHours)"),
                    number("SELECT \(function)(\(column)) FROM rollup_minute WHERE slot >= \(bounds.folded)"),
                    number("SELECT \(function)(e.started) FROM running n JOIN exchange e ON e.id = n.id"),
                ].compactMap(\.self)
            }
            return StoreOverview(
                exchanges: try number("SELECT count(*) FROM exchange") ?? 0,
                running: try number("SELECT count(*) FROM running") ?? 0,
                firstSeen: try seen("min", "first_seen").min().map(Timestamp.init(nanoseconds:)),
                lastSeen: try seen("max", "last_seen").max().map(Timestamp.init(nanoseconds:)), losses: losses)
        }
    }
}
