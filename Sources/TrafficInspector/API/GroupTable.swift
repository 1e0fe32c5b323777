internal import TextFormats
internal import TrafficModel
internal import TrafficReports

/// The sums of each API, or of each group by another property, in one direction, in the range and at the host that a
/// request names.
struct GroupTable: Sendable {
    private static let slots = 24
    private static let examinedLimit = 20_000
    /// The most rows, which are those with the most bytes: there may be as many paths as exchanges.
    static let limit = TrafficReport.mostPaths

    let grouping: TrafficGrouping
    let range: TimeRange
    let host: String?
    /// Whether to show what was called or what was served; nil for the first of them that there is.
    let direction: TrafficDirection?

    /// The table that a request describes.
    init(_ request: Request) throws(Refusal) {
        range = try request.range
        host = request.item("host")
        direction = try request.direction
        guard let name = request.item("by") else {
            grouping = .api
            return
        }
        guard let known = TrafficGrouping(rawValue: name) else {
            throw .wrong(.grouping, ["groupings": TrafficGrouping.allCases.map(\.rawValue).joined(separator: ", ")])
        }
        grouping = known
    }

    func json(_ reading: any TrafficBrowsing) throws -> JSONValue {
        let metered = try reading.directions()
        let first = grouping == .device ? .served : direction ?? metered.first ?? .called
        let isByDirection = grouping == .direction
        let reports = try (isByDirection ? metered : [first]).map { try report(reading, $0) }
        let sparks = try sparks(reading, isByDirection ? nil : first)
        let totals = reports.first { $0.direction == first }?.totals ?? TrafficTotal(key: TrafficTotal.Key())
        let rows = reports.flatMap { report in
            report.rows.map { total in
                var key = total.key
                // Exchanges have the device's address alone.
                if grouping == .device { key.source = nil }
                return JSONValue.object(
                    report.keyMembers(of: total.key) + [
                        .init(
                            "spark",
                            .array(
                                (sparks[key] ?? [Int64](repeating: 0, count: Self.slots)).map { .integer($0) }))
                    ] + Self.members(total))
            }
        }
        return .object([
            .init(grouping.plural, .array(rows)), .init("by", .string(grouping.rawValue)),
            .init("more", .integer(Int64(reports.reduce(0) { $0 + $1.remainingRows }))),
            .init("countedFrom", .string(reports.contains(where: \.countsRows) ? "rows" : "totals")),
            .init("totals", .object(Self.members(totals))),
            // Connections also carry other hosts' messages, so nothing can be claimed about one host's.
            .init("completeness", host == nil ? reports.first?.completeness.json ?? .null : .null),
            .init("direction", .string(first.rawValue)),
        ])
    }

    private func report(_ reading: any TrafficBrowsing, _ direction: TrafficDirection) throws -> TrafficReport {
        guard let host else {
            return try TrafficReport(
                of: reading, by: grouping, direction: direction, in: range,
                limit: grouping == .api ? nil : Self.limit)
        }
        guard [.api, .host].contains(grouping) else {
            // Only its rows say which statuses, programs and networks one host has.
            return try TrafficReport(
                of: FilteredReading(reading, FilterExpression([FilterTerm(.host, host)]), countsRows: true),
                by: grouping, direction: direction, in: range, limit: Self.limit)
        }
        let named = NamedHost(host)
        return TrafficReport(
            of: try reading.totals(by: grouping, in: range).filter { named.matches($0.key.host ?? "") },
            by: grouping, direction: direction, losses: [])
    }

    /// Requests in equal slots of time, among the newest exchanges, or of all of several installations.
    private func sparks(
        _ reading: any TrafficBrowsing, _ direction: TrafficDirection?
    ) throws -> [TrafficTotal.Key: [Int64]] {
        guard try reading.severalInstallations() == nil else {
            return try reading.requestsOverTime(by: grouping, of: direction, in: range, slots: Self.slots)
        }
        var filter = ExchangeFilter()
        filter.range = range
        filter.host = host
        filter.direction = direction
        var seen: [(key: TrafficTotal.Key, at: Int64)] = []
        try reading.forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            seen.append((exchange.key(by: grouping), exchange.request.startedAt.nanoseconds))
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
