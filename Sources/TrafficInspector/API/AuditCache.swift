internal import Locks
internal import TextFormats
internal import TrafficModel
internal import TrafficAudit

/// Caches the last audit of all time, so that the details of many exchanges need only one pass over the rows.
actor AuditCache {
    private struct Made {
        let audit: Audit
        let state: StoreState
        let at: ContinuousClock.Instant
    }

    private let reading: any TrafficBrowsing
    private let readers: Readers
    private var making: Task<Audit, any Error>?
    private nonisolated let last = Mutex<Made?>(nil)

    init(_ reading: any TrafficBrowsing, _ readers: Readers) {
        self.reading = reading
        self.readers = readers
    }

    /// The audit, at most ten seconds older than a changing store; only one is computed at a time.
    func audit() async throws -> Audit {
        if let known = try await readers.run({ [self] in try known }) { return known }
        let task = making ?? Task { try await make() }
        making = task
        return try await task.value
    }

    private func make() async throws -> Audit {
        defer { making = nil }
        let made = try await readers.run { [reading] in
            let state = try reading.state()
            return Made(audit: try Audit(of: reading), state: state, at: .now)
        }
        last.withLock { $0 = made }
        return made.audit
    }

    /// The cached audit if it is recent enough; call it on a thread that reads stores.
    nonisolated var known: Audit? {
        get throws {
            guard let last = last.withLock({ $0 }) else { return nil }
            let isRecent = ContinuousClock.now < last.at.advanced(by: .seconds(10))
            return try isRecent || last.state == reading.state() ? last.audit : nil
        }
    }
}

extension Audit {
    /// The findings about a request's API, host or host name.
    func findings(about request: RequestRecord) -> [JSONValue] {
        findings.filter { finding in
            // A finding about a host name applies to all ports.
            finding.key.direction == request.direction
                && (finding.key.host == request.authority
                    || (finding.key.template == nil && finding.key.host == request.host))
                && (finding.key.template == nil || finding.key.template == request.template)
                && (finding.key.method == nil || finding.key.method == request.method)
        }.map(\.jsonValue)
    }
}
