internal import TextFormats
internal import TrafficModel

/// How often the other calls of an exchange's API had the same header lines.
struct HeaderRepeats: Sendable {
    /// The most calls that are compared: the newest.
    private static let limit = 1_000
    /// How long calls are looked for; a call whose API is rare in a large store would wait for all of it.
    private static let patience = Duration.milliseconds(400)

    let exchange: StoredExchange

    func json(_ reading: any TrafficBrowsing) throws -> JSONValue {
        let request = exchange.request
        let key = request.apiKey
        var filter = ExchangeFilter()
        filter.api = "\(key.method ?? "") \(key.host ?? "") \(key.template ?? "")"
        filter.direction = request.direction
        let found = try reading.newest(Self.limit + 1, matching: filter, in: nil, for: Self.patience)
        let others = found.moments.map(\.exchange).filter { $0 != exchange.id }.prefix(Self.limit)
        let mine = [request.fields.lines.map(Array.init), exchange.response?.fields.lines.map(Array.init) ?? []]
        var counts = mine.map { $0.map { _ in Int64(0) } }
        var calls: Int64 = 0
        for other in try reading.heads(of: Array(others)) {
            calls += 1
            for (side, fields) in [other.request.fields, other.response?.fields].enumerated() {
                let lines = Set(fields?.lines.map(Array.init) ?? [])
                for (place, line) in mine[side].enumerated() where lines.contains(line) { counts[side][place] += 1 }
            }
        }
        return .object([
            .init("calls", .integer(calls)),
            .init("isAll", .bool(found.rest == nil && found.moments.count <= Self.limit)),
            .init("request", .array(counts[0].map { .integer($0) })),
            .init("response", .array(counts[1].map { .integer($0) })),
        ])
    }
}
