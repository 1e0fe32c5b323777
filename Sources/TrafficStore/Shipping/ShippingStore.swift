import Foundation
import GRDB
package import TrafficModel

/// The state of shipping in a store: where each destination's cursor is, and what waits for it.
///
/// The rows of the store are the queue. What has been taken out of it is in `ship_batch` until it is acknowledged, so
/// that the same bytes are sent again after a crash. Only one thread at a time may use it.
package final class ShippingStore {
    /// The file's path.
    package let path: String
    private let queue: DatabaseQueue

    private init(path: String, queue: DatabaseQueue) {
        self.path = path
        self.queue = queue
    }

    /// Opens a store to ship from it; another process may write to it meanwhile.
    ///
    /// - Throws: ``StoreError``.
    package static func open(_ path: String) throws -> ShippingStore {
        let file = StoreFile(path: path)
        do {
            try file.prepareForReading()
            guard file.isWritable else {
                throw StoreError(
                    .readOnly,
                    "'\(path)' cannot be written, so it could not keep what was sent; change the permissions of the file "
                        + "and of its folder")
            }
            // A file of an older version is migrated by the first who opens it.
            _ = try OlderCopy.ifNeeded(of: file)
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            configuration.busyMode = .timeout(10)
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
            return ShippingStore(
                path: file.path, queue: try DatabaseQueue(path: file.path, configuration: configuration))
        } catch {
            throw StoreError.wrapping(error, path: file.path)
        }
    }

    /// Closes the file.
    package func close() throws { try queue.close() }

    private func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            var value: Value?
            try queue.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    value = try body(database)
                    return .commit
                }
            }
            guard let value else { throw StoreError(.failed, "writing was interrupted; try again") }
            return value
        } catch {
            throw StoreError.wrapping(error, path: path)
        }
    }

    // MARK: Identity

    /// Sets the attributes that are not empty for everything in the store, except the carrier: each exchange has the one
    /// of its time.
    package func set(_ resource: TrafficResource) throws {
        try write { database in
            let isEmpty = try Int64.fetchOne(database, sql: "SELECT count(*) FROM resource") == 0
            if isEmpty {
                try StoredResource(firstExchange: 0, run: 0, resource: TrafficResource()).write(to: database)
            }
            for (column, path) in StoredResource.columns where column != "carrier" && !resource[keyPath: path].isEmpty {
                try database.execute(sql: "UPDATE resource SET \(column) = ?", arguments: [resource[keyPath: path]])
            }
        }
    }

    /// Makes the store another installation, and forgets what was sent.
    package func reset() throws { try write { try StoreSchema.newInstallation($0) } }

    // MARK: The destination

    /// The state of a destination, which is made if there is none.
    package func destination(_ url: String, finest: Int, coarsest: Int) throws -> ShippingState {
        try write { database in
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO destination(url, finest, coarsest, next_exchange, next_connection, overtaken,
                        refused, hour, bytes_of_hour)
                    VALUES (?, ?, ?, 0, 0, 0, 0, 0, 0)
                    """, arguments: [url, finest, coarsest])
            try database.execute(sql: "UPDATE destination SET finest = ? WHERE url = ?", arguments: [finest, url])
            let state = try ShippingState(database, url: url)
            guard state.coarsest == coarsest else {
                throw StoreError(
                    .failed,
                    "'\(path)' already sends sums of \(state.coarsest) minutes to '\(url)', which sums of \(coarsest) "
                        + "minutes would count again; keep '--sums' as it was, or start anew with '--reset'")
            }
            return state
        }
    }

    /// The state of that destination now.
    package func state(of url: String) throws -> ShippingState {
        do { return try queue.read { try ShippingState($0, url: url) } } catch {
            throw StoreError.wrapping(error, path: path)
        }
    }

    /// The first batch that waits for a destination.
    package func pending(for destination: Int64) throws -> ShippingBatch? {
        do {
            return try queue.read { database in
                let rows = try PreparedStatement(
                    database,
                    """
                    SELECT id, target, token, count, columns, body FROM ship_batch
                    WHERE destination = ? AND refusal IS NULL ORDER BY id LIMIT 1
                    """)
                rows.bind(1, destination)
                defer { rows.reset() }
                guard try rows.step() else { return nil }
                return ShippingBatch(
                    id: rows.int(0), target: rows.text(1), token: rows.text(2), count: rows.int(3),
                    columns: rows.text(4).split(separator: ",").map(String.init), body: rows.blob(5))
            }
        } catch {
            throw StoreError.wrapping(error, path: path)
        }
    }

    /// Begins to take rows out of the queue for a destination.
    ///
    /// What is read of the store afterwards belongs to this turn; ``take(_:in:)`` refuses it if another shipper of the same
    /// store has taken something meanwhile. Revisions only grow, whatever happens to the batches.
    package func begin(for url: String) throws -> ShippingTurn {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO meta(key, value) VALUES ('ship_revision', 1)
                    ON CONFLICT(key) DO UPDATE SET value = value + 1
                    """)
            let revision = try Int64.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'ship_revision'") ?? 0
            let state = try ShippingState(database, url: url)
            return ShippingTurn(
                state: state, revision: UInt64(max(0, revision)),
                previous: try Self.lastCut(of: state.destination, in: database))
        }
    }

    private static func lastCut(of destination: Int64, in database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database, sql: "SELECT value FROM ship_note WHERE destination = ? AND name = 'cut'",
            arguments: [destination]) ?? 0
    }

    // MARK: Batches

    /// Takes rows out of the queue: keeps the batches and moves the cursor, in one transaction.
    ///
    /// - Returns: whether it did; false if another shipper has taken something since the turn began, so that the cursor is
    ///   elsewhere now.
    package func take(_ cut: ShippingCut, in turn: ShippingTurn) throws -> Bool {
        let destination = turn.state.destination
        return try write { database in
            guard try Self.lastCut(of: destination, in: database) == turn.previous else { return false }
            for batch in cut.batches {
                try Self.insert(batch, for: destination, in: database)
            }
            if let next = cut.nextExchange {
                try database.execute(
                    sql: "UPDATE destination SET next_exchange = ? WHERE id = ?", arguments: [next, destination])
            }
            if let next = cut.nextConnection {
                try database.execute(
                    sql: "UPDATE destination SET next_connection = ? WHERE id = ?", arguments: [next, destination])
            }
            try database.execute(
                sql: "UPDATE destination SET overtaken = overtaken + ? WHERE id = ?",
                arguments: [cut.overtaken, destination])
            try Self.note(cut, for: destination, in: database)
            try database.execute(
                sql: "INSERT OR REPLACE INTO ship_note VALUES (?, 'cut', ?)",
                arguments: [destination, Int64(clamping: turn.revision)])
            return true
        }
    }

    /// Notes which rows were taken, and as what.
    ///
    /// There may be thousands, so each statement is compiled once.
    private static func note(_ cut: ShippingCut, for destination: Int64, in database: Database) throws {
        func run<Element>(
            _ sql: String, _ elements: [Element], _ bind: (PreparedStatement, Element) -> Void
        ) throws {
            guard !elements.isEmpty else { return }
            let statement = try PreparedStatement(database, sql)
            statement.bind(1, destination)
            for element in elements {
                bind(statement, element)
                try statement.run()
            }
        }
        try run("INSERT OR REPLACE INTO ship_open VALUES (?, ?, ?, ?)", cut.opened) {
            $0.bind(2, $1.isConnection ? 1 : 0)
            $0.bind(3, $1.id)
            $0.bind(4, $1.digest)
        }
        try run("DELETE FROM ship_open WHERE destination = ? AND is_connection = ? AND id = ?", cut.closed) {
            $0.bind(2, $1.isConnection ? 1 : 0)
            $0.bind(3, $1.id)
        }
        try run("INSERT OR REPLACE INTO ship_slot VALUES (?, ?, ?, ?, ?)", cut.slots) {
            $0.bind(2, Int64($1.width))
            $0.bind(3, $1.slot)
            $0.bind(4, $1.seen)
            $0.bind(5, $1.sent)
        }
        try run("INSERT OR REPLACE INTO ship_template VALUES (?, ?, ?)", cut.templates) {
            $0.bind(2, $1.api)
            $0.bind(3, $1.template)
        }
        try run("INSERT OR REPLACE INTO ship_note VALUES (?, ?, ?)", cut.notes) {
            $0.bind(2, $1.name)
            $0.bind(3, $1.value)
        }
    }

    private static func insert(_ batch: ShippingBatch, for destination: Int64, in database: Database) throws {
        let row = try PreparedStatement(
            database,
            "INSERT INTO ship_batch(destination, target, token, count, columns, body) VALUES (?, ?, ?, ?, ?, ?)")
        row.bind(1, destination)
        row.bind(2, batch.target)
        row.bind(3, batch.token)
        row.bind(4, batch.count)
        row.bind(5, batch.columns.isEmpty ? nil : batch.columns.joined(separator: ","))
        row.bind(6, batch.body)
        try row.run()
    }

    /// Forgets a batch that was acknowledged, and counts its bytes for the budget of the hour.
    package func acknowledge(_ batch: ShippingBatch, of destination: Int64, hour: Int64) throws {
        try write { database in
            try database.execute(sql: "DELETE FROM ship_batch WHERE id = ?", arguments: [batch.id])
            try database.execute(
                sql: """
                    UPDATE destination SET bytes_of_hour = CASE WHEN hour = ?1 THEN bytes_of_hour ELSE 0 END + ?2,
                        hour = ?1 WHERE id = ?3
                    """, arguments: [hour, batch.body.count, destination])
        }
    }

    /// Replaces a batch that is too large by its halves.
    package func replace(_ batch: ShippingBatch, of destination: Int64, by halves: [ShippingBatch]) throws {
        try write { database in
            try database.execute(sql: "DELETE FROM ship_batch WHERE id = ?", arguments: [batch.id])
            // Another shipper may have done it, or sent it.
            guard database.changesCount == 1 else { return }
            for half in halves {
                try Self.insert(half, for: destination, in: database)
            }
        }
    }

    /// How many refused batches are kept, to look into them.
    private static let refusedKept = 10

    /// Sets aside a batch that will never be accepted, and counts its rows as lost.
    package func setAside(_ batch: ShippingBatch, of destination: Int64, because reason: String) throws {
        try write { database in
            try database.execute(
                sql: "UPDATE ship_batch SET refusal = ? WHERE id = ? AND refusal IS NULL",
                arguments: [reason, batch.id])
            guard database.changesCount == 1 else { return }
            try database.execute(
                sql: "UPDATE destination SET refused = refused + ? WHERE id = ?",
                arguments: [batch.count, destination])
            try database.execute(
                sql: """
                    DELETE FROM ship_batch WHERE destination = ?1 AND refusal IS NOT NULL AND id NOT IN (
                        SELECT id FROM ship_batch WHERE destination = ?1 AND refusal IS NOT NULL
                        ORDER BY id DESC LIMIT ?2)
                    """, arguments: [destination, Self.refusedKept])
        }
    }
}
