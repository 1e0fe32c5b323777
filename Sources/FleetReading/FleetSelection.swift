import ClickHouse
import FleetTables
import TextFormats
internal import TrafficModel

/// Which part of a fleet a reader shows: the parameters of its address.
struct FleetSelection: Sendable {
    /// The moments that count.
    let range: TimeRange
    /// The condition on the columns that all tables have; `1` if all rows count.
    let condition: SQLText
    /// Whether totals have these columns: they are of all installations together, and of all hosts.
    let hasTotals: Bool

    /// The columns of the parameters, except those of time and of the installation.
    private static let columns: [(FleetURL.Parameter, String)] = [
        (.service, "service"), (.version, "version"), (.environment, "environment"), (.host, "host_name"),
        (.platform, "os"), (.region, "region"),
    ]

    /// The selection of an address.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - now: from when durations count back.
    /// - Throws: ``ClickHouseError`` if a parameter cannot be read.
    init(_ url: FleetURL, now: Timestamp) throws {
        func moment(_ parameter: FleetURL.Parameter) throws -> Timestamp? {
            guard let text = url.parameters[parameter] else { return nil }
            guard let moment = TimeExpression.moment(text, now: now) else {
                throw ClickHouseError(
                    .badAddress,
                    "'\(parameter.rawValue)=\(text)' is no time; write a duration before now, such as '7d', or a date"
                )
            }
            return moment
        }
        range = TimeRange(since: try moment(.since), until: try moment(.until))
        var conditions = Self.columns.compactMap { parameter, column -> SQLText? in
            url.parameters[parameter].map { "\(name: column) = \($0)" }
        }
        if let text = url.parameters[.installation] {
            guard let installation = InstallationID(text) else {
                throw ClickHouseError(
                    .badAddress,
                    "'installation=\(text)' is no identity of an installation, which is a UUID; correct it"
                )
            }
            conditions.append("installation = toUUID(\(installation.description))")
        }
        hasTotals = Set([.installation, .host]).isDisjoint(with: url.parameters.keys)
        condition = conditions.isEmpty ? "1" : SQLText.joined(conditions, by: " AND ")
    }

    /// The part of a range that is selected.
    func part(of other: TimeRange) -> TimeRange {
        TimeRange(
            since: [range.since, other.since].compactMap(\.self).max(),
            until: [range.until, other.until].compactMap(\.self).min())
    }
}
