import ClickHouse
import FleetTables
import RowBinary
internal import TrafficModel
internal import URLTemplates

/// The templates under which a fleet's APIs are shown.
///
/// Each installation learns from its own paths, and one phone may never see enough of a position to know that it is a
/// parameter. All paths together do, so what installations have learned is learned once more over the whole fleet. Templates
/// that were given to an installation are never merged with others.
struct FleetTemplates {
    // What a stranger may have made up must not fill the memory.
    private static let mostAPIs = 100_000

    /// The last template that an installation itself has for an API, by the API as it was sent; only those that differ.
    private(set) var ofInstallations: [TrafficTotal.Key: String] = [:]
    private var given: Set<TrafficTotal.Key> = []
    private var hosts: [String: TemplateTrie] = [:]

    /// The template under which an API is shown.
    func template(of api: TrafficTotal.Key) -> String? {
        guard let own = ofInstallations[api] ?? api.template else { return nil }
        var shown = api
        shown.template = own
        guard !given.contains(shown), let tree = api.host.flatMap({ hosts[$0] }) else { return own }
        return tree.template(of: own)
    }

    /// The templates of the installations that a condition selects, each as it is.
    init(_ client: ClickHouseClient, where condition: SQLText) throws {
        var shown: [TrafficTotal.Key: String] = [:]
        try client.forEachRow(
            """
            SELECT method, authority, template, shown FROM template FINAL WHERE \(condition)
            ORDER BY revision, installation
            """
        ) { row in
            let key = TrafficTotal.Key(method: row.text(), host: row.text(), template: row.text())
            let template = row.text()
            for direction in TrafficDirection.allCases {
                var key = key
                key.direction = direction
                // A template that was given is mapped to itself.
                if template == key.template { given.insert(key) } else { shown[key] = template }
            }
            return true
        }
        ofInstallations = ShownTemplates.resolved(shown)
    }

    /// Learns from the templates of all installations of the fleet.
    ///
    /// - Parameters:
    ///   - client: asks ClickHouse.
    ///   - totals: what `total` has, so that only those `sums` are read that arrived since then.
    /// - Throws: ``ClickHouseError``.
    mutating func learn(_ client: ClickHouseClient, with totals: FleetTotals?) throws {
        let columns: SQLText = "authority, method, template"
        let rows: SQLText =
            totals.map { totals in
                """
                (SELECT \(columns) FROM total GROUP BY \(columns)
                UNION ALL SELECT \(columns) FROM sums WHERE \(FleetTotals.arrived(since: totals.moment)) GROUP BY \(columns))
                """
            } ?? "sums"
        var hosts: [String: TemplateTrie] = [:]
        try client.forEachRow(
            """
            SELECT \(columns) FROM \(rows) GROUP BY \(columns) ORDER BY \(columns) LIMIT \(Self.mostAPIs)
            """
        ) { row in
            let host = row.text()
            var api = TrafficTotal.Key(method: row.text(), host: host, template: row.text())
            api.template = ofInstallations[api] ?? api.template
            if let template = api.template, !given.contains(api) {
                hosts[host, default: TemplateTrie()].restore(template)
            }
            return true
        }
        self.hosts = hosts
    }
}
