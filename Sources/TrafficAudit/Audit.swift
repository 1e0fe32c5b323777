package import TrafficModel

/// What could be saved, the largest saving first, each with its evidence.
///
/// The number of calls of an API comes from the totals, which count everything. What is wrong with it comes from the
/// newest exchanges that are still stored, read once. Figures are scaled from these exchanges to all calls, and say so.
package struct Audit: Sendable {
    /// The order of the findings.
    package enum Sort: String, Sendable, CaseIterable {
        /// Bytes and time together; bytes count as time at the speed of ``Limits/bytesPerMillisecond``.
        case saving
        /// The bytes saved.
        case bytes
        /// The time saved.
        case time
    }

    /// The number of exchanges that are examined by default; they take about a second.
    package static let usualExamination = 50_000

    /// The findings: warnings first, then in the order that was requested.
    package let findings: [AuditFinding]
    /// The number of findings before the limit.
    package let found: Int
    /// The range of time that was requested.
    package let range: TimeRange
    /// The host that was requested; nil for all.
    package let host: String?
    /// The filter of the calls; nil if there is none.
    package let selection: FilteredSelection?
    /// What was examined in one direction.
    package struct Examined: Sendable {
        /// Whether the requests were called or served.
        package let direction: TrafficDirection
        /// The number of requests in the range.
        package let requests: Int64
        /// The number of exchanges examined.
        package let exchanges: Int
        /// When the first of them started.
        package let since: Timestamp?
        /// When the last of them started.
        package let until: Timestamp?
    }

    /// What was examined, in each direction with requests; in `called` if there are none.
    package let examined: [Examined]

    /// Audits the contents of a store.
    ///
    /// - Parameters:
    ///   - store: the store to audit.
    ///   - range: which requests count.
    ///   - direction: only what was called, or only what was served; nil for both, each by its own rules.
    ///   - host: only requests to this host, at any port if it names none; nil for all.
    ///   - examine: the most exchanges to examine, the newest of the range.
    ///   - sort: the order of the findings.
    ///   - limit: the most findings; nil for all.
    ///   - limits: the thresholds of the rules.
    ///   - progress: receives the number of exchanges examined so far, now and then.
    /// - Throws: errors of the store.
    package init(
        of store: any TrafficBrowsing, in range: TimeRange = .always, direction: TrafficDirection? = nil,
        host: String? = nil, examine: Int = usualExamination, sort: Sort = .saving, limit: Int? = nil,
        limits: Limits = Limits(),
        progress: (Int) throws -> Void = { _ in }
    ) throws {
        let named = host.map { NamedHost($0) }
        let totals = try store.totals(by: .api, in: range).filter { named?.matches($0.key.host ?? "") ?? true }
        var filter = ExchangeFilter()
        filter.range = range
        filter.host = host
        var all: [AuditFinding] = []
        var examined: [Examined] = []
        for one in TrafficDirection.allCases where direction ?? one == one {
            let totals = totals.filter { $0.key.direction == one }
            var examination = AuditExamination(store, one, totals, limits)
            filter.direction = one
            // If the totals are empty, searching for exchanges would read the whole file in vain.
            if !totals.isEmpty {
                let start = try store.start(ofNewest: examine, matching: filter)
                // Exchanges that are written meanwhile would exceed the limit.
                var left = examine
                let before = examined.reduce(0) { $0 + $1.exchanges }
                try store.forEachHead(matching: filter, order: .oldestFirst, after: start) { exchange in
                    examination.see(exchange)
                    left -= 1
                    if left & 0xFFF == 0 { try progress(before + examination.seen) }
                    return left > 0
                }
            }
            all += examination.findings()
            let requests = totals.reduce(0) { $0 + $1.requests }
            if requests > 0 || examination.seen > 0 {
                examined.append(
                    Examined(
                        direction: one, requests: requests, exchanges: examination.seen, since: examination.first,
                        until: examination.last))
            }
        }
        if examined.isEmpty {
            examined = [
                Examined(direction: direction ?? .called, requests: 0, exchanges: 0, since: nil, until: nil)
            ]
        }
        let findings = Self.sorted(all, by: sort, limits)
        found = findings.count
        self.findings = Array(findings.prefix(limit ?? Int.max))
        self.range = range
        self.host = host
        selection = try (store as? FilteredReading)?.selection(by: .api)
        self.examined = examined
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
    /// Sorts findings that save equally much.
    fileprivate var sortName: [String] {
        [rule, key.host ?? "", key.template ?? "", key.method ?? "", key.direction.rawValue]
    }
}
