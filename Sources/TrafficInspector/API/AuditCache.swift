internal import Locks
internal import TextFormats
internal import TrafficModel
internal import TrafficAudit

/// Caches the last audit of all time, so that the details of many exchanges need only one pass over the rows.
actor AuditCache {
    private struct Made {
        let audit: KnownAudit
        let state: StoreState
        let at: ContinuousClock.Instant
    }

    private let reading: any TrafficBrowsing
    private let readers: Readers
    private var making: Task<KnownAudit, any Error>?
    private nonisolated let last = Mutex<Made?>(nil)

    init(_ reading: any TrafficBrowsing, _ readers: Readers) {
        self.reading = reading
        self.readers = readers
    }

    /// The audit, at most ten seconds older than a changing store; only one is computed at a time.
    func audit() async throws -> KnownAudit {
        if let known = try await readers.run({ [self] in try known }) { return known }
        let task = making ?? Task { try await make() }
        making = task
        return try await task.value
    }

    private func make() async throws -> KnownAudit {
        defer { making = nil }
        let made = try await readers.run { [reading] in
            let state = try reading.state()
            return Made(audit: KnownAudit(try Audit(of: reading)), state: state, at: .now)
        }
        last.withLock { $0 = made }
        return made.audit
    }

    /// The cached audit if it is recent enough; call it on a thread that reads stores.
    nonisolated var known: KnownAudit? {
        get throws {
            guard let last = last.withLock({ $0 }) else { return nil }
            let isRecent = ContinuousClock.now < last.at.advanced(by: .seconds(10))
            return try isRecent || last.state == reading.state() ? last.audit : nil
        }
    }
}

/// An audit whose findings are found by their host, and put into words once and not for each exchange.
struct KnownAudit: Sendable {
    let audit: Audit
    private let values: [JSONValue]
    /// The places of the findings about each host.
    private let places: [String: [Int]]

    init(_ audit: Audit) {
        self.audit = audit
        values = audit.findings.map(\.jsonValue)
        var places: [String: [Int]] = [:]
        for (place, finding) in audit.findings.enumerated() {
            if let host = finding.key.host { places[host, default: []].append(place) }
        }
        self.places = places
    }

    /// The findings about a request's API, host or host name, in their order.
    func findings(about request: RequestRecord) -> [JSONValue] {
        let authority = request.authority
        let own = places[authority, default: []]
        // A finding about a host name applies to all ports.
        let others = authority == request.host ? [] : places[request.host, default: []]
        let named = others.filter { audit.findings[$0].key.template == nil }
        return (own + named).sorted().filter { place in
            let key = audit.findings[place].key
            return key.direction == request.direction
                && (key.template == nil || key.template == request.template)
                && (key.method == nil || key.method == request.method)
        }.map { values[$0] }
    }
}
