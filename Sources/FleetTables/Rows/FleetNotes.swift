/// An API that got another template after rows had been sent with this one, or one whose template was given.
package struct FleetTemplate: FleetRow, Hashable {
    package var origin = FleetOrigin()
    package var method = ""
    /// The host as reports name it.
    package var authority = ""
    /// The template that rows were sent with.
    package var template = ""
    /// The template to show instead; the same if it was given, so that it is never merged with others.
    package var shown = ""

    package init() {}

    package static let table = FleetTable<FleetTemplate>(
        name: "template", key: ["installation", "method", "authority", "template"])

    package static func visit<Visitor: FieldVisitor<Self> & ~Copyable>(_ fields: inout Visitor) {
        fields.origin()
        fields.label("method", { $0.method }, { $0.method = $1 })
        fields.label("authority", { $0.authority }, { $0.authority = $1 })
        fields.label("template", { $0.template }, { $0.template = $1 })
        fields.label("shown", { $0.shown }, { $0.shown = $1 })
    }
}

/// What an installation could not record or not send, by reason.
package struct FleetLoss: FleetRow, Hashable {
    package var origin = FleetOrigin()
    package var reason = ""
    /// How often until now.
    package var count: Int64 = 0

    package init() {}

    package static let table = FleetTable<FleetLoss>(name: "loss", key: ["installation", "reason"])

    package static func visit<Visitor: FieldVisitor<Self> & ~Copyable>(_ fields: inout Visitor) {
        fields.origin()
        fields.label("reason", { $0.reason }, { $0.reason = $1 })
        fields.int64("count", { $0.count }, { $0.count = FleetNumbers.count($1) })
    }
}

/// An installation from one of its exchanges on, and how much it sends.
package struct FleetInstallation: FleetRow, Hashable {
    package var origin = FleetOrigin()
    /// The first exchange of this origin.
    package var firstExchange: Int64 = 0
    /// When the row was sent, in microseconds since 1970 by the sender's clock.
    package var seen: Int64 = 0
    /// The share of the exchanges that are sent one by one.
    package var details = 1.0
    /// Whether no installation with these settings sends exchanges one by one; a cohort stands for the rest of its kind.
    package var sendsSumsAlone = false
    /// The narrowest and the widest slots that it sends sums of, in minutes.
    package var finest: UInt16 = 60
    package var coarsest: UInt16 = 60
    /// How many exchanges have ended whose details could be sent, whether they were chosen or not.
    package var exchanges: Int64 = 0

    package init() {}

    package static let table = FleetTable<FleetInstallation>(
        name: "installation", key: ["installation", "first_exchange"])

    package static func visit<Visitor: FieldVisitor<Self> & ~Copyable>(_ fields: inout Visitor) {
        fields.origin()
        fields.int64("first_exchange", { $0.firstExchange }, { $0.firstExchange = $1 })
        fields.int64("seen_us", { $0.seen }, { $0.seen = $1 })
        fields.float64("details", { $0.details }, { $0.details = $1 })
        fields.flag("sums_alone", { $0.sendsSumsAlone }, { $0.sendsSumsAlone = $1 })
        fields.uint16("finest", { $0.finest }, { $0.finest = $1 })
        fields.uint16("coarsest", { $0.coarsest }, { $0.coarsest = $1 })
        fields.int64("exchanges", { $0.exchanges }, { $0.exchanges = FleetNumbers.count($1) })
    }
}
