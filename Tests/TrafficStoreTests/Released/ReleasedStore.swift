import Foundation
import GRDB
import TrafficModel

@testable import TrafficStore

/// Makes files as 0.1.0 and earlier versions wrote them.
struct ReleasedStore {
    /// The last migration of 0.1.0.
    static let migration = "websocket-parts"

    private let queue: DatabaseQueue
    private let newer: StoreReader
    private let sink = ByteSink()

    /// Writes the contents of a store of this version into a new file of an older one.
    ///
    /// - Parameters:
    ///   - newer: the store.
    ///   - path: the new file.
    ///   - migration: the last one that the new file has had.
    ///   - exchanges: the records of the exchanges, if they are more precise than those that the store can have.
    ///   - change: SQL to run in the new file.
    /// - Throws: an error of SQLite.
    static func make(
        from newer: String, at path: String, upTo migration: String = Self.migration,
        exchanges: [StoredExchange]? = nil, change: String = ""
    ) throws {
        let store = try ReleasedStore(newer, path, migration)
        try store.queue.writeWithoutTransaction { database in
            try database.execute(sql: "ATTACH ? AS newer", arguments: [newer])
            try database.inTransaction {
                try store.copyTables(database)
                try store.copyExchanges(database, try exchanges ?? store.newer.exchanges())
                for tier in StoreSchema.tiers { try store.copySums(database, tier) }
                try database.execute(sql: change)
                return .commit
            }
            try database.execute(sql: "DETACH newer")
            _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        }
        try store.queue.close()
    }

    private init(_ newer: String, _ path: String, _ migration: String) throws {
        self.newer = try StoreReader.open(newer)
        queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
        }
        try StoreSchema.migrator.migrate(queue, upTo: migration)
    }

    private func copyTables(_ database: Database) throws {
        let changed = ["exchange", "response", "hop", "query", "grdb_migrations"] + StoreSchema.tiers
        let tables = "SELECT name FROM main.sqlite_schema WHERE type = 'table'"
        for table in try String.fetchAll(database, sql: tables) where !changed.contains(table) {
            guard
                try Bool.fetchOne(
                    database, sql: "SELECT 1 FROM newer.sqlite_schema WHERE name = ?", arguments: [table]) == true
            else { continue }
            let known = try String.fetchAll(
                database, sql: "SELECT name FROM pragma_table_info(?, 'newer')", arguments: [table])
            let columns = try database.columns(in: table).map(\.name).filter(known.contains).joined(separator: ", ")
            try database.execute(
                sql: "INSERT OR REPLACE INTO main.\(table)(\(columns)) SELECT \(columns) FROM newer.\(table)")
        }
        try database.execute(
            sql: "INSERT INTO main.query(id, hash, bytes) SELECT id, hash, CAST(text AS BLOB) FROM newer.query")
    }

    private func copyExchanges(_ database: Database, _ exchanges: [StoredExchange]) throws {
        for exchange in exchanges {
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT e.*, a.template FROM newer.exchange e JOIN newer.route t ON t.id = e.route
                        JOIN newer.api a ON a.id = t.api WHERE e.id = ?
                    """, arguments: [exchange.id.rawValue])
            guard let row else { continue }
            try insert(exchange, row, database)
            let task: Int64? = row["task"]
            if let task {
                try database.execute(
                    sql: "INSERT INTO main.hop(id, task) VALUES (?, ?)", arguments: [exchange.id.rawValue, task])
            }
            guard let response = exchange.response else { continue }
            let firstByte = response.firstByteAt.nanoseconds - exchange.request.startedAt.nanoseconds
            let details = blob {
                ReleasedMessageCoding.append(response, to: $0)
                append(row["response_lines"], to: $0)
            }
            try database.execute(
                sql: "INSERT INTO main.response(id, answer, first_byte, details) VALUES (?, ?, ?, ?)",
                arguments: [exchange.id.rawValue, row["answer"] as Int64?, firstByte, details])
        }
    }

    private func insert(_ exchange: StoredExchange, _ row: Row, _ database: Database) throws {
        let record = exchange.request
        var path: DatabaseValue = record.path.databaseValue
        var isPacked = false
        let packed = blob { sink in
            isPacked = Array(record.path.utf8).withUnsafeBytes {
                ReleasedPathCoding(template: row["template"]).append($0, to: sink)
            }
        }
        if isPacked { path = packed.isEmpty ? .null : packed.databaseValue }
        let queryID: Int64? = row["query_id"]
        let query = queryID?.databaseValue ?? record.query?.databaseValue ?? .null
        let request = blob {
            ReleasedMessageCoding.append(record, task: row["task"], hasEnd: exchange.end != nil, to: $0)
            append(row["request_lines"], to: $0)
        }
        var ending: Data?
        if let end = exchange.end {
            let references = EndReferences(
                address: row["address"], connection: row["connection"], failure: row["failure"])
            ending = blob {
                ReleasedEndCoding.append(
                    end, startedAt: record.startedAt, sentAt: record.sentAt, references: references, to: $0)
            }
        }
        try database.execute(
            sql: """
                INSERT INTO main.exchange(id, route, started, path, query, request, outcome, total, ending)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                exchange.id.rawValue, row["route"] as Int64?, record.startedAt.nanoseconds, path, query, request,
                row["outcome"] as Int64?, exchange.end?.duration(since: record.startedAt), ending,
            ])
    }

    private func copySums(_ database: Database, _ tier: String) throws {
        let rows = try PreparedStatement(
            database, "SELECT slot, kind, \(TrafficSums.columns) FROM newer.\(tier)")
        while try rows.step() {
            let sums = TrafficSums(row: rows, first: 2)
            try database.execute(
                sql:
                    "INSERT INTO main.\(tier)(slot, kind, requests, first_seen, last_seen, sums) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    rows.int(0), rows.int(1), sums.requests, sums.firstSeen?.nanoseconds, sums.lastSeen?.nanoseconds,
                    blob { sums.appendReleased(to: $0) },
                ])
        }
    }

    private func append(_ lines: Data?, to sink: ByteSink) {
        lines?.withUnsafeBytes { sink.append($0) }
    }

    private func blob(_ fill: (ByteSink) -> Void) -> Data {
        sink.cut(to: 0)
        fill(sink)
        return Data(bytes: sink.start, count: sink.count)
    }
}
