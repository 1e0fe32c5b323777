import GRDB
internal import TrafficModel

extension StoreWriter {
    // How many rows of sums are deleted for each exchange that a step may delete: they are small and next to each
    // other.
    private static let minutesPerExchange = 4
    // How many connections, lookups and minutes a step checks for remaining exchanges.
    private static let lookedAt = 1_000

    /// Deletes rows that the policy does not keep, in one step.
    ///
    /// A step touches a bounded number of rows, however many there are, so that events do not wait long to be written.
    ///
    /// - Parameter policy: which rows to keep.
    /// - Returns: whether there may be more to do.
    /// - Throws: ``StoreError``.
    package func retain(_ policy: RetentionPolicy) throws -> Bool {
        if let damage { throw damage }
        do {
            return try queue.writeWithoutTransaction { database in
                var hasMore = false
                try database.inTransaction(.immediate) {
                    let hasMoreMinutes = try foldMinutes(database, policy)
                    hasMore = try deleteOldest(database, policy) == policy.step || hasMoreMinutes
                    return .commit
                }
                return try shrink(database, isLast: !hasMore) || hasMore
            }
        } catch {
            statements?.tiers.forget()
            throw failed(error)
        }
    }

    // The sums of the hours include the deleted minutes; readers use the hours from the first step on.
    private func foldMinutes(_ database: Database, _ policy: RetentionPolicy) throws -> Bool {
        let oldest = Timestamp(nanoseconds: now().nanoseconds &- policy.minutesAge)
        let floor = TimeSlot.hour(of: TimeSlot.minute(of: oldest)) * TimeSlot.minutesPerHour
        try statements.tiers.check()
        try statements.tiers.fold(until: floor)
        let isOld = try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS(SELECT 1 FROM rollup_minute WHERE slot < ?1)
                    OR EXISTS(SELECT 1 FROM span WHERE minute < ?1 AND by_rows)
                """, arguments: [floor])
        guard isOld == true else { return false }
        try foldTimeline(database, until: floor)
        try database.execute(
            sql: "UPDATE meta SET value = max(value, ?) WHERE key = 'minute_floor'", arguments: [floor])
        // From now on their hours have them.
        try database.execute(sql: "UPDATE span SET by_rows = 0 WHERE minute < ? AND by_rows", arguments: [floor])
        let most = Self.minutesPerExchange * policy.step
        try database.execute(
            sql: """
                DELETE FROM rollup_minute WHERE (slot, kind) IN
                    (SELECT slot, kind FROM rollup_minute WHERE slot < ? ORDER BY slot, kind LIMIT ?)
                """, arguments: [floor, most])
        let count = database.changesCount
        statements.tiers.minutes.forget()
        return count == most
    }

    // The first minute of an hour represents the whole hour.
    private func foldTimeline(_ database: Database, until floor: Int64) throws {
        for table in TrafficDirection.allCases.map(StoreSchema.timeline) {
            try database.execute(
                sql: """
                    INSERT INTO \(table)(minute, requests, failures, up, down)
                    SELECT minute - minute % 60, sum(requests), sum(failures), sum(up), sum(down)
                    FROM \(table) WHERE minute < ? AND minute % 60 <> 0 GROUP BY 1
                    ON CONFLICT(minute) DO UPDATE SET requests = requests + excluded.requests,
                        failures = failures + excluded.failures, up = up + excluded.up, down = down + excluded.down
                    """, arguments: [floor])
            try database.execute(sql: "DELETE FROM \(table) WHERE minute < ? AND minute % 60 <> 0", arguments: [floor])
        }
    }

    private func deleteOldest(_ database: Database, _ policy: RetentionPolicy) throws -> Int {
        var ids: [Int64] = []
        if let maxAge = policy.maxAge {
            ids = try oldest(database, policy.step, before: now().nanoseconds &- maxAge)
        }
        if ids.isEmpty, let maxSize = policy.maxSize, try usedBytes(database) > maxSize {
            ids = try oldest(database, policy.step, before: nil)
        }
        guard let last = ids.last else { return 0 }
        try SearchChunkTable.delete(upTo: last, database)
        try ShippingState.countOvertaken(ids, in: database)
        try statements.tiers.rowMinutes.makeSums(ofMinutesOf: ids)
        for table in StoreSchema.exchangeTables {
            let delete = try PreparedStatement(database, "DELETE FROM \(table) WHERE id = ?")
            for id in ids {
                delete.bind(1, id)
                try delete.run()
            }
        }
        try statements.addUnkept(Int64(ids.count))
        try deleteLeftovers(database)
        return ids.count
    }

    // Running exchanges stay, because their end needs the row. The spans bound the search to rows of that time.
    private func oldest(_ database: Database, _ count: Int, before limit: Int64?) throws -> [Int64] {
        let condition =
            limit == nil
            ? "" : "AND started < ?2 AND id <= (SELECT coalesce(max(last), 0) FROM span WHERE minute <= ?3)"
        let find = try PreparedStatement(
            database,
            """
            SELECT id FROM exchange WHERE id NOT IN (SELECT id FROM running) \(condition) ORDER BY id LIMIT ?1
            """)
        find.bind(1, Int64(count))
        if let limit {
            find.bind(2, Timestamp(nanoseconds: limit).microsecondsUp)
            find.bind(3, TimeSlot.minute(of: Timestamp(nanoseconds: limit)))
        }
        var ids: [Int64] = []
        while try find.step() { ids.append(find.int(0)) }
        return ids
    }

    // Deletes connections and minutes without remaining exchanges, and the lookups from before these.
    private func deleteLeftovers(_ database: Database) throws {
        let oldest = try Int64.fetchOne(
            database,
            sql: """
                SELECT min(connection)
                FROM (SELECT connection FROM exchange WHERE outcome IS NOT NULL ORDER BY id LIMIT 1000)
                """)
        let start =
            "(SELECT coalesce(min(started), 0) * 1000 FROM (SELECT started FROM exchange ORDER BY id LIMIT 1))"
        let isOver = "closed IS NOT NULL AND id < \(oldest ?? 0) AND closed < \(start)"
        // The sums of the ledgers keep their figures, but their times only by the hour.
        try database.execute(
            sql: """
                INSERT INTO meta SELECT 'ledger_floor', last + 1
                    FROM (SELECT max(max(opened, closed)) AS last FROM connection WHERE \(LedgerColumns.hasFigures()) AND \(isOver))
                    WHERE last IS NOT NULL
                ON CONFLICT(key) DO UPDATE SET value = max(value, excluded.value)
                """)
        try database.execute(sql: "DELETE FROM connection WHERE \(isOver)")
        try database.execute(
            sql: """
                DELETE FROM lookup WHERE id IN (SELECT id FROM lookup ORDER BY id LIMIT \(Self.lookedAt))
                    AND started + took < \(start)
                """)
        for (table, key) in [("carried", "connection"), ("span", "minute")] {
            try database.execute(
                sql: """
                    DELETE FROM \(table)
                    WHERE \(key) IN (SELECT \(key) FROM \(table) ORDER BY \(key) LIMIT \(Self.lookedAt))
                        AND last < (SELECT coalesce(min(id), 9223372036854775807) FROM exchange)
                    """)
        }
    }

    private func usedBytes(_ database: Database) throws -> Int64 {
        try (pragma("page_count", database) - pragma("freelist_count", database)) * pragma("page_size", database)
    }

    private func pragma(_ name: String, _ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "PRAGMA \(name)") ?? 0
    }

    // Frees a few hundred pages at a time; the file itself becomes shorter when the log is moved into it.
    private func shrink(_ database: Database, isLast: Bool) throws -> Bool {
        let free = try pragma("freelist_count", database)
        if free > 0 { try PreparedStatement(database, "PRAGMA incremental_vacuum(500)").run() }
        guard free <= 500 else { return true }
        // This includes pages that earlier steps freed.
        if isLast, try file.size > pragma("page_count", database) * pragma("page_size", database) {
            database.truncateLog()
        }
        return false
    }
}
