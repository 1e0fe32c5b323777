internal import FleetTables
internal import TrafficAudit
internal import TrafficModel
internal import TrafficStore

extension BatchCutter {
    /// The most findings of an audit that are sent.
    static let mostFindings = 50
    /// The longest name of an API that is sent, in bytes.
    static let longestName = 2_000
    /// Under these names the store keeps when it was audited last, in seconds, and up to which exchange.
    private static let (timeNote, cursorNote) = ("audit time", "audit exchange")

    /// Audits the store, if it has new exchanges and was not audited recently.
    ///
    /// Audits run here, because their rules need the order of one program's requests, and bodies, which are not sent.
    func cutAudit(_ context: Context, _ cut: inout ShippingCut, now: Timestamp) throws {
        guard options.audits, options.isInCohort(context.installation) else { return }
        let notes = try reader.shippingNotes(of: context.state.destination)
        guard notes[Self.cursorNote] ?? 0 != context.state.nextExchange else { return }
        let time = now.nanoseconds / 1_000_000_000
        // A clock that was set back must not keep it from being audited for years.
        if let last = notes[Self.timeNote], last <= time, time - last < options.auditInterval.components.seconds {
            return
        }
        let audit = try Audit(of: reader)
        let findings = audit.findings.filter { !isExcluded($0.key.host) && isShort($0.key) }.prefix(Self.mostFindings)
        var row = FleetAudit()
        row.origin = context.origin()
        row.weight = options.installationWeight
        row.requests = audit.examined.reduce(0) { $0 + $1.requests }
        row.examined = audit.examined.reduce(0) { $0 + Int64($1.exchanges) }
        row.findings = Int64(findings.count)
        row.first = audit.examined.compactMap(\.since).min() ?? row.first
        row.last = audit.examined.compactMap(\.until).max() ?? row.last
        let rows = findings.map { FleetFinding($0, origin: row.origin, weight: row.weight) }
        cut.batches = context.batches(of: rows) + context.batches(of: [row])
        cut.notes = [(Self.timeNote, time), (Self.cursorNote, context.state.nextExchange)]
    }

    // A finding about a name covers all of its ports.
    private func isExcluded(_ host: String?) -> Bool {
        guard let host else { return false }
        return options.excluded.contains { $0 == host || $0.hasPrefix(host + ":") }
    }

    private func isShort(_ key: TrafficTotal.Key) -> Bool {
        [key.method, key.host, key.template].reduce(0) { $0 + ($1?.utf8.count ?? 0) } <= Self.longestName
    }
}

extension FleetFinding {
    fileprivate init(_ finding: AuditFinding, origin: FleetOrigin, weight: Double) {
        self.init()
        self.origin = origin
        self.weight = weight
        rule = finding.rule
        key = finding.key
        isAlarm = finding.isAlarm
        isEstimated = finding.basis == .estimated
        remedy = finding.remedySaid.phrase.rawValue
        bytes = finding.bytes
        nanoseconds = finding.nanoseconds
        calls = finding.calls
        examinedCalls = Int64(finding.examinedCalls)
        affectedCalls = Int64(finding.affectedCalls)
    }
}
