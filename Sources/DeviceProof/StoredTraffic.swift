internal import Foundation
internal import TrafficModel
internal import TrafficStore

/// What a store holds, read whole; the file is removed.
struct StoredTraffic {
    let exchanges: [StoredExchange]
    let losses: [TrafficLoss]

    init(at path: String) throws {
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let reader = try StoreReader.open(path)
        var all: [StoredExchange] = []
        try reader.forEachExchange(matching: ExchangeFilter(), order: .oldestFirst, after: nil) { exchange in
            all.append(exchange)
            return true
        }
        exchanges = all
        losses = try reader.losses()
    }
}
