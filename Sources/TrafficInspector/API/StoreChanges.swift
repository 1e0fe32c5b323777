internal import TrafficModel
internal import TrafficReports

/// A store as a ``ChangeFeed`` looks at it.
struct StoreChanges: ChangeSource {
    let reading: any TrafficReading
    let readers: Readers
    let overview: @Sendable () throws -> JSONValue

    func state() async -> StoreState? { await readers.run { try? reading.state() } }

    func status() async -> String { await readers.run { (try? overview().compact) ?? "{}" } }

    func present(_ limit: Int) async -> (newest: Int64, running: [Int64]) {
        await readers.run {
            var newest: Int64 = 0
            var running: [Int64] = []
            var looked = 0
            // Those that run began lately: a look at the newest finds them.
            try? reading.forEachExchange(matching: .init(), order: .newestFirst, after: nil) { exchange in
                newest = max(newest, exchange.request.exchange.rawValue)
                if exchange.end == nil { running.append(exchange.request.exchange.rawValue) }
                looked += 1
                return looked < limit
            }
            return (newest, running)
        }
    }

    func changes(after newest: Int64, of running: Set<Int64>, limit: Int) async -> RowChanges {
        await readers.run {
            var changes = RowChanges(newest: newest)
            for id in running.sorted() {
                guard let exchange = try? reading.exchange(ExchangeID(id)) else {
                    changes.ended.append(id)
                    continue
                }
                changes.rows.append(ExchangeSummary(exchange).json.compact)
                if exchange.end != nil { changes.ended.append(id) }
            }
            try? reading.forEachExchange(
                matching: .init(), order: .oldestFirst, after: newest == 0 ? nil : ExchangeID(newest)
            ) { exchange in
                guard changes.rows.count < limit else {
                    changes.hasMore = true
                    return false
                }
                let id = exchange.request.exchange.rawValue
                changes.newest = max(changes.newest, id)
                changes.rows.append(ExchangeSummary(exchange).json.compact)
                if exchange.end == nil { changes.begun.append(id) }
                return true
            }
            return changes
        }
    }
}
