import Foundation
import GRDB
import TestSupport
import Testing

@testable import TrafficStore

/// A new file is made at once, an old one by migrations: both have the same tables.
@Suite struct NewFileTests {
    private struct Schema: Equatable {
        /// The SQL of each table, index, view and trigger, without the differences that ALTER TABLE makes.
        var statements: [String: String] = [:]
        /// The columns of each table in their order, with those that are computed.
        var columns: [String: [String]] = [:]
        var rows: [String: Set<String>] = [:]
        var version = 0
    }

    private func schema(_ path: String, _ make: (DatabaseQueue) throws -> Void) throws -> Schema {
        let queue = try DatabaseQueue(path: path)
        try make(queue)
        return try queue.read { database in
            var schema = Schema()
            for row in try Row.fetchAll(database, sql: "SELECT type, name, sql FROM sqlite_schema") {
                let (type, name): (String, String) = (row["type"], row["name"])
                let words = (row["sql"] as String? ?? "").replacing("\"", with: "").split(
                    whereSeparator: \.isWhitespace)
                let text = words.joined(separator: " ").replacing("( ", with: "(").replacing(" )", with: ")")
                schema.statements["\(type) \(name)"] = text
                guard type == "table" else { continue }
                schema.columns[name] = try Row.fetchAll(database, sql: "PRAGMA table_xinfo(\(name))").map(\.description)
                // Each file has an identity of its own.
                if name == "identity" {
                    #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM identity") == 1)
                } else {
                    schema.rows[name] = Set(try Row.fetchAll(database, sql: "SELECT * FROM \(name)").map(\.description))
                }
            }
            schema.version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            return schema
        }
    }

    @Test("a new file has what all migrations together would give it")
    func sameTables() throws {
        let folder = try Folder()
        let migrated = try schema(folder.file("migrated.db")) { try StoreSchema.migrator.migrate($0) }
        let new = try schema(folder.file("new.db")) { try $0.write(StoreSchema.create) }
        #expect(new.version == migrated.version)
        #expect(new.rows == migrated.rows)
        #expect(Set(new.statements.keys) == Set(migrated.statements.keys))
        for (name, statement) in migrated.statements { #expect(new.statements[name] == statement, "\(name)") }
        for (name, columns) in migrated.columns { #expect(new.columns[name] == columns, "\(name)") }
    }
}
