import Foundation
import GRDB
package import TrafficModel

/// Reads a store, also while another process writes into it.
///
/// `@unchecked Sendable`: the idle connections and the last overview are behind `lock`; one that is lent belongs to its call.
package final class StoreReader: TrafficBrowsing, @unchecked Sendable {
    private let file: StoreFile
    /// What is read instead of a file of an older version that cannot be written.
    private let copy: OlderCopy?
    private let lock = NSLock()
    private var idle: [ReadConnection] = []
    // Changes are told from each other on one connection only.
    private let watching = NSLock()
    private var watcher: ReadConnection?
    private var lastOverview: (state: StoreState, overview: StoreOverview)?

    /// The file's path.
    package var path: String { file.path }

    private init(file: StoreFile, copy: OlderCopy?) {
        self.file = file
        self.copy = copy
    }

    /// Opens a store for reading.
    ///
    /// The log of a writer that was killed is read, too. In a folder that cannot be written, the file is read alone.
    /// A file of an older version becomes one of this; where it cannot be written, a copy in memory does.
    ///
    /// - Parameter path: the file.
    /// - Returns: the reader.
    /// - Throws: ``StoreError``; nothing is written into a file that is not a store.
    package static func open(_ path: String) throws -> StoreReader {
        let file = StoreFile(path: path)
        do {
            try file.prepareForReading()
            let reader = StoreReader(file: file, copy: try OlderCopy.ifNeeded(of: file))
            try reader.read { _, _ in }
            return reader
        } catch {
            throw StoreError.wrapping(error, path: file.path)
        }
    }

    private func connect() throws -> ReadConnection {
        if let copy { try ReadConnection(copy) } else { try ReadConnection(file) }
    }

    /// Runs a read on a connection that nobody else uses, so that reads may nest and overlap.
    func read<Value>(_ body: (Database, ReadConnection) throws -> Value) throws -> Value {
        do {
            let connection = try lock.withLock { idle.popLast() } ?? connect()
            defer {
                lock.withLock { if idle.count < 4 { idle.append(connection) } }
            }
            return try connection.read { try body($0, connection) }
        } catch let error as DatabaseError {
            throw StoreError.wrapping(error, path: file.path)
        }
    }

    /// The overview of that state, where it was made before.
    func overview(at state: StoreState) -> StoreOverview? {
        lock.withLock { lastOverview.flatMap { $0.state == state ? $0.overview : nil } }
    }

    /// Keeps an overview for those who ask again.
    func keep(_ overview: StoreOverview, at state: StoreState) { lock.withLock { lastOverview = (state, overview) } }

    /// What changes when somebody writes.
    package func state() throws -> StoreState {
        try watching.withLock {
            do {
                let connection = try watcher ?? connect()
                watcher = connection
                return try connection.read { database in
                    let generation = "SELECT coalesce(max(value), 0) FROM meta WHERE key = 'generation'"
                    return StoreState(
                        changes: try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0,
                        generation: try Int64.fetchOne(database, sql: generation) ?? 0)
                }
            } catch let error as DatabaseError {
                throw StoreError.wrapping(error, path: file.path)
            }
        }
    }
}
