internal import TrafficModel
internal import TrafficPipeline
internal import URLTemplates

/// The sums by API for metrics, in memory that does not grow with the time that a process runs.
final class APITally: ExchangeSink {
    private let tally: TrafficTally

    init(templatesPerHost: Int) { tally = TrafficTally(templates: TemplateLimits(templates: templatesPerHost)) }

    func record(_ event: TrafficEvent) {
        // Each connection would take memory, and metrics have none.
        if case .connection = event { return }
        tally.record(event)
    }

    func record(_ exchange: inout Exchange) { tally.record(&exchange) }

    /// The exchanges that have ended since the last call.
    func takeTotals() -> [TrafficTotal] { tally.takeTotals() }

    /// What the observers could not report since the start, by reason.
    var losses: [TrafficLoss.Reason: Int64] {
        Dictionary(tally.losses.map { ($0.reason, $0.count) }, uniquingKeysWith: +)
    }
}
