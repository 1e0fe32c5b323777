internal import TextFormats
internal import TrafficModel

/// A store that a ``ChangeFeed`` polls.
struct StoreChanges: ChangeSource {
    let reading: any TrafficBrowsing
    let readers: Readers
    let overview: @Sendable () throws -> JSONValue

    func state() async -> StoreState? { await readers.run { try? reading.state() } }

    func status() async -> String { await readers.run { (try? overview().compact) ?? "{}" } }

    func present(_ limit: Int) async -> (newest: Int64, running: [Int64: Int]) {
        await readers.run {
            var newest: Int64 = 0
            var running: [Int64: Int] = [:]
            var looked = 0
            // Running exchanges started recently, so the newest rows include them.
            try? reading.forEachHead(matching: .init(), order: .newestFirst, after: nil) { exchange in
                newest = max(newest, exchange.id.rawValue)
                // 0 matches no row's hash: the page may have read an earlier state of the row, so the next look sends
                // it.
                if exchange.end == nil { running[exchange.id.rawValue] = 0 }
                looked += 1
                return looked < limit
            }
            return (newest, running)
        }
    }

    func changes(after newest: Int64, of running: [Int64: Int], limit: Int) async -> RowChanges {
        await readers.run {
            var changes = RowChanges(newest: newest)
            guard let known = try? reading.heads(of: running.keys.sorted().map { StoredExchange.ID($0) }) else {
                return changes
            }
            changes.ended = Array(Set(running.keys).subtracting(known.map(\.id.rawValue)))
            for exchange in known {
                let id = exchange.id.rawValue
                let row = ExchangeSummary(exchange).json.compact
                // Most running exchanges have not changed.
                guard row.hashValue != running[id] else { continue }
                changes.rows.append(row)
                changes.running[id] = row.hashValue
                if exchange.end != nil { changes.ended.append(id) }
            }
            try? reading.forEachHead(
                matching: .init(), order: .oldestFirst, after: newest == 0 ? nil : StoredExchange.ID(newest)
            ) { exchange in
                guard changes.rows.count < limit else {
                    changes.hasMore = true
                    return false
                }
                let id = exchange.id.rawValue
                changes.newest = max(changes.newest, id)
                let row = ExchangeSummary(exchange).json.compact
                changes.rows.append(row)
                if exchange.end == nil { changes.running[id] = row.hashValue }
                return true
            }
            return changes
        }
    }
}
