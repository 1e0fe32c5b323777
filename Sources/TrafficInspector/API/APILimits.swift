internal import TextFormats
internal import TrafficModel
internal import TrafficReports

/// The time from which a call is slow for its API: the 95th percentile of all calls that were metered, also if their
/// rows are gone.
enum APILimits {
    /// With fewer calls, the 95th percentile is the time of the slowest one.
    static let leastCalls = 20
    /// The most APIs, which are those with the most requests.
    static let limit = 1000

    static func json(_ reading: any TrafficBrowsing) throws -> JSONValue {
        let counted = try reading.totals(by: .api, in: .always)
            .filter { $0.sums.latency.count >= leastCalls }
            .sorted { $0.requests > $1.requests }
        return .object([
            .init(
                "apis",
                .array(
                    counted.prefix(limit).map { total in
                        .object([
                            .init("method", .text(total.key.method)), .init("host", .text(total.key.host)),
                            .init("template", .text(total.key.template)),
                            .init("direction", .string(total.key.direction.rawValue)),
                            .init("p95", .milliseconds(total.sums.latency.percentile(0.95))),
                        ])
                    })), .init("least", .integer(Int64(leastCalls))),
        ])
    }
}
