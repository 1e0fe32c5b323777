import TrafficModel

/// Why a connection may have been opened.
enum ConnectionOpening: Hashable {
    /// There was none to the origin before.
    case first
    /// One to the same origin lay idle.
    case besideIdle
    /// All to the origin were busy; so many are there now.
    case besideBusy(Int)
    /// The others had been idle for longer than servers keep them.
    case afterPause

    /// Nothing but a program that reuses what it has would have avoided it.
    var isAvoidable: Bool { self == .besideIdle }
}

/// The connections that each process would have needed, had it always taken an idle one.
struct ConnectionPools {
    private struct Origin: Hashable {
        var pid: Int32
        var scheme: String
        var host: String
        var port: Int
    }

    // Browsers open 6 to an origin; a pool of this size tells more of what is wrong than anyone needs.
    private static let mostConnections = 64
    private static let mostOrigins = 10_000
    private var pools: [Origin: [Int64]] = [:]
    private let keepAlive: Int64

    /// Empty pools.
    init(_ limits: Audit.Limits) { keepAlive = limits.keepAlive }

    /// Takes an exchange's connection from its pool, and tells how it came to be opened if it was.
    mutating func take(_ exchange: Exchange) -> ConnectionOpening? {
        guard let end = exchange.end, end.connection != nil else { return nil }
        let request = exchange.request
        let origin = Origin(
            pid: request.process.pid, scheme: request.scheme, host: request.host, port: request.port)
        if pools.count >= Self.mostOrigins, pools[origin] == nil { pools.removeAll(keepingCapacity: true) }
        return take(
            request.startedAt.nanoseconds, until: end.endedAt.nanoseconds,
            isMultiplexed: request.httpVersion.hasPrefix("2"),
            isNew: !end.reusedConnection, from: &pools[origin, default: []])
    }

    private func take(
        _ begin: Int64, until end: Int64, isMultiplexed: Bool, isNew: Bool, from pool: inout [Int64]
    ) -> ConnectionOpening? {
        var idle: Int?
        var busy = 0
        for (index, freeAt) in pool.enumerated() {
            if freeAt > begin && !isMultiplexed {
                busy += 1
            } else if begin - freeAt <= keepAlive, idle.map({ pool[$0] < freeAt }) ?? true {
                idle = index
            }
        }
        if let idle {
            pool[idle] = max(pool[idle], end)
            return isNew ? .besideIdle : nil
        }
        let wasEmpty = pool.isEmpty
        if pool.count >= Self.mostConnections, let oldest = pool.indices.min(by: { pool[$0] < pool[$1] }) {
            pool.remove(at: oldest)
        }
        pool.append(end)
        guard isNew else { return nil }
        return busy > 0 ? .besideBusy(busy + 1) : wasEmpty ? .first : .afterPause
    }
}
