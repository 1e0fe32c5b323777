internal import TextFormats
internal import TrafficModel
internal import TrafficReports

/// The sums of each API in one direction, in the range and at the host that a request names.
struct APITable: Sendable {
    private static let slots = 24
    private static let examinedLimit = 20_000

    let range: TimeRange
    let host: String?
    /// Whether to show what was called or what was served; nil for the first of them that there is.
    let direction: TrafficDirection?

    func json(_ reading: any TrafficBrowsing) throws -> JSONValue {
        let named = host.map { NamedHost($0) }
        let direction = try direction ?? reading.directions().first ?? .called
        let totals = try reading.totals(by: .api, in: range)
            .filter { $0.key.direction == direction && named?.matches($0.key.host ?? "") ?? true }
            .sorted { ($0.up.total + $0.down.total, $1.requests) > ($1.up.total + $1.down.total, $0.requests) }
        let sparks = try sparks(reading, direction)
        var sum = TrafficTotal(key: TrafficTotal.Key())
        for total in totals { sum.merge(total) }
        return .object([
            .init(
                "apis",
                .array(
                    totals.map { total in
                        .object(
                            [
                                .init("method", .text(total.key.method)), .init("host", .text(total.key.host)),
                                .init("template", .text(total.key.template)),
                                .init("direction", .string(direction.rawValue)),
                                .init(
                                    "spark",
                                    .array(
                                        (sparks[total.key] ?? [Int64](repeating: 0, count: Self.slots))
                                            .map { .integer($0) })),
                            ] + Self.members(total))
                    })), .init("totals", .object(Self.members(sum))),
            .init("completeness", try completeness(of: sum, reading, direction)),
            .init("direction", .string(direction.rawValue)),
        ])
    }

    /// How complete the sums of that range are.
    ///
    /// Null if they are of one host: connections also carry other hosts' messages, so nothing can be claimed about one
    /// host's.
    private func completeness(
        of sum: TrafficTotal, _ reading: any TrafficBrowsing, _ direction: TrafficDirection
    ) throws -> JSONValue {
        guard host == nil else { return .null }
        return Completeness(of: sum, try reading.ledgerCoverage(of: direction, in: range), losses: try reading.losses())
            .json
    }

    /// Requests in equal slots of time, among the newest exchanges.
    private func sparks(
        _ reading: any TrafficBrowsing, _ direction: TrafficDirection
    ) throws -> [TrafficTotal.Key: [Int64]] {
        var filter = ExchangeFilter()
        filter.range = range
        filter.host = host
        filter.direction = direction
        var seen: [(key: TrafficTotal.Key, at: Int64)] = []
        try reading.forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            seen.append((exchange.request.apiKey, exchange.request.startedAt.nanoseconds))
            return seen.count < Self.examinedLimit
        }
        guard let last = seen.map(\.at).max(), let first = seen.map(\.at).min() else { return [:] }
        let step = max(1, (last - first) / Int64(Self.slots) + 1)
        var sparks: [TrafficTotal.Key: [Int64]] = [:]
        for (key, moment) in seen {
            sparks[key, default: [Int64](repeating: 0, count: Self.slots)][Int((moment - first) / step)] += 1
        }
        return sparks
    }

    private static func members(_ total: TrafficTotal) -> [JSONValue.Member] {
        [
            .init("requests", .integer(total.requests)), .init("responses", .integer(total.responses)),
            .init("unanswered", .integer(total.unanswered)), .init("failures", .integer(total.failures)),
            .init("failureRate", total.failureRate.map { .share($0) } ?? .null),
            .init("incomplete", .integer(total.incomplete)),
            .init("up", .integer(total.up.total.bytes)), .init("down", .integer(total.down.total.bytes)),
            .init("total", .integer(total.bytes.bytes)), .init("perCall", total.perCall.json),
            .init("parts", .object([.init("up", total.up.json), .init("down", total.down.json)])),
            .init("captured", .share(total.capturedShare)),
            .init("p50", .milliseconds(total.latency.percentile(0.5))),
            .init("p95", .milliseconds(total.latency.percentile(0.95))),
            .init("firstSeen", .moment(total.firstSeen)), .init("lastSeen", .moment(total.lastSeen)),
        ]
    }
}
