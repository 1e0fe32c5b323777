import Locks
package import TrafficModel
package import URLTemplates

/// The stages that every event passes between an observer and the store: filter, template, redact, sample.
///
/// It runs on the caller's thread and has no queue; the sink after it has the bounded one. Connections are never filtered
/// out, so that their bytes add up; of a host that is left out they lose the names that TLS has for it,
/// and its lookups are left out.
package final class TrafficPipeline: ExchangeSink {
    /// The settings of the stages.
    package struct Rules: Sendable {
        /// The filter of the hosts that are metered.
        package var hosts: HostFilter
        /// Makes templates of paths.
        package var templates: URLTemplate
        /// Replaces secrets before anything is stored.
        package var redactor: Redactor
        /// Decides which exchanges keep their rows.
        package var sampler: Sampler

        /// Rules that meter everything, keep all rows and redact the values that are always secret.
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
    private let downstream: ExchangeOutput
    private let live: LiveFeed?
    /// Open exchanges that were filtered out; their later events are dropped, too.
    private let hidden = Mutex<Set<ExchangeID>>([])
    private let pauses = Pauses()
    /// What the redactor has looked at before.
    private let known = Mutex(Known())

    /// Lines and targets without secrets, by these rules; no other pipeline has them.
    private struct Known {
        var lines = CleanLines()
        var targets = CleanTargets()
    }

    /// A pipeline that sends events to that sink.
    ///
    /// - Parameters:
    ///   - rules: the settings of the stages.
    ///   - downstream: takes the processed events; it must not block.
    ///   - live: gets the same events, already redacted.
    package init(_ rules: Rules = Rules(), to downstream: any TrafficSink, live: LiveFeed? = nil) {
        self.rules = rules
        self.downstream = ExchangeOutput(downstream)
        self.live = live
    }

    /// Whether exchanges that begin now are left out.
    package var isPaused: Bool { pauses.isPaused }

    /// Leaves out exchanges that begin between now and ``resume(at:)``; they do not count in totals either.
    package func pause(at now: Timestamp) { pauses.begin(at: now) }

    /// Records exchanges that begin from now on.
    package func resume(at now: Timestamp) { pauses.end(at: now) }

    /// Whether an exchange that begins with this request goes on to the store.
    package func keeps(_ request: RequestRecord) -> Bool { !isLeftOut(request) }

    /// Passes one event through all stages.
    package func record(_ event: TrafficEvent) {
        guard let event = processed(event) else { return }
        downstream.sink.record(event)
        live?.record(event)
    }

    /// Passes all of an exchange through all stages at once.
    package func record(_ exchange: inout Exchange) {
        guard hidden.withLock({ $0.isEmpty }), !isLeftOut(exchange.request) else {
            return exchange.forEachEvent { record($0) }
        }
        process(&exchange.request)
        // Taken out, so that it is moved and not copied.
        if var response = exchange.response.take() {
            process(&response)
            exchange.response = consume response
        }
        if exchange.end?.outcome.failure != nil { rules.redactor.redact(&exchange.end!) }
        downstream.record(&exchange)
        if let live, live.isWatched { exchange.forEachEvent(live.record) }
    }

    private func processed(_ event: TrafficEvent) -> TrafficEvent? {
        switch event {
        case .request(var request):
            guard !isLeftOut(request) else {
                hidden.withLock { _ = $0.insert(request.exchange) }
                return nil
            }
            process(&request)
            return .request(request)
        case .response(var response):
            guard !isHidden(response.exchange) else { return nil }
            process(&response)
            return .response(response)
        case .end(var end):
            guard hidden.withLock({ $0.isEmpty || $0.remove(end.exchange) == nil }) else { return nil }
            rules.redactor.redact(&end)
            return .end(end)
        case .device(var device):
            rules.redactor.redact(&device)
            return .device(device)
        case .connection(var record):
            leaveNamesOut(of: &record)
            return .connection(record)
        case .lookup(let lookup):
            guard rules.hosts.allows(lookup.name), !pauses.contain(lookup.startedAt) else { return nil }
            return event
        case .loss, .carrier:
            return event
        }
    }

    private func process(_ request: inout RequestRecord) {
        rules.redactor.redactBody(of: &request)
        known.withLock { known in
            if !known.targets.apply(to: &request) { makeTemplate(of: &request, &known.targets) }
            rules.redactor.redact(&request.fields, &known.lines)
        }
        request.keepsDetail = rules.sampler.keepsDetail(of: request.exchange)
    }

    private func process(_ response: inout ResponseRecord) {
        rules.redactor.redactBody(of: &response)
        rules.redactor.redactReason(of: &response)
        known.withLock { rules.redactor.redact(&response.fields, &$0.lines) }
    }

    private func makeTemplate(of request: inout RequestRecord, _ known: inout CleanTargets) {
        let original = request
        let given = rules.templates.givenTemplate(of: request.path)
        request.isTemplateGiven = given != nil
        request.template =
            given ?? rules.templates.template(of: request.path, query: request.query, method: request.method)
        let template = request.template
        rules.redactor.redactTarget(of: &request)
        known.keep(request, template: template, of: original)
    }

    // Half an exchange is of no use. So the time at which it began decides about all of its events, whenever they
    // arrive.
    private func isLeftOut(_ request: RequestRecord) -> Bool {
        !rules.hosts.allows(request.host, port: request.port) || pauses.contain(request.startedAt)
    }

    private func leaveNamesOut(of record: inout ConnectionRecord) {
        let name = record.handshake?.serverName ?? record.unseen?.serverName ?? ""
        guard !name.isEmpty, !rules.hosts.allows(name) else { return }
        record.handshake?.serverName = ""
        record.handshake?.certificate = nil
        record.unseen?.serverName = ""
    }

    private func isHidden(_ exchange: ExchangeID) -> Bool {
        hidden.withLock { !$0.isEmpty && $0.contains(exchange) }
    }

    /// The number of filtered exchanges that are remembered, for tests of the bound.
    var hiddenCount: Int { hidden.withLock { $0.count } }
}
