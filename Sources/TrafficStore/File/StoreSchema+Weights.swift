import GRDB
internal import TrafficModel

extension StoreSchema {
    /// Gives sums from before they had it what single calls weigh, as far as the exchanges have their rows.
    ///
    /// The sums of an API in a slot get them together or not at all, so that its calls of one status are not taken for
    /// all.
    ///
    /// The weights are in the column of the histograms, so nothing else changes. Sums that include exchanges without
    /// a row stay without weights of these.
    @Sendable static func weighCalls(_ database: Database) throws {
        let found = try weightsOfRows(database)
        // Of each kind, its API and direction as one number.
        var apis: [Int64: Int64] = [:]
        let kinds = try PreparedStatement(
            database,
            "SELECT k.id, coalesce(a.merged_into, a.id), k.direction FROM kind k JOIN api a ON a.id = k.api"
        )
        while try kinds.step() { apis[kinds.int(0)] = kinds.int(1) &* 2 &+ kinds.int(2) }
        for (tier, weights) in zip(tiers, found) {
            let table = try RollupTable(database, table: tier)
            var keys: [RollupKey] = []
            var lacking: Set<RollupKey> = []
            try table.forEach(from: .min, until: .max) { key, sums in
                keys.append(key)
                if weights[key]?.requests != sums.requests {
                    lacking.insert(RollupKey(kind: apis[key.kind] ?? 0, slot: key.slot))
                }
            }
            for key in keys where !lacking.contains(RollupKey(kind: apis[key.kind] ?? 0, slot: key.slot)) {
                try table.change(key) { $0.perCall = weights[key]?.perCall ?? CallWeights() }
                if table.isFull { try table.write() }
            }
            try table.write()
        }
    }

    /// What sums have of the exchanges that have rows, by tier, in the slots whose sums include them.
    fileprivate static func weightsOfRows(_ database: Database) throws -> [[RollupKey: Weights]] {
        let bounds = try RollupBounds(.always, database)
        let summed = Set(try Int64.fetchAll(database, sql: "SELECT DISTINCT slot FROM rollup_minute"))
        let rows = try PreparedStatement(
            database,
            """
            SELECT \(OpenExchange.columns), \(ExchangeColumn.selection(EndColumns.columns))
            FROM exchange e LEFT JOIN answer a ON a.id = e.answer
            WHERE e.outcome IS NOT NULL
            """)
        var kinds = try KindLookup(database)
        var found = tiers.map { _ in [RollupKey: Weights]() }
        while try rows.step() {
            let exchange = OpenExchange(row: rows, first: 0)
            guard let kind = try kinds.kind(of: exchange) else { continue }
            let end = EndColumns(rows, first: OpenExchange.columnCount, startedAt: exchange.startedAt)?.end
            let weight = exchange.figures.weight(end.map { EndFigures($0, since: exchange.startedAt) })
            func add(_ tier: Int, slot: Int64) {
                found[tier][RollupKey(kind: kind, slot: slot), default: Weights()].add(weight)
            }
            let minute = TimeSlot.minute(of: exchange.startedAt)
            let hour = TimeSlot.hour(of: minute)
            if summed.contains(minute) { add(0, slot: minute) }
            if minute < bounds.folded { add(1, slot: hour) }
            guard hour < bounds.foldedHours else { continue }
            add(2, slot: TimeSlot.day(of: hour))
            add(3, slot: 0)
        }
        return found
    }
}

private struct Weights {
    var requests: Int64 = 0
    var perCall = CallWeights()

    mutating func add(_ weight: ByteFlow?) {
        requests += 1
        if let weight { perCall.record(weight) }
    }
}
