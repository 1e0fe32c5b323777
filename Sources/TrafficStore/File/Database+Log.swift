import GRDB
import GRDBSQLite

extension Database {
    /// Moves the log into the file and makes it short, as far as nobody is in the way; a later one does the rest.
    ///
    /// Nobody is waited for: who waits for readers keeps all other writers out meanwhile.
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
