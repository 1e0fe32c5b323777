import Foundation
import GRDB

extension StoreReader {
    /// Whether a search of a large store has found no search index, or only a part of it.
    package var wantsSearchIndex: Bool { index.isWanted }

    /// Makes what is missing of the search index, in the store; in memory if the store cannot be written.
    ///
    /// It reads all exchanges that are in no chunk of the index. The index takes 8 bytes for each exchange.
    ///
    /// - Parameter goOn: takes the share that is done and returns whether to go on. What was made stays.
    /// - Throws: ``StoreError``
    package func makeSearchIndex(_ goOn: (Double) -> Bool = { _ in true }) throws {
        try index.grow(self) { goOn(Double($0) / Double($1)) }
    }

    /// A connection that may write the search index; nil if the store cannot be written.
    func connectForIndex() throws -> DatabaseQueue? {
        guard isWritable else { return nil }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        // The index can wait, and the program that is metered cannot.
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
