package import TrafficModel

/// What could be saved, the most first, each with its evidence.
///
/// How often an API was called comes from the totals, which count everything; what is wrong with it comes from the
/// newest exchanges whose rows are kept, read once. Figures are scaled from the latter to the former, and say so.
package struct Audit: Sendable {
    /// What comes first.
    package enum Sort: String, Sendable, CaseIterable {
        /// Bytes and time together, at the speed of ``Limits/bytesPerMillisecond``.
        case saving
        /// Bytes.
        case bytes
        /// Time.
        case time
    }

    /// How many exchanges are looked at unless told otherwise: what a second suffices for.
    package static let usualExamination = 50_000

    /// The findings: warnings first, then by what they save.
    package let findings: [AuditFinding]
    /// How many findings there were before a limit.
    package let found: Int
    /// The range of time that was asked for.
    package let range: TimeRange
    /// The host that was asked for.
    package let host: String?
    /// How many requests there were in the range.
    package let requests: Int64
    /// How many exchanges were looked at.
    package let examined: Int
    /// When the first of them began.
    package let examinedSince: Timestamp?
    /// When the last of them began.
    package let examinedUntil: Timestamp?

    /// Audits what a store holds.
    ///
    /// - Parameters:
    ///   - store: what is asked.
    ///   - range: which requests count.
    ///   - host: only requests to this host, at any port where it names none; nil for all.
    ///   - examine: the most exchanges to look at, the newest of the range.
    ///   - sort: what comes first.
    ///   - limit: the most findings; nil for all.
    ///   - limits: from where on rules speak.
    ///   - progress: is told now and then how many exchanges were looked at.
    /// - Throws: what the store throws.
    package init(
        of store: any TrafficBrowsing, in range: TimeRange = .always, host: String? = nil,
        examine: Int = usualExamination, sort: Sort = .saving, limit: Int? = nil, limits: Limits = Limits(),
        progress: (Int) throws -> Void = { _ in }
    ) throws {
        let named = host.map { NamedHost($0) }
        let totals = try store.totals(by: .api, in: range).filter { named?.matches($0.key.host ?? "") ?? true }
        var examination = AuditExamination(store, totals, limits)
        var filter = ExchangeFilter()
        filter.range = range
        filter.host = host
        // Where the totals have nothing, looking for it would read the whole file.
        if !totals.isEmpty {
            let start = try store.start(ofNewest: examine, matching: filter)
            // What is written meanwhile would come on top.
            var left = examine
            try store.forEachHead(matching: filter, order: .oldestFirst, after: start) { exchange in
                examination.see(exchange)
                left -= 1
                if left & 0xFFF == 0 { try progress(examination.seen) }
                return left > 0
            }
        }
        let findings = Self.sorted(examination.findings(), by: sort, limits)
        found = findings.count
        self.findings = Array(findings.prefix(limit ?? Int.max))
        self.range = range
        self.host = host
        requests = totals.reduce(0) { $0 + $1.requests }
        examined = examination.seen
        examinedSince = examination.first
        examinedUntil = examination.last
    }

    private static func sorted(_ findings: [AuditFinding], by sort: Sort, _ limits: Limits) -> [AuditFinding] {
        func weight(_ finding: AuditFinding) -> Double {
            let time = Double(finding.nanoseconds) / 1e6
            return switch sort {
            case .bytes: Double(finding.bytes)
            case .time: time
            case .saving: time + Double(finding.bytes) / Double(max(1, limits.bytesPerMillisecond))
            }
        }
        let weighted = findings.map { (isAlarm: $0.isAlarm, weight: weight($0), name: $0.sortName, finding: $0) }
        return weighted.sorted { left, right in
            if left.isAlarm != right.isAlarm { return left.isAlarm }
            if left.weight != right.weight { return left.weight > right.weight }
            return left.name.lexicographicallyPrecedes(right.name)
        }.map(\.finding)
    }
}

extension AuditFinding {
    /// What findings of the same weight are in the order of.
    fileprivate var sortName: [String] { [rule, key.host ?? "", key.template ?? "", key.method ?? ""] }
}
