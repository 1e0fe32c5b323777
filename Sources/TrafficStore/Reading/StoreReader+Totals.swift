import GRDB
package import TrafficModel

extension StoreReader {
    /// The totals of a range by one grouping, in no particular order.
    package func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        let sources = TrafficGrouping.sourceCases.contains(grouping) ? try sources(by: grouping) : nil
        return try read { database, connection in
            if countsRows(by: grouping) {
                return try DetailSums(database, connection).totals(by: grouping, of: sources, in: range)
            }
            var sums = try RollupSums(database, by: grouping)
            try sums.add(range)
            return sums.totals
        }
    }

    package func countsRows(by grouping: TrafficGrouping) -> Bool {
        grouping.countsRows || TrafficGrouping.sourceCases.contains(grouping)
    }

    /// The traffic of a range over time in one direction; the range is widened as for ``totals(by:in:)``.
    package func timeline(
        of direction: TrafficDirection, in range: TimeRange, limit: Int
    ) throws -> TrafficTimeline {
        try read { database, _ in
            let bounds = try RollupBounds(range, database)
            var minutes: [TrafficTimeline.Slot] = []
            let rows = try PreparedStatement(
                database,
                """
                SELECT minute, requests, failures, up, down FROM \(StoreSchema.timeline(of: direction))
                WHERE minute >= ? AND minute < ? ORDER BY 1
                """)
            rows.bind(1, bounds.since)
            rows.bind(2, bounds.until)
            while try rows.step() {
                var slot = TrafficTimeline.Slot(minute: Plausible.slot(rows.int(0)))
                slot.requests = Plausible.count(rows.int(1))
                slot.failures = Plausible.count(rows.int(2))
                slot.up = ByteCount(rows.int(3))
                slot.down = ByteCount(rows.int(4))
                minutes.append(slot)
            }
            let running = try PreparedStatement(
                database,
                "SELECT \(OpenExchange.columns) \(OpenExchange.tables) WHERE t.direction = \(direction.number)")
            while try running.step() {
                let exchange = OpenExchange(row: running, first: 0)
                let minute = TimeSlot.minute(of: exchange.startedAt)
                guard minute >= bounds.since, minute < bounds.until else { continue }
                var slot = TrafficTimeline.Slot(minute: minute)
                slot.add(exchange.figures, end: nil)
                minutes.append(slot)
            }
            let begins = minutes.map(\.begin)
            guard let first = begins.min(), let last = begins.max() else { return .none }
            var timeline = TrafficTimeline(
                from: first, to: last, limit: limit,
                leastStep: TimeSlot.minute(of: first) < bounds.floor ? TimeSlot.minutesPerHour : 1)
            for slot in minutes { timeline.add(slot) }
            return timeline
        }
    }

    /// The directions in which there was traffic in a range; a file in which nothing was served needs no sums for that.
    package func directions(in range: TimeRange) throws -> [TrafficDirection] {
        guard range == .always else { return try foundDirections(in: range) }
        let state = try state()
        if let known = directions(at: state) { return known }
        let found = try foundDirections(in: range)
        keep(found, at: state)
        return found
    }

    private func foundDirections(in range: TimeRange) throws -> [TrafficDirection] {
        let mayHaveServed = try read { database, _ in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS(SELECT 1 FROM route WHERE direction = 1)
                        OR EXISTS(SELECT 1 FROM connection WHERE direction = 1)
                    """) ?? false
        }
        return mayHaveServed ? try countedDirections(in: range) : [.called]
    }

    /// What could not be recorded, by reason.
    package func losses() throws -> [TrafficLoss] {
        try read { database, _ in
            let rows = try PreparedStatement(
                database, "SELECT reason, sum(count) FROM loss GROUP BY reason ORDER BY reason")
            var losses: [TrafficLoss] = []
            while try rows.step() {
                let reason = TrafficLoss.Reason(rawValue: rows.text(0))
                losses.append(TrafficLoss(reason: reason, count: Plausible.count(rows.int(1))))
            }
            return losses
        }
    }

    /// Counts and dates of the contents of the store.
    package func overview() throws -> StoreOverview {
        // The state is read first: if a writer changes the store meanwhile, the next call computes the overview again.
        let state = try state()
        if let known = overview(at: state) { return known }
        let overview = try makeOverview()
        keep(overview, at: state)
        return overview
    }

    private func makeOverview() throws -> StoreOverview {
        let losses = try losses()
        return try read { database, _ in
            let bounds = try RollupBounds(.always, database)
            var first: Int64?
            var last: Int64?
            for (columns, tables) in [
                ("min(first_seen), max(last_seen)", "rollup_all"),
                ("min(first_seen), max(last_seen)", "rollup_hour WHERE slot >= \(bounds.foldedHours)"),
                ("min(first_seen), max(last_seen)", "rollup_minute WHERE slot >= \(bounds.folded)"),
                ("min(e.started), max(e.started)", "running n JOIN exchange e ON e.id = n.id"),
            ] {
                let row = try PreparedStatement(database, "SELECT \(columns) FROM \(tables)")
                defer { row.reset() }
                guard try row.step() else { continue }
                first = [first, row.optionalInt(0)].compactMap(\.self).min()
                last = [last, row.optionalInt(1)].compactMap(\.self).max()
            }
            var overview = StoreOverview(
                exchanges: try Int64.fetchOne(database, sql: Self.countOfRows) ?? 0,
                running: try Int64.fetchOne(database, sql: "SELECT count(*) FROM running") ?? 0,
                firstSeen: first.map { Timestamp(microseconds: $0) },
                lastSeen: last.map { Timestamp(microseconds: $0) },
                losses: losses)
            let runs = try PreparedStatement(database, "SELECT pid, pid_started FROM run WHERE closed IS NULL")
            while try runs.step() {
                let pid = Int32(truncatingIfNeeded: runs.int(0))
                if ProcessLiveness.isAlive(pid: pid, startTime: runs.int(1)) { overview.isBeingWritten = true }
            }
            return overview
        }
    }

    // Exchange numbers are consecutive, and the writer counts those without a row; counting the rows would read all of
    // them.
    private static let countOfRows = """
        SELECT coalesce(
            (SELECT n.value - 1 - u.value FROM meta n, meta u WHERE n.key = 'next_exchange' AND u.key = 'unkept'),
            (SELECT count(*) FROM exchange))
        """
}
