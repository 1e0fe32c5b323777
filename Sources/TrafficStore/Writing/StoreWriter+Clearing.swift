import GRDB
internal import TrafficModel

extension StoreWriter {
    /// Deletes all exchanges that have ended, all totals, and the counts of losses.
    ///
    /// Running exchanges stay, and are counted when they end. Rows of dictionaries stay, although nothing may refer to
    /// them.
    ///
    /// The store is another installation of a fleet from then on.
    ///
    /// - Throws: ``StoreError``; then nothing was deleted.
    package func clear() throws {
        guard statements != nil else {
            throw StoreError(.closed, "the store '\(path)' was closed; open it again")
        }
        if let damage { throw damage }
        do {
            try queue.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    for table in StoreSchema.exchangeTables {
                        try database.execute(sql: "DELETE FROM \(table) WHERE id NOT IN (SELECT id FROM running)")
                        if table == "exchange" { try statements.addUnkept(Int64(database.changesCount)) }
                    }
                    for table in StoreSchema.sumTables + ["span", "carried", "loss", "ledger_sum", "device", "lookup"] {
                        try database.execute(sql: "DELETE FROM \(table)")
                    }
                    try SearchChunkTable.deleteAll(database)
                    // The running exchanges have new spans, because the old ones were deleted.
                    try database.execute(
                        sql: """
                            INSERT INTO span(minute, first, last)
                            SELECT e.started / 60000000, min(e.id), max(e.id)
                            FROM running n JOIN exchange e ON e.id = n.id GROUP BY 1
                            """)
                    try database.execute(sql: "DELETE FROM connection WHERE closed IS NOT NULL")
                    try database.execute(sql: StoreSchema.ledgerSumsOfRows)
                    try database.execute(
                        sql: """
                            INSERT INTO meta(key, value) VALUES ('generation', 1)
                            ON CONFLICT(key) DO UPDATE SET value = value + 1
                            """)
                    // What was shipped of the deleted sums must not be replaced by smaller ones.
                    try StoreSchema.newInstallation(database)
                    return .commit
                }
                // The pages are free; the file is truncated if that is possible now.
                try? database.execute(sql: "PRAGMA incremental_vacuum")
                database.truncateLog()
            }
            statements.tiers.forget()
        } catch {
            statements?.tiers.forget()
            throw failed(error)
        }
    }
}
