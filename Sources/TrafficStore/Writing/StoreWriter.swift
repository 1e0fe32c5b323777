internal import Clocks
import Foundation
import GRDB
package import TrafficModel
package import URLTemplates

/// Writes events into a store file, several batches in a transaction.
///
/// The numbers of exchanges and connections in events are unique only within one observer. The writer maps them to
/// rows, so that several runs and processes can share a file. Only one thread at a time may use a writer, see
/// ``BatchWriter``.
package final class StoreWriter {
    /// The row of a connection, and the exchanges of the transaction that ended on it.
    struct CachedConnection {
        var local = Int64.min
        var row: Int64 = 0
        /// The first and the last exchange of the transaction that ended on the connection.
        var first = Int64.max
        var last = Int64.min
    }

    static let openLimit = 100_000

    /// The file's path.
    package let path: String
    let file: StoreFile
    let queue: DatabaseQueue
    let run: Int64
    let resource: TrafficResource
    let now: @Sendable () -> Timestamp

    // Exclusive access is not checked on properties that change with each exchange: one thread at a time uses a writer,
    // and the checks took a tenth of its time.

    // Set to nil when the store is closed, because a connection with statements cannot be closed.
    @exclusivity(unchecked) private(set) var statements: WriterStatements!
    @exclusivity(unchecked) private(set) var dictionaries: StoreDictionaries!
    @exclusivity(unchecked) var running: [Int64: OpenExchange] = [:]
    @exclusivity(unchecked) var ended = RecentRows()
    @exclusivity(unchecked) var connections = ConnectionRows()
    static let connectionCacheSize = 256
    /// A cache of the rows of connections that recent ends have named.
    @exclusivity(unchecked) var connectionCache = [CachedConnection](
        repeating: CachedConnection(), count: connectionCacheSize)
    var losses: [TrafficLoss.Reason: Int64] = [:]
    var hasLostEvents = false
    @exclusivity(unchecked) var transaction = WriteTransaction()
    let sink = ByteSink()
    /// The number of rows that have been committed.
    package private(set) var rowsWritten: Int64 = 0
    /// The error that reported damage of the file; if it is set, the writer leaves the file as it is.
    private(set) var damage: StoreError?

    private init(
        file: StoreFile, queue: DatabaseQueue, run: Int64, resource: TrafficResource, statements: WriterStatements,
        dictionaries: StoreDictionaries, now: @escaping @Sendable () -> Timestamp
    ) {
        self.file = file
        path = file.path
        self.queue = queue
        self.run = run
        self.resource = resource
        self.statements = statements
        self.dictionaries = dictionaries
        self.now = now
    }

    /// Opens a store for writing; creates it if there is no file.
    ///
    /// Exchanges that runs of vanished processes left open are ended as abandoned.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist and be writable.
    ///   - templates: when templates are merged, and how many a host may have.
    ///   - resource: what is metered; kept with the exchanges that this writer adds.
    ///   - busyTimeout: how many seconds to wait while another process writes.
    ///   - now: returns the time; the system's clock, except in tests.
    /// - Returns: the writer, with a run of its own in the file.
    /// - Throws: ``StoreError``; a file that is not a store is left as it is.
    package static func open(
        _ path: String, templates: TemplateLimits = TemplateLimits(), resource: TrafficResource = TrafficResource(),
        busyTimeout: Double = 5, now: @escaping @Sendable () -> Timestamp = SystemClock.now
    ) throws -> StoreWriter {
        try FileSizeSignal.whileBlocked {
            try opened(path, templates: templates, resource: resource, busyTimeout: busyTimeout, now: now)
        }
    }

    private static func opened(
        _ path: String, templates: TemplateLimits, resource: TrafficResource, busyTimeout: Double,
        now: @escaping @Sendable () -> Timestamp
    ) throws -> StoreWriter {
        let file = StoreFile(path: path)
        do {
            try file.prepareForWriting()
            try file.checkPages()
            let queue = try connect(to: file, busyTimeout: busyTimeout)
            let moment = now()
            let pid = getpid()
            let (run, statements, dictionaries) = try queue.writeWithoutTransaction { database in
                let statements = try WriterStatements(database)
                let dictionaries = try StoreDictionaries(database, templates: templates)
                var run: Int64 = 0
                try database.inTransaction(.immediate) {
                    try database.execute(
                        sql: "INSERT INTO run(pid, pid_started, opened, seen) VALUES (?, ?, ?, ?)",
                        arguments: [
                            pid, ProcessLiveness.startTime(of: pid), moment.nanoseconds, moment.nanoseconds,
                        ])
                    run = database.lastInsertedRowID
                    let next = try Int64.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'next_exchange'")
                    try StoredResource(firstExchange: next ?? 1, run: run, resource: resource).write(to: database)
                    try AbandonedExchanges(database, statements).endVanishedRuns()
                    return .commit
                }
                return (run, statements, dictionaries)
            }
            return StoreWriter(
                file: file, queue: queue, run: run, resource: resource, statements: statements,
                dictionaries: dictionaries, now: now)
        } catch {
            throw StoreError.wrapping(error, path: file.path)
        }
    }

    private static func connect(to file: StoreFile, busyTimeout: Double) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        let migrator = StoreSchema.migrator
        let isComplete = try queue.read { database in
            if try migrator.hasBeenSuperseded(database) { throw file.newerVersion }
            return try migrator.hasCompletedMigrations(database)
        }
        if !isComplete { try StoreSchema.migrate(queue) }
        return queue
    }

    /// Writes events in one transaction: all of them, or, if it throws, none.
    ///
    /// - Parameters:
    ///   - events: the events in the order in which they were recorded.
    ///   - losses: events that were dropped before this call.
    /// - Throws: ``StoreError``; the same events may be written again later.
    package func write(_ events: [TrafficEvent], losses: [TrafficLoss] = []) throws {
        try write([EventBatch(events)], losses: losses)
    }

    /// Writes batches in one transaction: all of them, or, if it throws, none.
    func write(_ batches: [EventBatch], losses: [TrafficLoss]) throws {
        guard statements != nil else {
            throw StoreError(.closed, "the store '\(path)' was closed; open it again")
        }
        if let damage { throw damage }
        let lossesBefore = self.losses
        transaction.begin()
        do {
            try queue.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    try apply(batches, to: database)
                    for loss in losses { add(loss) }
                    try writeLosses()
                    return .commit
                }
            }
        } catch {
            undo()
            self.losses = lossesBefore
            throw failed(error)
        }
        self.losses.removeAll(keepingCapacity: true)
        rowsWritten += transaction.rows
    }

    /// Ends open exchanges as abandoned, closes the run, moves the log into the file and closes it.
    package func close() throws {
        guard statements != nil else { return }
        if let damage {
            leaveAsItIs()
            throw damage
        }
        do {
            try endRun()
            statements = nil
            dictionaries = nil
            try queue.close()
        } catch {
            statements?.tiers.forget()
            let error = failed(error)
            if damage != nil { leaveAsItIs() }
            throw error
        }
    }

    /// The store error for an error; one that reports damage also ends all writing.
    func failed(_ error: any Error) -> StoreError {
        let error = StoreError.wrapping(error, path: path)
        if error.code == .corrupt || error.code == .notADatabase { damage = damage ?? error }
        return error
    }

    // Closing the connection would move the log into the damaged file. So the connection stays open until the process
    // ends, and committed changes stay in the log.
    private func leaveAsItIs() {
        _ = Unmanaged.passRetained(queue)
        _ = Unmanaged.passRetained(statements)
        _ = Unmanaged.passRetained(dictionaries)
        statements = nil
        dictionaries = nil
    }

    private func endRun() throws {
        try queue.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try writeLosses()
                try AbandonedExchanges(database, statements).end(run: run)
                try statements.tiers.foldAll()
                try database.execute(
                    sql: "UPDATE run SET closed = ? WHERE id = ?", arguments: [now().nanoseconds, run])
                return .commit
            }
            database.truncateLog()
        }
    }

    /// Counts events that will not be written; the count is written with the next batch.
    func add(_ loss: TrafficLoss) {
        guard loss.count > 0 else { return }
        if loss.reason == .bufferFull || loss.reason == .storeFailed { hasLostEvents = true }
        losses[loss.reason, default: 0] += loss.count
    }

    private func writeLosses() throws {
        for (reason, count) in losses {
            statements.loss.bind(1, run)
            statements.loss.bind(2, reason.rawValue)
            statements.loss.bind(3, count)
            try statements.loss.run()
            transaction.rows += 1
        }
    }

    // Memory refers to rows of the transaction, which do not exist after the rollback.
    private func undo() {
        for (local, exchange) in transaction.runningBefore { running[local] = exchange }
        for local in transaction.endedNow { ended[local] = nil }
        for local in transaction.connectionsNow { connections.forget(local) }
        connectionCache = [CachedConnection](repeating: CachedConnection(), count: Self.connectionCacheSize)
        dictionaries.forget()
        statements.tiers.forget()
    }
}
