import Foundation
import GRDB

/// A copy in memory of a file that an older version wrote and that cannot be written, as this version would have it.
///
/// `@unchecked Sendable`: `queue` is only there so that the memory lives as long as this.
final class OlderCopy: @unchecked Sendable {
    private let name: String
    private let queue: DatabaseQueue

    /// Makes a file of an older version one of this.
    ///
    /// - Parameter file: a store.
    /// - Returns: a copy to read where the file cannot be written; nil where the file itself can be read.
    /// - Throws: what SQLite failed with, and ``StoreError`` for a file of a newer version.
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

    /// A copy of what that connection reads.
    init(_ connection: ReadConnection) throws {
        name = "wireweight-\(UUID().uuidString)"
        queue = try DatabaseQueue(named: name, configuration: Self.configuration)
        try connection.queue.backup(to: queue)
        try StoreSchema.migrate(queue)
    }

    /// A connection of its own for reading.
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
