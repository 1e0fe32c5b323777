import Synchronization
package import TrafficModel

/// What every event passes on its way from an observer to the store: filter, template, redact, sample.
///
/// Runs on the caller's thread, without a queue of its own; the sink behind it is the bounded one. Connections carry no
/// host, so they always pass.
package final class TrafficPipeline: TrafficSink {
    /// What the stages do.
    package struct Rules: Sendable {
        /// Which hosts are metered.
        package var hosts: HostFilter
        /// How paths become templates.
        package var templates: URLTemplate
        /// What is replaced before anything is stored.
        package var redactor: Redactor
        /// Whose rows are kept.
        package var sampler: Sampler

        /// Rules that meter everything, keep all rows and redact what always is.
        package init(
            hosts: HostFilter = .everything, templates: URLTemplate = URLTemplate(), redactor: Redactor = Redactor(),
            sampler: Sampler = Sampler()
        ) {
            self.hosts = hosts
            self.templates = templates
            self.redactor = redactor
            self.sampler = sampler
        }
    }

    private let rules: Rules
    private let downstream: any TrafficSink
    private let live: LiveFeed?
    /// Open exchanges that were filtered out, so that what follows of them is dropped, too.
    private let hidden = Mutex<Set<ExchangeID>>([])
    private let pauses = Pauses()

    /// A pipeline into that sink.
    ///
    /// - Parameters:
    ///   - rules: what the stages do.
    ///   - downstream: takes what comes out; must not block.
    ///   - live: shown the same events, redacted.
    package init(_ rules: Rules = Rules(), to downstream: any TrafficSink, live: LiveFeed? = nil) {
        self.rules = rules
        self.downstream = downstream
        self.live = live
    }

    /// Whether exchanges that begin now are left out.
    package var isPaused: Bool { pauses.isPaused }

    /// Leaves out exchanges that begin between now and ``resume(at:)``; they are not counted either.
    package func pause(at now: Timestamp) { pauses.begin(at: now) }

    /// Takes exchanges again that begin from now on.
    package func resume(at now: Timestamp) { pauses.end(at: now) }

    /// Takes one event through all stages.
    package func record(_ event: TrafficEvent) {
        guard let event = processed(event) else { return }
        downstream.record(event)
        live?.record(event)
    }

    private func processed(_ event: TrafficEvent) -> TrafficEvent? {
        switch event {
        case .request(var request):
            guard !isLeftOut(request) else {
                hidden.withLock { _ = $0.insert(request.exchange) }
                return nil
            }
            let given = rules.templates.givenTemplate(of: request.path)
            request.isTemplateGiven = given != nil
            request.template =
                given
                ?? rules.templates.template(of: request.path, query: request.query, method: request.method)
            rules.redactor.redact(&request)
            request.keepsDetail = rules.sampler.keepsDetail(of: request.exchange)
            return .request(request)
        case .response(var response):
            guard !isHidden(response.exchange) else { return nil }
            rules.redactor.redact(&response)
            return .response(response)
        case .end(var end):
            guard hidden.withLock({ $0.isEmpty || $0.remove(end.exchange) == nil }) else { return nil }
            rules.redactor.redact(&end)
            return .end(end)
        case .connection, .loss:
            return event
        }
    }

    // Half of an exchange tells nothing: the moment in which it began decides for all of it, whenever it is told.
    private func isLeftOut(_ request: RequestRecord) -> Bool {
        !rules.hosts.allows(request.host, port: request.port) || pauses.contain(request.startedAt)
    }

    private func isHidden(_ exchange: ExchangeID) -> Bool {
        hidden.withLock { !$0.isEmpty && $0.contains(exchange) }
    }

    /// How many filtered exchanges are remembered; for tests of the bound.
    var hiddenCount: Int { hidden.withLock { $0.count } }
}
