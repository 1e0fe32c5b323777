internal import FleetTables
internal import TrafficExport
internal import TrafficModel
internal import TrafficStore

/// Makes batches of exchanges as spans.
struct SpanBatches: ExchangeBatches {
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

    mutating func add(_ exchange: StoredExchange, origin: FleetOrigin) {
        spans.append((share.reduced(exchange), origin.resource))
        total += 1
        if spans.count == Self.mostSpans { close() }
    }

    mutating func end() -> [ShippingBatch] {
        close()
        return batches
    }

    private mutating func close() {
        guard !spans.isEmpty else { return }
        let request = OTLPRequests.traces(of: spans, instance: installation)
        batches.append(
            ShippingBatch(
                target: ShippingFormat.spans, token: "\(token)/\(total - spans.count)", count: Int64(spans.count),
                body: ShippingFormat.compressed(request)))
        spans.removeAll(keepingCapacity: true)
    }
}
