import Foundation
import GRDB

/// A copy in memory, migrated to this version, of an older file that cannot be written.
///
/// `@unchecked Sendable`: `queue` only keeps the memory alive and is never used.
final class OlderCopy: @unchecked Sendable {
    private let name: String
    private let queue: DatabaseQueue

    /// Migrates a file of an older version, or copies it if it cannot be written.
    ///
    /// - Parameter file: a store.
    /// - Returns: the copy to read; nil if the file itself can be read.
    /// - Throws: the error of SQLite, and ``StoreError`` for a file of a newer version.
    static func ifNeeded(of file: StoreFile) throws -> OlderCopy? {
        let connection = try ReadConnection(file)
        guard connection.isOlder else { return nil }
        if file.isWritable, (try? FileSizeSignal.whileBlocked { try migrate(file) }) != nil { return nil }
        return try OlderCopy(connection)
    }

    private static func migrate(_ file: StoreFile) throws {
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        try StoreSchema.migrate(queue)
        try queue.close()
    }

    /// A migrated copy of the file that this connection reads.
    init(_ connection: ReadConnection) throws {
        name = "wireweight-\(UUID().uuidString)"
        queue = try DatabaseQueue(named: name, configuration: Self.configuration)
        try connection.queue.backup(to: queue)
        try StoreSchema.migrate(queue)
    }

    /// A new connection to the copy, for reading.
    func connect() throws -> DatabaseQueue {
        var configuration = Self.configuration
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = 1") }
        return try DatabaseQueue(named: name, configuration: configuration)
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        return configuration
    }
}
