import GRDB
import GRDBSQLite

/// A table of tuples that occur often (routes, answers, processes …), each written once; the recent ones are in memory.
final class KeyDictionary<Key: Hashable> {
    private static var cacheLimit: Int { 10_000 }
    @exclusivity(unchecked) private var cache: [Key: Int64] = [:]
    private let find: PreparedStatement
    private let insert: PreparedStatement
    private let connection: OpaquePointer?
    private let bind: (PreparedStatement, Key) -> Void

    /// The dictionary of a table.
    ///
    /// - Parameters:
    ///   - database: the store.
    ///   - table: the table, whose key is `id`.
    ///   - columns: the columns of the tuple.
    ///   - bind: binds a tuple to the parameters from 1 on, in the order of the columns.
    /// - Throws: the error of SQLite.
    init(
        _ database: Database, table: String, columns: [String], bind: @escaping (PreparedStatement, Key) -> Void
    ) throws {
        let condition = columns.map { "\($0) = ?" }.joined(separator: " AND ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        find = try PreparedStatement(database, "SELECT id FROM \(table) WHERE \(condition)")
        insert = try PreparedStatement(
            database, "INSERT INTO \(table)(\(columns.joined(separator: ", "))) VALUES (\(marks))")
        connection = database.sqliteConnection
        self.bind = bind
    }

    /// Clears the cache after a rollback, when its row numbers may no longer be valid.
    func forget() { cache.removeAll() }

    /// The row of a tuple; a new row if there is none.
    func id(of key: Key) throws -> Int64 {
        if let known = cache[key] { return known }
        if cache.count >= Self.cacheLimit { cache.removeAll(keepingCapacity: true) }
        bind(find, key)
        if try find.step() {
            let id = find.int(0)
            find.reset()
            cache[key] = id
            return id
        }
        bind(insert, key)
        try insert.run()
        let id = sqlite3_last_insert_rowid(connection)
        cache[key] = id
        return id
    }
}
