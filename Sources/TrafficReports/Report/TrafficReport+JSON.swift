package import TextFormats
package import TrafficModel

extension TrafficReport {
    /// One JSON object: the rows under the plural of the grouping, the sum of rows beyond the limit, the totals and the
    /// losses.
    package var json: String { JSONValue.object(members).pretty + "\n" }

    /// The members of that object, to embed in another.
    package var members: [JSONValue.Member] {
        let more: JSONValue
        if let remainder {
            more = .object(
                [.init("name", .string(remainderName)), .init("rows", .integer(Int64(remainingRows)))]
                    + Self.members(of: remainder))
        } else {
            more = .null
        }
        let losses = losses.map { loss in
            JSONValue.object([.init("reason", .string(loss.reason.rawValue)), .init("count", .integer(loss.count))])
        }
        return [
            .init("by", .string(grouping.rawValue)),
            .init("direction", .string(direction.rawValue)),
            .init("since", .text(range.since?.iso8601)),
            .init("until", .text(range.until?.iso8601)),
            .init("filter", .text(selection?.filter.text)),
            .init("countedFrom", .string(countsRows ? "rows" : "totals")),
            .init("keptSince", .text(selection?.keptSince?.iso8601)),
            .init(
                "percentiles",
                .object([
                    .init("from", .string("histogram")),
                    .init("errorAtMost", .number(String(LatencyHistogram.error))),
                ])),
            .init(grouping.plural, .array(rows.map { .object(keyMembers(of: $0.key) + Self.members(of: $0)) })),
            .init("more", more),
            .init("overflow", overflowValue),
            .init(
                "totals",
                .object(
                    Self.members(of: totals).filter { $0.name != "captured" } + completeness.members + [
                        .init("losses", .array(losses)), .init("thinnedOut", .integer(thinnedOut)),
                    ])),
            .init("timeline", timeline.map(Self.timeline) ?? .null),
        ]
    }

    private static func timeline(_ timeline: TrafficTimeline) -> JSONValue {
        let slots = timeline.slots.map { slot in
            JSONValue.object([
                .init("begin", .string(slot.begin.iso8601)), .init("requests", .integer(slot.requests)),
                .init("failures", .integer(slot.failures)), .init("up", .integer(slot.up.bytes)),
                .init("down", .integer(slot.down.bytes)),
            ])
        }
        return .object([
            .init("seconds", .integer(timeline.step / 1_000_000_000)), .init("slots", .array(slots)),
        ])
    }

    /// The members that name a row.
    package func keyMembers(of key: TrafficTotal.Key) -> [JSONValue.Member] {
        let names = grouping.keyColumns.map { column in
            if grouping == .status {
                return JSONValue.Member(
                    column.name, key.status.flatMap { $0 == 0 ? nil : .integer(Int64($0)) } ?? .null)
            }
            return .init(column.name, grouping == .type ? .text(column.text(key)) : .string(column.text(key)))
        }
        return grouping == .direction ? names : names + [.init("direction", .string(direction.rawValue))]
    }

    private static func members(of total: TrafficTotal) -> [JSONValue.Member] {
        [
            .init("requests", .integer(total.requests)),
            .init("responses", .integer(total.responses)),
            .init("unanswered", .integer(total.unanswered)),
            .init("failures", .integer(total.failures)),
            .init("failureRate", share(total.failureRate)),
            .init("incomplete", .integer(total.incomplete)),
            .init(
                "unknown",
                .object([.init("up", .integer(total.up.unknown)), .init("down", .integer(total.down.unknown))])),
            .init("up", .integer(total.up.total.bytes)),
            .init("down", .integer(total.down.total.bytes)),
            .init("perCall", total.perCall.json),
            .init("parts", .object([.init("up", total.up.json), .init("down", total.down.json)])),
            .init("captured", .share(total.capturedShare)),
            .init("headers", share(total.headerShare)),
            .init("cookies", share(total.cookieShare)),
            .init(
                "compression",
                .object([
                    .init("encoded", .integer(total.encodedBody.bytes)),
                    .init("decoded", .integer(total.decodedBody.bytes)),
                    .init("ratio", share(total.compressionRatio)),
                ])),
            .init("notModified", .integer(total.notModified)),
            .init(
                "connections",
                .object([
                    .init("new", .integer(total.newConnections)), .init("reused", .integer(total.reusedConnections)),
                    .init("reuse", share(total.reuseShare)),
                ])),
            .init("latency", .object(percentiles(total.latency))),
            .init(
                "phases",
                .object(
                    total.phases.named.map { phase in
                        .init(
                            phase.name,
                            .object(
                                [.init("count", .integer(phase.histogram.count))] + percentiles(phase.histogram)))
                    })),
            .init("firstSeen", .text(total.firstSeen?.iso8601)),
            .init("lastSeen", .text(total.lastSeen?.iso8601)),
            .init(
                "overhead",
                total.sharing == 0
                    ? .null : .object(total.overhead.members + [.init("exchanges", .integer(total.sharing))])),
            .init(
                "ipBytes",
                total.packets.map { .object($0.members + [.init("estimated", .bool(true))]) } ?? .null),
        ] + estimate(total)
    }

    /// How far the sums may be off; no member if every exchange was counted.
    private static func estimate(_ total: TrafficTotal) -> [JSONValue.Member] {
        guard let error = total.error else { return [] }
        return [
            .init(
                "estimated",
                .object([
                    .init("counted", .integer(error.counted)), .init("requestsError", .integer(error.requests)),
                    .init("bytesError", .integer(error.bytes.bytes)),
                ]))
        ]
    }

    private static func share(_ share: Double?) -> JSONValue { share.map { .share($0) } ?? .null }

    private static func percentiles(_ histogram: LatencyHistogram) -> [JSONValue.Member] {
        zip(Percentile.allCases, histogram.percentiles(Percentile.allCases.map(\.share))).map {
            .init($0.name, .milliseconds($1))
        }
    }
}
