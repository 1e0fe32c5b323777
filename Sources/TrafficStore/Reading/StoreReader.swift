import Foundation
import GRDB
internal import Locks
package import TrafficModel

/// Reads a store, even while another process writes to it.
///
/// `@unchecked Sendable`: `lock` guards the idle connections and the last answers; each call owns the connection that
/// it has borrowed.
package final class StoreReader: TrafficBrowsing, GroupRanking, TrafficCopying, @unchecked Sendable {
    private let file: StoreFile
    /// The copy to read instead of an older file that cannot be written.
    private let copy: OlderCopy?
    private let lock = NSLock()
    private var idle: [ReadConnection] = []
    // SQLite's change number is comparable only within one connection.
    private let watching = NSLock()
    private var watcher: ReadConnection?
    private var lastOverview: (state: StoreState, overview: StoreOverview)?
    private var lastDirections: (state: StoreState, directions: [TrafficDirection])?
    private let share = Mutex<Double?>(nil)
    /// What makes searches faster.
    let index: SearchIndex

    /// The share of its exchanges that a search in progress has gone through; nil if there is none.
    package var shareRead: Double? { share.withLock { $0 } }

    /// Notes how far a read is.
    func note(share now: Double?) { share.withLock { $0 = now } }

    /// The file's path.
    package var path: String { file.path }

    /// Whether the file that is read can be written.
    var isWritable: Bool { copy == nil && file.isWritable }

    /// Which file there is now.
    var identity: FileIdentity? { FileIdentity(path: file.path) }

    private init(file: StoreFile, copy: OlderCopy?, index: SearchIndex) {
        self.file = file
        self.copy = copy
        self.index = index
    }

    /// Opens a store for reading.
    ///
    /// The log of a writer that was killed is read, too. In a folder that cannot be written, the file is read without a
    /// log. A file of an older version is migrated; if it cannot be written, a copy in memory is migrated and read.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - searchesOften: whether the first search of a large store makes the search index in the background. Without
    ///     this, ``makeSearchIndex(_:)`` does.
    /// - Returns: the reader.
    /// - Throws: ``StoreError``; nothing is written to a file that is not a store.
    package static func open(_ path: String, searchesOften: Bool = false) throws -> StoreReader {
        try open(path, SearchIndex(growsInBackground: searchesOften))
    }

    /// Opens a store with that search index.
    static func open(_ path: String, _ index: SearchIndex) throws -> StoreReader {
        let file = StoreFile(path: path)
        do {
            try file.prepareForReading()
            let reader = StoreReader(file: file, copy: try OlderCopy.ifNeeded(of: file), index: index)
            try reader.read { _, _ in }
            return reader
        } catch {
            throw StoreError.wrapping(error, path: file.path)
        }
    }

    private func connect() throws -> ReadConnection {
        if let copy { try ReadConnection(copy) } else { try ReadConnection(file) }
    }

    /// Runs a read on a connection that no other call uses, so that reads may nest and overlap.
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

    /// The overview of that state, if it was kept.
    func overview(at state: StoreState) -> StoreOverview? {
        lock.withLock { lastOverview.flatMap { $0.state == state ? $0.overview : nil } }
    }

    /// Keeps an overview for later calls at the same state.
    func keep(_ overview: StoreOverview, at state: StoreState) { lock.withLock { lastOverview = (state, overview) } }

    /// The directions of all traffic at that state, if they were kept.
    func directions(at state: StoreState) -> [TrafficDirection]? {
        lock.withLock { lastDirections.flatMap { $0.state == state ? $0.directions : nil } }
    }

    /// Keeps the directions of all traffic for later calls at the same state.
    func keep(_ directions: [TrafficDirection], at state: StoreState) {
        lock.withLock { lastDirections = (state, directions) }
    }

    /// A value that changes with each write.
    package func state() throws -> StoreState {
        try watching.withLock {
            do {
                let connection = try watcher ?? connect()
                watcher = connection
                return try connection.state()
            } catch let error as DatabaseError {
                throw StoreError.wrapping(error, path: file.path)
            }
        }
    }

    /// Writes a copy of the store into a file of its own, with all that is committed and without a log.
    ///
    /// - Parameter path: the file, which only its owner can read; what is there is replaced.
    /// - Throws: ``StoreError``
    package func copy(to path: String) throws {
        let manager = FileManager.default
        try? manager.removeItem(atPath: path)
        _ = manager.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        do {
            let copy = try DatabaseQueue(path: path)
            try connect().queue.backup(to: copy)
            // A log beside the file would be left behind when the file is sent.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
        } catch {
            throw StoreError.wrapping(error, path: path)
        }
    }
}
