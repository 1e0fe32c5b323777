import TextFormats
import TrafficModel

/// Writes the sums of each API as OpenTelemetry metrics, with the names of the semantic conventions where they exist.
///
/// Duration histograms use the store's own layout, scale 5, so nothing is converted. The store keeps the sum of the
/// sizes but not their distribution, so size histograms have a count and a sum but no buckets.
struct OTLPMetrics {
    private let totals: [TrafficTotal]
    /// The attributes of what was metered; without any, it is Wireweight itself.
    private let resource: [JSONValue]

    /// The number of APIs in one message.
    static let batch = 200

    init(_ totals: [TrafficTotal], resource: [JSONValue] = []) {
        self.totals = totals
        self.resource = resource.isEmpty ? [OTLPValue.attribute("service.name", Producer.name)] : resource
    }

    /// Passes on messages; each has a bounded number of APIs.
    func forEachMessage(_ body: (OTLPMessage) throws -> Void) rethrows {
        for start in stride(from: 0, to: totals.count, by: Self.batch) {
            let slice = totals[start..<min(start + Self.batch, totals.count)]
            let metrics = TrafficDirection.allCases.flatMap { direction in
                Self.metrics(slice.filter { $0.key.direction == direction }, direction)
            }
            try body(message(metrics))
        }
    }

    /// The metrics of one direction; metrics of both have names of their own or an attribute with the direction.
    private static func metrics(_ totals: [TrafficTotal], _ direction: TrafficDirection) -> [JSONValue] {
        let http = direction == .called ? "http.client" : "http.server"
        let sizes: [(name: String, what: String, count: (TrafficTotal) -> Int64, sum: (TrafficTotal) -> ByteCount)] = [
            ("\(http).request.body.size", "Size of request bodies as sent.", \.requests, \.up.body),
            ("\(http).response.body.size", "Size of response bodies as sent.", \.responses, \.down.body),
            ("wireweight.request.size", "Whole requests on the wire.", \.requests, \.up.total),
            ("wireweight.response.size", "Whole responses on the wire.", \.responses, \.down.total),
        ]
        let counts: [(name: String, what: String, count: (TrafficTotal) -> Int64)] = [
            ("wireweight.requests", "Requests that were metered.", \.requests),
            (
                "wireweight.failures", "Exchanges that failed or timed out, or got a status of 400 or more.",
                \.failures
            ),
        ]
        var metrics = [
            metric(
                "\(http).request.duration", "s",
                "Duration of HTTP \(direction == .called ? "client" : "server") requests.", "exponentialHistogram",
                totals.filter { $0.latency.count > 0 }.map { point($0, durations($0.latency)) })
        ]
        for size in sizes {
            let points = totals.filter { size.count($0) > 0 }.map { total in
                point(
                    total,
                    [
                        .init("count", OTLPValue.integer(size.count(total))),
                        .init("sum", .integer(size.sum(total).bytes)),
                    ])
            }
            metrics.append(metric(size.name, "By", size.what, "histogram", points))
        }
        let flows: [(name: String, what: String, flow: (TrafficTotal) -> ByteFlow)] = [
            ("wireweight.overhead", "TLS, and HTTP/2's own frames, beside the messages.", \.overhead),
            ("wireweight.packet_headers", "An estimate of the headers of IP and TCP.", \.packetHeaders),
        ]
        let sharing = totals.filter { $0.sharing > 0 }
        for part in flows {
            let points = sharing.flatMap { total in
                let flow = part.flow(total)
                let ways = direction == .called ? ("transmit", "receive") : ("receive", "transmit")
                return [(ways.0, flow.up), (ways.1, flow.down)].map { way, bytes in
                    point(
                        total, [.init("asInt", OTLPValue.integer(bytes.bytes))],
                        more: [OTLPValue.attribute("network.io.direction", way)])
                }
            }
            metrics.append(metric(part.name, "By", part.what, "sum", points, isMonotonic: true))
        }
        for count in counts {
            let points = totals.map { point($0, [.init("asInt", OTLPValue.integer(count.count($0)))]) }
            metrics.append(metric(count.name, "{request}", count.what, "sum", points, isMonotonic: true))
        }
        return metrics.compactMap(\.self)
    }

    private func message(_ metrics: [JSONValue]) -> OTLPMessage {
        let scope = JSONValue.object([.init("scope", OTLPValue.scope), .init("metrics", .array(metrics))])
        return .metrics([
            .object([
                .init("resource", OTLPValue.resource(resource)),
                .init("scopeMetrics", .array([scope])),
            ])
        ])
    }

    /// A metric with these points; nil if there are none.
    private static func metric(
        _ name: String, _ unit: String, _ description: String, _ kind: String, _ points: [JSONValue],
        isMonotonic: Bool = false
    ) -> JSONValue? {
        if points.isEmpty { return nil }
        // 2: cumulative (AggregationTemporality).
        var data: [JSONValue.Member] = [.init("aggregationTemporality", .integer(2))]
        if isMonotonic { data.append(.init("isMonotonic", .bool(true))) }
        data.append(.init("dataPoints", .array(points)))
        return .object([
            .init("name", .string(name)), .init("description", .string(description)), .init("unit", .string(unit)),
            .init(kind, .object(data)),
        ])
    }

    private static func point(
        _ total: TrafficTotal, _ members: [JSONValue.Member], more: [JSONValue] = []
    ) -> JSONValue {
        let (address, port) = Authority.split(total.key.host ?? "")
        var attributes = [
            OTLPValue.attribute("http.request.method", total.key.method ?? ""),
            OTLPValue.attribute("server.address", address),
            OTLPValue.attribute(
                total.key.direction == .called ? "url.template" : "http.route", total.key.template ?? ""),
        ]
        // What has no direction was called, as in earlier versions.
        if total.key.direction == .served {
            attributes.append(OTLPValue.attribute("wireweight.direction", total.key.direction.rawValue))
        }
        // Without a port in the key, the sum may include both schemes, so the default port is not known.
        if let port { attributes.append(OTLPValue.attribute("server.port", Int64(port))) }
        return .object(
            [
                .init("attributes", .array(attributes + more)),
                .init("startTimeUnixNano", OTLPValue.moment(total.firstSeen)),
                .init("timeUnixNano", OTLPValue.moment(total.lastSeen)),
            ] + members)
    }

    private static func durations(_ histogram: LatencyHistogram) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("count", OTLPValue.integer(histogram.count)),
            .init("scale", .integer(Int64(LatencyHistogram.scale))),
            .init("zeroCount", OTLPValue.integer(histogram.zeroCount)),
        ]
        if let first = histogram.buckets.keys.min(), let last = histogram.buckets.keys.max() {
            let counts = (first...last).map { OTLPValue.integer(histogram.buckets[$0] ?? 0) }
            members.append(
                .init(
                    "positive",
                    .object([.init("offset", .integer(Int64(first))), .init("bucketCounts", .array(counts))])))
        }
        return members
    }
}
