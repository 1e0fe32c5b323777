import GRDB
internal import TrafficModel

extension StoreWriter {
    /// Lets go of one step of what the policy does not keep.
    ///
    /// - Parameter policy: what to keep.
    /// - Returns: whether there may be more to do.
    /// - Throws: ``StoreError``.
    package func retain(_ policy: RetentionPolicy) throws -> Bool {
        if let damage { throw damage }
        do {
            return try queue.writeWithoutTransaction { database in
                var count = 0
                try database.inTransaction(.immediate) {
                    try foldMinutes(database, policy)
                    count = try deleteOldest(database, policy)
                    return .commit
                }
                let hasMore = count == policy.step
                return try shrink(database, isLast: !hasMore) || hasMore
            }
        } catch {
            statements?.tiers.forget()
            throw failed(error)
        }
    }

    // The sums of their hours hold the same; until when they are gone is written down for those who read.
    private func foldMinutes(_ database: Database, _ policy: RetentionPolicy) throws {
        let oldest = Timestamp(nanoseconds: now().nanoseconds &- policy.minutesAge)
        let floor = Rollup.hour(of: Rollup.minute(of: oldest)) * Rollup.minutesPerHour
        try statements.tiers.check()
        try statements.tiers.fold(until: floor)
        try foldTimeline(database, until: floor)
        try database.execute(sql: "DELETE FROM rollup_minute WHERE slot < ?", arguments: [floor])
        guard database.changesCount > 0 else { return }
        statements.tiers.minutes.forget()
        try database.execute(
            sql: "UPDATE meta SET value = max(value, ?) WHERE key = 'minute_floor'", arguments: [floor])
    }

    // An hour's first minute stands for all of it.
    private func foldTimeline(_ database: Database, until floor: Int64) throws {
        try database.execute(
            sql: """
                INSERT INTO timeline(minute, requests, failures, up, down)
                SELECT minute - minute % 60, sum(requests), sum(failures), sum(up), sum(down)
                FROM timeline WHERE minute < ? AND minute % 60 <> 0 GROUP BY 1
                ON CONFLICT(minute) DO UPDATE SET requests = requests + excluded.requests,
                    failures = failures + excluded.failures, up = up + excluded.up, down = down + excluded.down
                """, arguments: [floor])
        try database.execute(sql: "DELETE FROM timeline WHERE minute < ? AND minute % 60 <> 0", arguments: [floor])
    }

    private func deleteOldest(_ database: Database, _ policy: RetentionPolicy) throws -> Int {
        var ids: [Int64] = []
        if let maxAge = policy.maxAge {
            ids = try oldest(database, policy.step, before: now().nanoseconds &- maxAge)
        }
        if ids.isEmpty, let maxSize = policy.maxSize, try usedBytes(database) > maxSize {
            ids = try oldest(database, policy.step, before: nil)
        }
        guard !ids.isEmpty else { return 0 }
        for table in StoreSchema.exchangeTables {
            let delete = try PreparedStatement(database, "DELETE FROM \(table) WHERE id = ?")
            for id in ids {
                delete.bind(1, id)
                try delete.run()
            }
        }
        try statements.addUnkept(Int64(ids.count))
        try deleteBehind(database)
        return ids.count
    }

    // Exchanges that still run stay: their end must find them. The spans bound the search to rows of that time.
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
            find.bind(2, limit)
            find.bind(3, Rollup.minute(of: Timestamp(nanoseconds: limit)))
        }
        var ids: [Int64] = []
        while try find.step() { ids.append(find.int(0)) }
        return ids
    }

    // Connections and minutes of which no exchange is left.
    private func deleteBehind(_ database: Database) throws {
        let ends = try PreparedStatement(
            database, "SELECT ending FROM exchange WHERE ending IS NOT NULL ORDER BY id LIMIT 1000")
        var oldest: Int64?
        while try ends.step() {
            let end = EndCoding.read(ends.bytes(0), startedAt: Timestamp(nanoseconds: 0), total: nil)
            if let connection = end.references.connection { oldest = min(oldest ?? connection, connection) }
        }
        try database.execute(
            sql: """
                DELETE FROM connection WHERE closed IS NOT NULL AND id < ?
                    AND closed < (SELECT coalesce(min(started), 0) FROM (SELECT started FROM exchange ORDER BY id LIMIT 1))
                """, arguments: [oldest ?? 0])
        try database.execute(
            sql: "DELETE FROM carried WHERE last < (SELECT coalesce(min(id), 9223372036854775807) FROM exchange)")
        try database.execute(
            sql: "DELETE FROM span WHERE last < (SELECT coalesce(min(id), 9223372036854775807) FROM exchange)")
    }

    private func usedBytes(_ database: Database) throws -> Int64 {
        try (pragma("page_count", database) - pragma("freelist_count", database)) * pragma("page_size", database)
    }

    private func pragma(_ name: String, _ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "PRAGMA \(name)") ?? 0
    }

    // A few hundred pages at a time; the file itself becomes shorter when the log is moved into it.
    private func shrink(_ database: Database, isLast: Bool) throws -> Bool {
        let free = try pragma("freelist_count", database)
        if free > 0 { try PreparedStatement(database, "PRAGMA incremental_vacuum(500)").run() }
        guard free <= 500 else { return true }
        // Also what earlier steps freed.
        if isLast, try file.size > pragma("page_count", database) * pragma("page_size", database) {
            database.truncateLog()
        }
        return false
    }
}
