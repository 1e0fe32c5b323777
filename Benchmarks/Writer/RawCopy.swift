import Foundation
import GRDBSQLite

/// Inserts all rows of a store into a new file with nothing but prepared statements, which is the lowest possible cost.
///
/// Each transaction takes the same share of every table, so the tables grow together as they did in the store.
final class RawCopy {
    /// How many rows an exchange has in the copy.
    enum Layout {
        /// One, as in the store.
        case oneRow
        /// One for its request and its end, and one for its response; together they have the same columns.
        case twoRows
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    fileprivate final class Table {
        let read: OpaquePointer
        let insert: OpaquePointer
        let count: Int
        let columns: Int32
        var done = 0

        init(read: OpaquePointer, insert: OpaquePointer, count: Int) {
            self.read = read
            self.insert = insert
            self.count = count
            columns = sqlite3_column_count(read)
        }

        deinit {
            sqlite3_finalize(read)
            sqlite3_finalize(insert)
        }
    }

    fileprivate struct Row {
        let table: Table
        let values: [OpaquePointer?]
    }

    private var source: OpaquePointer?
    private var copy: OpaquePointer?
    private var tables: [Table] = []

    private init(of path: String, to other: String, _ layout: Layout) throws {
        guard sqlite3_open(path, &source) == SQLITE_OK, sqlite3_open(other, &copy) == SQLITE_OK else {
            throw Failure(description: "cannot open '\(path)' or '\(other)'")
        }
        // The same settings as the writer's connection.
        try run("PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL")
        let names = try texts("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        let divided = layout == .twoRows ? "exchange" : ""
        if layout == .twoRows { try divideExchanges() }
        // SQLite makes its own tables, such as sqlite_sequence. What triggers would write is copied, too.
        let schema = """
            SELECT sql FROM sqlite_master
            WHERE sql IS NOT NULL AND type <> 'trigger' AND name NOT LIKE 'sqlite_%' AND name <> '\(divided)'
            ORDER BY type = 'index'
            """
        for sql in try texts(schema) { try run(sql) }
        for name in names where name != divided { try add(name, columns(of: name), from: name) }
    }

    private func add(_ name: String, _ columns: [String], from rows: String) throws {
        let read = try prepare("SELECT \(columns.joined(separator: ", ")) FROM \(rows)", source)
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        let insert = try prepare("INSERT INTO \(name) VALUES (\(marks))", copy)
        let count = try texts("SELECT count(*) FROM \(rows)").first.flatMap { Int($0) } ?? 0
        tables.append(Table(read: read, insert: insert, count: count))
    }

    private func divideExchanges() throws {
        let all = try columns(of: "exchange")
        let ofResponse = all.filter {
            $0.hasPrefix("response_") || ["answer", "first_byte", "decoded_body"].contains($0)
        }
        let parts = [
            // The name that the indices of the schema refer to.
            ("exchange", all.filter { !ofResponse.contains($0) }, "exchange"),
            ("response", ["id"] + ofResponse, "exchange WHERE answer IS NOT NULL"),
        ]
        for (name, columns, rows) in parts {
            let declared = columns.map { $0 == "id" ? "id INTEGER PRIMARY KEY" : $0 }.joined(separator: ", ")
            try run("CREATE TABLE \(name)(\(declared))")
            try add(name, columns, from: rows)
        }
    }

    // Without generated columns, which take no value.
    private func columns(of table: String) throws -> [String] {
        try texts("SELECT name FROM pragma_table_info('\(table)')")
    }

    deinit {
        tables = []
        sqlite3_close(source)
        sqlite3_close(copy)
    }

    /// Makes the copy, and returns the processor time of the inserts alone in nanoseconds.
    static func cost(of path: String, to other: String, _ layout: Layout, transactions: Int) throws -> Int64 {
        let copy = try RawCopy(of: path, to: other, layout)
        var cost: Int64 = 0
        for transaction in 1...transactions {
            let rows = copy.nextRows(share: Double(transaction) / Double(transactions))
            let start = Usage.process
            try copy.run("BEGIN IMMEDIATE")
            for row in rows { try copy.insert(row) }
            try copy.run("COMMIT")
            cost += Usage.process - start
            for value in rows.joinedValues { sqlite3_value_free(value) }
        }
        let start = Usage.process
        try copy.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return cost + Usage.process - start
    }

    private func nextRows(share: Double) -> [Row] {
        var rows: [Row] = []
        for table in tables {
            let end = Int((Double(table.count) * share).rounded())
            while table.done < end, sqlite3_step(table.read) == SQLITE_ROW {
                let values = (0..<table.columns).map { sqlite3_value_dup(sqlite3_column_value(table.read, $0)) }
                rows.append(Row(table: table, values: values))
                table.done += 1
            }
        }
        return rows
    }

    private func insert(_ row: Row) throws {
        let statement = row.table.insert
        for (index, value) in row.values.enumerated() {
            let place = Int32(index + 1)
            switch sqlite3_value_type(value) {
            case SQLITE_INTEGER: sqlite3_bind_int64(statement, place, sqlite3_value_int64(value))
            case SQLITE_TEXT:
                // No copy is needed, because the values outlive the step.
                sqlite3_bind_text(statement, place, sqlite3_value_text(value), sqlite3_value_bytes(value), nil)
            case SQLITE_BLOB:
                sqlite3_bind_blob(statement, place, sqlite3_value_blob(value), sqlite3_value_bytes(value), nil)
            default: sqlite3_bind_null(statement, place)
            }
        }
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure(copy) }
        sqlite3_reset(statement)
    }

    // MARK: SQLite

    private func run(_ statements: String...) throws {
        for sql in statements where sqlite3_exec(copy, sql, nil, nil, nil) != SQLITE_OK { throw failure(copy) }
    }

    private func prepare(_ sql: String, _ connection: OpaquePointer?) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure(connection)
        }
        return statement
    }

    private func texts(_ sql: String) throws -> [String] {
        let statement = try prepare(sql, source)
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
        return texts
    }

    private func failure(_ connection: OpaquePointer?) -> Failure {
        Failure(description: String(cString: sqlite3_errmsg(connection)))
    }
}

extension [RawCopy.Row] {
    fileprivate var joinedValues: [OpaquePointer?] { flatMap(\.values) }
}
