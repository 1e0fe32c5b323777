import GRDB
internal import TrafficModel

extension StoreWriter {
    /// Lets go of one step of what the policy does not keep.
    ///
    /// - Parameter policy: what to keep.
    /// - Returns: whether there may be more to do.
    /// - Throws: ``StoreError``.
    package func retain(_ policy: RetentionPolicy) throws -> Bool {
        do {
            return try queue.writeWithoutTransaction { database in
                var count = 0
                try database.inTransaction(.immediate) {
                    try foldMinutes(database, policy)
                    count = try deleteOldest(database, policy)
                    return .commit
                }
                let freed = try shrink(database)
                return count == policy.step || freed
            }
        } catch {
            throw StoreError.wrapping(error, path: path)
        }
    }

    // The sums of their hours hold the same; until when they are gone is written down for those who read.
    private func foldMinutes(_ database: Database, _ policy: RetentionPolicy) throws {
        let oldest = Timestamp(nanoseconds: now().nanoseconds &- policy.minutesAge)
        let floor = Rollup.hour(of: Rollup.minute(of: oldest)) * Rollup.minutesPerHour
        try database.execute(sql: "DELETE FROM rollup_minute WHERE slot < ?", arguments: [floor])
        guard database.changesCount > 0 else { return }
        try database.execute(
            sql: "UPDATE meta SET value = max(value, ?) WHERE key = 'minute_floor'", arguments: [floor])
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
        for table in ["exchange", "response", "ending", "body"] {
            let delete = try PreparedStatement(database, "DELETE FROM \(table) WHERE id = ?")
            for id in ids {
                delete.bind(1, id)
                try delete.run()
            }
        }
        try deleteBehind(database)
        return ids.count
    }

    // Exchanges that still run stay: their end must find them.
    private func oldest(_ database: Database, _ count: Int, before limit: Int64?) throws -> [Int64] {
        let find = try PreparedStatement(
            database,
            """
            SELECT id, started FROM exchange WHERE id NOT IN (SELECT id FROM running) ORDER BY id LIMIT ?
            """)
        find.bind(1, Int64(count))
        var ids: [Int64] = []
        while try find.step() {
            // Rows are in the order of time, but for the runs that overlap; what is younger waits for the next look.
            if let limit, find.int(1) >= limit { continue }
            ids.append(find.int(0))
        }
        return ids
    }

    // Connections and minutes of which no exchange is left.
    private func deleteBehind(_ database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM connection WHERE closed IS NOT NULL
                    AND id < (SELECT coalesce(min(connection), 0) FROM (
                        SELECT connection FROM ending WHERE connection IS NOT NULL ORDER BY id LIMIT 1000))
                    AND closed < (SELECT coalesce(min(started), 0) FROM (SELECT started FROM exchange ORDER BY id LIMIT 1))
                """)
        try database.execute(
            sql: "DELETE FROM span WHERE last < (SELECT coalesce(min(id), 9223372036854775807) FROM exchange)")
    }

    private func usedBytes(_ database: Database) throws -> Int64 {
        func pragma(_ name: String) throws -> Int64 { try Int64.fetchOne(database, sql: "PRAGMA \(name)") ?? 0 }
        return try (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
    }

    // A few hundred pages at a time; the file itself becomes shorter when the log is moved into it.
    private func shrink(_ database: Database) throws -> Bool {
        let free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        guard free > 0 else { return false }
        let vacuum = try PreparedStatement(database, "PRAGMA incremental_vacuum(500)")
        try vacuum.run()
        if free <= 500 { _ = try? database.checkpoint(.truncate) }
        return free > 500
    }
}
