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
    package static func metrics(
        of totals: [TrafficTotal], resource: TrafficResource, instance: InstallationID
    ) -> [[UInt8]] {
        var requests: [[UInt8]] = []
        OTLPMetrics(totals, resource: attributes(resource, instance)).forEachMessage { requests.append($0.bytes) }
        return requests
    }

    private static func attributes(_ resource: TrafficResource, _ instance: InstallationID) -> [JSONValue] {
        [
            ("service.name", resource.service), ("service.version", resource.version),
            ("service.instance.id", instance.description), ("deployment.environment.name", resource.environment),
            ("host.name", resource.hostName), ("os.type", resource.os), ("os.version", resource.osVersion),
        ].filter { !$0.1.isEmpty }.map { OTLPValue.attribute($0.0, $0.1) }
    }
}
