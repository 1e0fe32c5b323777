internal import FleetTables
internal import TrafficExport
internal import TrafficModel
internal import TrafficStore

/// Makes batches of exchanges as spans.
final class SpanBatches: ExchangeBatches {
    // A span with its attributes takes some kilobytes until it is encoded.
    private static let mostSpans = 1_000

    private let token: String
    private let share: FleetShare
    private let installation: InstallationID
    private var spans: [(exchange: StoredExchange, resource: TrafficResource)] = []
    private var batches: [ShippingBatch] = []
    private(set) var total = 0

    init(token: String, installation: InstallationID, share: FleetShare) {
        self.token = token
        self.installation = installation
        self.share = share
    }

    func add(_ exchange: inout StoredExchange, origin: FleetOrigin) {
        share.reduce(&exchange)
        spans.append((exchange, origin.resource))
        total += 1
        if spans.count == Self.mostSpans { close() }
    }

    func end() -> [ShippingBatch] {
        close()
        return batches
    }

    private func close() {
        guard !spans.isEmpty else { return }
        let request = OTLPRequests.traces(of: spans, instance: installation)
        batches.append(
            ShippingBatch(
                target: ShippingFormat.spans, token: "\(token)/\(total - spans.count)", count: Int64(spans.count),
                body: ShippingFormat.compressed(request)))
        spans.removeAll(keepingCapacity: true)
    }
}
