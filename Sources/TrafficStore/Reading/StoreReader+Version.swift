import GRDBSQLite

extension StoreReader {
    /// The version of the SQLite in this process, such as `3.40.1`.
    package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }
}
