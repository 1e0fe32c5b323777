import ClickHouse
import FleetTables
import RowBinary
package import TrafficAudit
package import TrafficModel

/// What audits of a fleet's installations have found, added up over the installations; the largest saving first.
package struct FleetFindings: Sendable {
    /// A sum over installations; an estimate where only a cohort has been audited.
    package struct Estimate: Hashable, Sendable {
        /// The sum, in which each of a cohort stands for several.
        package var value: Double
        /// One standard deviation; 0 if every installation has been counted.
        package var error: Double
    }

    /// One rule's findings about one API.
    package struct Finding: Hashable, Sendable {
        /// The audit's rule.
        package var rule: String
        /// The API; a finding about a host has neither method nor template.
        package var key: TrafficTotal.Key
        /// Whether it is a warning rather than a saving; warnings come first.
        package var isAlarm: Bool
        /// What to do, where it would save most; nil if this version does not know the sentence.
        package var remedy: AuditPhrase?
        /// The installations that have sent the finding.
        package var counted: Int64
        /// The installations that have it.
        package var installations: Estimate
        /// Bytes that would not have been sent.
        package var bytes: Estimate
        /// Nanoseconds that would not have been spent.
        package var nanoseconds: Estimate
        /// The share of the savings, by the order of the findings, that includes an assumption, from 0 to 1.
        package var estimatedShare: Double
        /// The calls of the API, how many of them were examined, and how many of those wasted something.
        package var calls: Double
        package var examinedCalls: Double
        package var affectedCalls: Double
    }

    /// The installations whose audits have come.
    package var counted: Int64 = 0
    /// The installations that they stand for.
    package var installations = Estimate(value: 0, error: 0)
    /// The requests of these installations.
    package var requests: Double = 0
    /// The findings, at most as many as were requested.
    package var findings: [Finding] = []
    /// The number of findings before the limit.
    package var found: Int64 = 0
}

extension FleetReader {
    /// What the newest audits of the selected installations have found.
    ///
    /// With `since` or `until` in the address, those installations count whose newest audited exchange is in the range.
    ///
    /// - Parameters:
    ///   - sort: the order of the findings.
    ///   - limit: the most findings.
    /// - Returns: the findings.
    /// - Throws: ``ClickHouseError``.
    package func findings(sort: Audit.Sort = .saving, limit: Int) throws -> FleetFindings {
        var result = FleetFindings()
        let audits: SQLText = "FROM audit FINAL WHERE \(auditCondition)"
        try client.forEachRow(
            """
            SELECT toInt64(count()), sum(weight), sum(weight * (weight - 1)), sum(weight * requests), toInt64(sum(findings))
            \(audits)
            """
        ) { row in
            result.counted = FleetNumbers.count(row.int64())
            result.installations = row.estimate()
            result.requests = row.amount()
            return false
        }
        let current: SQLText = """
            FROM finding FINAL
            WHERE \(selection.condition) AND (installation, revision) IN (SELECT installation, revision \(audits))
            """
        let keys: SQLText = "rule, direction, method, authority, template"
        try client.forEachRow("SELECT toInt64(count()) FROM (SELECT 1 \(current) GROUP BY \(keys))") { row in
            result.found = FleetNumbers.count(row.int64())
            return false
        }
        try client.forEachRow(
            """
            SELECT \(keys), max(alarm) AS is_alarm, toString(argMax(remedy, \(Self.order(sort)))),
                toInt64(count()), sum(weight), sum(weight * (weight - 1)),
                sum(weight * bytes), sum(weight * (weight - 1) * bytes * bytes),
                sum(weight * saved_us), sum(weight * (weight - 1) * saved_us * saved_us),
                sum(estimated * \(Self.order(sort))), sum(\(Self.order(sort))) AS saving,
                sum(weight * calls), sum(weight * examined_calls), sum(weight * affected_calls)
            \(current) GROUP BY \(keys) ORDER BY is_alarm DESC, saving DESC, \(keys) LIMIT \(limit)
            """
        ) { row in
            result.findings.append(Self.finding(&row))
            return true
        }
        return result
    }

    /// What decides the order, of one installation: bytes, or microseconds, as the audit of a store weighs them.
    private static func order(_ sort: Audit.Sort) -> SQLText {
        switch sort {
        case .bytes: "weight * bytes"
        case .time: "weight * saved_us"
        case .saving: "weight * (saved_us / 1000 + bytes / \(max(1, Audit.Limits().bytesPerMillisecond)))"
        }
    }

    private var auditCondition: SQLText {
        let range = selection.range
        let bounds: [SQLText] = [
            range.since.map { "last_us >= \(SumsLayout.ceiling($0.nanoseconds, 1_000))" },
            range.until.map { "last_us < \(SumsLayout.ceiling($0.nanoseconds, 1_000))" },
        ].compactMap(\.self)
        return SQLText.joined([selection.condition] + bounds, by: " AND ")
    }

    private static func finding(_ row: inout RowBinaryReader) -> FleetFindings.Finding {
        func name(_ row: inout RowBinaryReader) -> String? {
            let text = row.text()
            return text.isEmpty ? nil : text
        }
        let rule = row.text()
        let direction = FleetNumbers.direction(row.uint8())
        let key = TrafficTotal.Key(
            method: name(&row), host: name(&row), template: name(&row), direction: direction)
        let isAlarm = row.flag()
        let remedy = AuditPhrase(rawValue: row.text())
        let counted = FleetNumbers.count(row.int64())
        let (installations, bytes, microseconds) = (row.estimate(), row.estimate(), row.estimate())
        let (assumed, saving) = (row.amount(), row.amount())
        return FleetFindings.Finding(
            rule: rule, key: key, isAlarm: isAlarm, remedy: remedy, counted: counted, installations: installations,
            bytes: bytes,
            nanoseconds: FleetFindings.Estimate(value: microseconds.value * 1_000, error: microseconds.error * 1_000),
            estimatedShare: saving > 0 ? min(1, assumed / saving) : 0, calls: row.amount(),
            examinedCalls: row.amount(), affectedCalls: row.amount())
    }
}

extension RowBinaryReader {
    /// A sum, which strangers may have forged: never negative, and never more than can be counted.
    mutating func amount(most: Double = 1e18) -> Double {
        let value = Double(bitPattern: integer())
        return value.isNaN ? 0 : min(max(0, value), most)
    }

    /// A sum, and the variance that follows it.
    fileprivate mutating func estimate() -> FleetFindings.Estimate {
        FleetFindings.Estimate(value: amount(), error: amount(most: 1e36).squareRoot())
    }
}
