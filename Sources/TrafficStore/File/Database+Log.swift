import GRDB
import GRDBSQLite

extension Database {
    /// Moves the log into the file and truncates it, as far as no other connection prevents that; a later call does the
    /// rest.
    ///
    /// It does not wait for readers: a writer that waits for readers keeps all other writers out in the meantime.
    func truncateLog() {
        guard let connection = sqliteConnection else { return }
        sqlite3_busy_timeout(connection, 0)
        defer {
            if case .timeout(let seconds) = configuration.busyMode {
                sqlite3_busy_timeout(connection, Int32(seconds * 1_000))
            }
        }
        _ = try? checkpoint(.truncate)
    }
}
