import GRDB
import GRDBSQLite

/// Visits rows while SQLite reads them, all within one step of a statement.
///
/// The statement aggregates its columns with the SQL function ``name``. A column of a statement's row takes five times
/// as many instructions to read as an argument of a function.
final class RowVisits {
    /// The SQL function, which takes any columns.
    static let name = "wireweight_visit"

    /// The columns of one row.
    struct Row: ColumnReading {
        fileprivate let values: UnsafeMutablePointer<OpaquePointer?>

        @inline(__always)
        func int(_ column: Int32) -> Int64 { sqlite3_value_int64(values[Int(column)]) }

        @inline(__always)
        func isNull(_ column: Int32) -> Bool { sqlite3_value_type(values[Int(column)]) == SQLITE_NULL }

        @inline(__always)
        func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
            let value = values[Int(column)]
            let start = sqlite3_value_blob(value)
            return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
        }
    }

    private var body: ((Row) throws -> Void)?
    private var failure: (any Error)?

    private init() {}

    /// The visits of a connection, which must not be used by two threads at once.
    static func add(to database: Database) throws -> RowVisits {
        let visits = RowVisits()
        let code = sqlite3_create_function_v2(
            database.sqliteConnection, name, -1, SQLITE_UTF8, Unmanaged.passRetained(visits).toOpaque(), nil,
            { context, _, values in
                let visits = Unmanaged<RowVisits>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
                guard let values, let body = visits.body else { return }
                do {
                    try body(Row(values: values))
                } catch {
                    visits.failure = error
                    sqlite3_result_error_code(context, SQLITE_ABORT)
                }
            }, { sqlite3_result_null($0) }, { Unmanaged<RowVisits>.fromOpaque($0!).release() })
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return visits
    }

    /// Visits each row whose columns the statement gives to the function; an error of `body` ends it.
    func visit(_ statement: PreparedStatement, _ body: (Row) throws -> Void) throws {
        failure = nil
        try withoutActuallyEscaping(body) { body in
            self.body = body
            defer { self.body = nil }
            do {
                try statement.run()
            } catch {
                throw failure ?? error
            }
        }
    }
}
