import TrafficModel

/// The reason why a connection was opened, as far as the exchanges show it.
enum ConnectionOpening: Hashable {
    /// There was no connection to the origin before.
    case first
    /// Another connection to the same origin was idle.
    case besideIdle
    /// All connections to the origin were busy; the value is their number, including the new one.
    case besideBusy(Int)
    /// The others had been idle for longer than servers usually keep connections open.
    case afterPause

    /// Whether a program that reuses its idle connections would have avoided it.
    var isAvoidable: Bool { self == .besideIdle }
}

/// The connections that each process would have needed if it had always reused an idle one.
struct ConnectionPools {
    private struct Origin: Hashable {
        var pid: Int32
        var scheme: String
        var host: String
        var port: Int
    }

    // Browsers open 6 to an origin; a pool of this size is more than enough to show a problem.
    private static let mostConnections = 64
    private static let mostOrigins = 10_000
    private var pools: [Origin: [Int64]] = [:]
    private let keepAlive: Int64

    init(_ limits: Audit.Limits) { keepAlive = limits.keepAlive }

    /// Takes a connection for an exchange from its pool; returns why it was opened, if the exchange opened it.
    mutating func take(_ exchange: StoredExchange) -> ConnectionOpening? {
        guard let end = exchange.end, exchange.connection != nil else { return nil }
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
