package import TrafficModel

/// What an audit of an installation's store has found about an API: which rule, and what could be saved.
///
/// Only names that sums have, too, and numbers: no sentence, which could have a word of a header or a path.
package struct FleetFinding: FleetRow, Hashable {
    package var origin = FleetOrigin()
    /// The number of installations that this one stands for.
    package var weight = 1.0
    /// The audit's rule.
    package var rule = ""
    /// The API; a finding about a host has neither method nor template.
    package var key = TrafficTotal.Key()
    /// Whether it is a warning rather than a saving.
    package var isAlarm = false
    /// Whether the savings include a ratio or another assumption.
    package var isEstimated = false
    /// The name of the sentence that says what to do.
    package var remedy = ""
    /// Bytes that would not have been sent, scaled to all calls.
    package var bytes: Int64 = 0
    /// Nanoseconds that would not have been spent, scaled to all calls; kept in microseconds.
    package var nanoseconds: Int64 = 0
    /// The calls, how many of them were examined, and how many of those wasted something.
    package var calls: Int64 = 0
    package var examinedCalls: Int64 = 0
    package var affectedCalls: Int64 = 0

    package init() {}

    package static let table = FleetTable<FleetFinding>(
        name: "finding", key: ["installation", "rule", "direction", "authority", "method", "template"])

    package static func visit<Visitor: FieldVisitor<Self> & ~Copyable>(_ fields: inout Visitor) {
        fields.origin()
        fields.float64("weight", { $0.weight }, { $0.weight = $1 })
        fields.label("rule", { $0.rule }, { $0.rule = $1 })
        fields.uint8(
            "direction", { FleetNumbers.direction($0.key.direction) },
            { $0.key.direction = FleetNumbers.direction($1) })
        fields.label("method", { $0.key.method ?? "" }, { $0.key.method = $1.isEmpty ? nil : $1 })
        fields.label("authority", { $0.key.host ?? "" }, { $0.key.host = $1.isEmpty ? nil : $1 })
        fields.label("template", { $0.key.template ?? "" }, { $0.key.template = $1.isEmpty ? nil : $1 })
        fields.flag("alarm", { $0.isAlarm }, { $0.isAlarm = $1 })
        fields.flag("estimated", { $0.isEstimated }, { $0.isEstimated = $1 })
        fields.label("remedy", { $0.remedy }, { $0.remedy = $1 })
        fields.int64("bytes", { $0.bytes }, { $0.bytes = FleetNumbers.count($1) })
        fields.int64("saved_us", { $0.nanoseconds / 1_000 }, { $0.nanoseconds = max(0, FleetNumbers.duration($1)) })
        fields.int64("calls", { $0.calls }, { $0.calls = FleetNumbers.count($1) })
        fields.int64("examined_calls", { $0.examinedCalls }, { $0.examinedCalls = FleetNumbers.count($1) })
        fields.int64("affected_calls", { $0.affectedCalls }, { $0.affectedCalls = FleetNumbers.count($1) })
    }
}

/// An audit of an installation's store; its findings are those with the same revision.
package struct FleetAudit: FleetRow, Hashable {
    package var origin = FleetOrigin()
    /// The number of installations that this one stands for.
    package var weight = 1.0
    /// The requests in the store, by its sums.
    package var requests: Int64 = 0
    /// The newest exchanges, which were examined.
    package var examined: Int64 = 0
    /// How many findings are sent.
    package var findings: Int64 = 0
    /// When the first and the last of the examined exchanges started.
    package var first = Timestamp(nanoseconds: 0)
    package var last = Timestamp(nanoseconds: 0)

    package init() {}

    package static let table = FleetTable<FleetAudit>(name: "audit", key: ["installation"])

    package static func visit<Visitor: FieldVisitor<Self> & ~Copyable>(_ fields: inout Visitor) {
        fields.origin()
        fields.float64("weight", { $0.weight }, { $0.weight = $1 })
        fields.int64("requests", { $0.requests }, { $0.requests = FleetNumbers.count($1) })
        fields.int64("examined", { $0.examined }, { $0.examined = FleetNumbers.count($1) })
        fields.int64("findings", { $0.findings }, { $0.findings = FleetNumbers.count($1) })
        fields.int64("first_us", { FleetNumbers.microseconds($0.first) }, { $0.first = FleetNumbers.moment($1) })
        fields.int64("last_us", { FleetNumbers.microseconds($0.last) }, { $0.last = FleetNumbers.moment($1) })
    }
}
