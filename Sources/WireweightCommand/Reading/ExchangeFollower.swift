import TrafficModel

/// Finds the exchanges that end while a file is being written.
struct ExchangeFollower {
    private let reader: any TrafficBrowsing
    private let filter: ExchangeFilter
    /// The newest exchange that was seen.
    private var cursor: StoredExchange.ID?
    /// Exchanges that were seen, and had not ended.
    private var running: [StoredExchange.ID] = []
    private var state: StoreState?

    /// How many exchanges before the newest may still run when following starts.
    private static let examined = 1_000

    /// Follows the exchanges that end from now on.
    init(_ reader: any TrafficBrowsing, matching filter: ExchangeFilter) throws {
        self.reader = reader
        self.filter = filter
        var examined = 0
        try reader.forEachHead(matching: ExchangeFilter(), order: .newestFirst, after: nil) { exchange in
            if cursor == nil { cursor = exchange.id }
            if exchange.end == nil { running.append(exchange.id) }
            examined += 1
            return examined < Self.examined
        }
    }

    /// The matching exchanges that have ended since the last call, in the order of their ends.
    mutating func next() throws -> [StoredExchange] {
        let now = try reader.state()
        guard now != state else { return [] }
        if let state, state.generation != now.generation { (cursor, running) = (nil, []) }
        state = now
        // What is gone from the file is not waited for.
        let known = try reader.heads(of: running)
        running = known.filter { $0.end == nil }.map(\.id)
        var ended = known.filter { $0.end != nil }
        try reader.forEachHead(matching: ExchangeFilter(), order: .oldestFirst, after: cursor) { exchange in
            cursor = exchange.id
            if exchange.end == nil { running.append(exchange.id) } else { ended.append(exchange) }
            return true
        }
        if filter != ExchangeFilter() { ended = try ended.filter { try matches($0.id) } }
        return ended.sorted { ($0.end?.endedAt.nanoseconds ?? 0, $0.id) < ($1.end?.endedAt.nanoseconds ?? 0, $1.id) }
    }

    private func matches(_ id: StoredExchange.ID) throws -> Bool {
        var isMatch = false
        let before = StoredExchange.ID(id.rawValue - 1)
        try reader.forEachHead(matching: filter, order: .oldestFirst, after: before) { exchange in
            isMatch = exchange.id == id
            return false
        }
        return isMatch
    }
}
