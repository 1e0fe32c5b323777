internal import TextFormats
internal import TrafficModel
internal import TrafficReports

/// The sums of the exchanges that a filter selects, in each direction; the list shows them below its rows.
struct FilteredSums: Sendable {
    /// The most exchanges that are added up one by one: as many as a list has.
    ///
    /// If there are more, they are the newest.
    static let limit = ExchangeViews.limit

    let filter: ExchangeFilter

    func json(_ reading: any TrafficBrowsing) throws -> JSONValue {
        var sums: [TrafficDirection: TrafficSums] = [:]
        var isTruncated = false
        var hosts: Set<String> = []
        var everything = ExchangeFilter()
        everything.direction = filter.direction
        if filter == everything {
            // Everything that was metered, also if its rows are gone.
            for total in try reading.totals(by: .host, in: .always) where total.requests > 0 {
                guard filter.direction == nil || filter.direction == total.key.direction else { continue }
                sums[total.key.direction, default: TrafficSums()].merge(total.sums)
                hosts.insert(total.key.host ?? "")
            }
        } else {
            var left = Self.limit
            try reading.forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
                guard left > 0 else {
                    isTruncated = true
                    return false
                }
                left -= 1
                hosts.insert(exchange.request.authority)
                sums[exchange.request.direction, default: TrafficSums()].add(exchange.records)
                return true
            }
        }
        return .object([
            .init(
                "sums",
                .array(
                    TrafficDirection.allCases.compactMap { direction in
                        sums[direction].map { .object(Self.members($0, direction)) }
                    })), .init("host", hosts.count == 1 ? .text(hosts.first) : .null),
            .init("truncated", .bool(isTruncated)),
        ])
    }

    private static func members(_ sums: TrafficSums, _ direction: TrafficDirection) -> [JSONValue.Member] {
        [
            .init("direction", .string(direction.rawValue)), .init("requests", .integer(sums.requests)),
            .init("failures", .integer(sums.failures)), .init("up", .integer(sums.up.total.bytes)),
            .init("down", .integer(sums.down.total.bytes)), .init("total", .integer(sums.bytes.bytes)),
            .init("perCall", sums.perCall.json), .init("p50", .milliseconds(sums.latency.percentile(0.5))),
            .init("p95", .milliseconds(sums.latency.percentile(0.95))),
        ]
    }
}
