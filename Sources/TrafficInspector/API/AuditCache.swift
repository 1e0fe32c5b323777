internal import TrafficModel
internal import TrafficReports

/// The last audit of all time, so that one look at the rows serves many looks at their details.
actor AuditCache {
    private let reading: any TrafficReading
    private let readers: Readers
    private var last: (audit: Audit, state: StoreState, at: ContinuousClock.Instant)?

    init(_ reading: any TrafficReading, _ readers: Readers) {
        self.reading = reading
        self.readers = readers
    }

    /// The audit, at most ten seconds behind a store that changes.
    func audit() async throws -> Audit {
        let state = try await readers.run { [reading] in try reading.state() }
        if let last, last.state == state || ContinuousClock.now < last.at.advanced(by: .seconds(10)) {
            return last.audit
        }
        let audit = try await readers.run { [reading] in try Audit(of: reading) }
        last = (audit, state, .now)
        return audit
    }

    /// What it says of an API.
    func findings(about request: RequestRecord) async throws -> [JSONValue] {
        try await audit().findings.filter { finding in
            finding.key.host == request.host
                && (finding.key.template == nil || finding.key.template == request.template)
                && (finding.key.method == nil || finding.key.method == request.method)
        }.map(\.jsonValue)
    }
}
