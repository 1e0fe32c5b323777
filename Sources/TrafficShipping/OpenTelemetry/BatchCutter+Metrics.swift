internal import TrafficExport
internal import TrafficModel
internal import TrafficStore

extension BatchCutter {
    /// Under this name the store keeps a digest of the metrics that were sent last.
    private static let metricsNote = "metrics"

    /// Takes the sums of each API since its first request, if any of them has changed.
    ///
    /// They are cumulative, so those of one round replace those of all rounds before.
    func cutMetrics(_ context: Context, _ cut: inout ShippingCut) throws {
        let totals = try reader.totals(by: .api, in: .always).filter { !options.excluded.contains($0.key.host ?? "") }
        var resource = context.resources.last?.resource ?? TrafficResource()
        // The sums are of all carriers.
        resource.carrier = ""
        let requests = OTLPRequests.metrics(of: totals, resource: resource, instance: context.installation)
        let digest = Self.digest(of: requests.map(\.content))
        let notes = try reader.shippingNotes(of: context.state.destination)
        guard !requests.isEmpty, notes[Self.metricsNote] != digest else { return }
        let token = context.token(ShippingFormat.metrics)
        cut.batches = requests.enumerated().map { place, request in
            ShippingBatch(
                target: ShippingFormat.metrics, token: "\(token)/\(place)", count: Int64(request.apis),
                body: ShippingFormat.compressed(request.content))
        }
        cut.notes = [(Self.metricsNote, digest)]
    }
}
