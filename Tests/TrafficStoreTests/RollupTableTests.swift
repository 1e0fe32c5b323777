import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct RollupTableTests {
    @Test("Written sums are visited, whether they are still in memory or not", arguments: [1, 100])
    func visits(_ limit: Int) throws {
        let folder = try Folder()
        try StoreWriter.open(folder.file()).close()
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        try DatabaseQueue(path: folder.file(), configuration: configuration).write { database in
            let table = try RollupTable(database, table: "rollup_minute", limit: limit)
            for slot in Int64(1)...5 {
                try table.change(RollupKey(kind: 1 + slot % 2, slot: slot)) { $0.requests = 10 * slot }
            }
            try table.write()
            var visited: [RollupKey: Int64] = [:]
            try table.forEach(from: 2, until: 5) { visited[$0] = $1.requests }
            #expect(
                visited == [
                    RollupKey(kind: 1, slot: 2): 20, RollupKey(kind: 2, slot: 3): 30, RollupKey(kind: 1, slot: 4): 40,
                ])
        }
    }
}
