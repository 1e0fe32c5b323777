import TextFormats
package import TrafficModel

/// Requests to a collector of OpenTelemetry in Protocol Buffers, about one installation.
package enum OTLPRequests {
    /// An `ExportTraceServiceRequest` with a span of each exchange.
    ///
    /// - Parameters:
    ///   - exchanges: the exchanges, each with where it comes from.
    ///   - instance: the installation.
    /// - Returns: the bytes of the request.
    package static func traces(
        of exchanges: [(exchange: StoredExchange, resource: TrafficResource)], instance: InstallationID
    ) -> [UInt8] {
        var order: [TrafficResource] = []
        var encoders: [TrafficResource: OTLPSpanEncoder] = [:]
        for (exchange, resource) in exchanges {
            if encoders[resource] == nil {
                order.append(resource)
                encoders[resource] = OTLPSpanEncoder(
                    seed: instance.high ^ instance.low, batch: .max, resource: attributes(resource, instance))
            }
            _ = encoders[resource]?.add(exchange)
        }
        return OTLPMessage.spans(order.flatMap { encoders[$0]?.resources ?? [] }).bytes
    }

    /// Each an `ExportMetricsServiceRequest`, with the sums of a bounded number of APIs from their first request on.
    ///
    /// - Parameters:
    ///   - totals: the sums of each API.
    ///   - resource: where they come from.
    ///   - instance: the installation.
    /// - Returns: the bytes of each request, and of how many APIs it is.
    package static func metrics(
        of totals: [TrafficTotal], resource: TrafficResource, instance: InstallationID
    ) -> [(content: [UInt8], apis: Int)] {
        var requests: [(content: [UInt8], apis: Int)] = []
        var left = totals.count
        OTLPMetrics(totals, resource: attributes(resource, instance)).forEachMessage {
            let apis = min(left, OTLPMetrics.batch)
            requests.append(($0.bytes, apis))
            left -= apis
        }
        return requests
    }

    /// Two requests with the spans of one that ``traces(of:instance:)`` made.
    ///
    /// - Parameters:
    ///   - request: the bytes of the request.
    ///   - count: how many spans the first of the two has.
    /// - Returns: the bytes of both; nil if the request cannot be read, or has no more spans than that.
    package static func divided(traces request: [UInt8], after count: Int) -> (first: [UInt8], second: [UInt8])? {
        // The fields of resources, of their scopes, and of the spans of these.
        ProtobufDivision.divided(request[...], at: [1, 2, 2], after: count)
    }

    private static func attributes(_ resource: TrafficResource, _ instance: InstallationID) -> [JSONValue] {
        [
            ("service.name", resource.service), ("service.version", resource.version),
            ("service.instance.id", instance.description), ("deployment.environment.name", resource.environment),
            ("host.name", resource.hostName), ("os.type", resource.os), ("os.version", resource.osVersion),
            ("cloud.region", resource.region), ("network.carrier.name", resource.carrier),
        ].filter { !$0.1.isEmpty }.map { OTLPValue.attribute($0.0, $0.1) }
    }
}
