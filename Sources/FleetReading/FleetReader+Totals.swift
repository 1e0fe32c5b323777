import ClickHouse
import FleetTables
import RowBinary
package import TrafficModel

extension FleetReader {
    /// The totals of a range by one grouping, in no particular order.
    ///
    /// By path, by network and by carrier they are of the exchanges that were shipped one by one, and estimates if only a share was.
    package func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        if grouping.countsRows { return try detailTotals(by: grouping, in: range) }
        if grouping == .hijacked { return try hijackedTotals(in: range) }
        // Each installation numbers its devices itself, and addresses at home are alike.
        let tellsDevices = try grouping == .device && installations().count > 1
        let columns = ["direction"] + (tellsDevices ? ["installation"] : []) + Self.columns(of: grouping)
        var sums: [TrafficTotal.Key: TrafficSums] = [:]
        let templates = grouping == .api ? try templates() : nil
        let groups = try self.sums(by: columns, in: range) { row in
            let direction = FleetNumbers.direction(row.uint8())
            let installation = tellsDevices ? row.text() : ""
            var key = Self.key(by: grouping, &row)
            key.direction = direction
            if tellsDevices, direction == .served {
                key.process = "\(installation.prefix(Self.shownOfInstallation)) \(key.process ?? "")"
            }
            if let templates { key.template = templates.template(of: key) }
            return key
        }
        for (key, figures) in groups where figures.requests > 0 { sums[key, default: TrafficSums()].merge(figures) }
        return sums.map { TrafficTotal(key: $0.key, sums: $0.value) }
    }

    /// How much of an installation's identity comes before the name of a device.
    private static let shownOfInstallation = 8

    private static func columns(of grouping: TrafficGrouping) -> [String] {
        switch grouping {
        case .host: ["authority"]
        case .status: ["status"]
        case .type: ["type"]
        case .method: ["method"]
        case .process, .device: ["process"]
        case .direction: []
        case .service, .version, .environment, .region, .installation: [grouping.rawValue]
        case .machine: ["host_name"]
        case .platform: ["os"]
        default: ["method", "authority", "template"]
        }
    }

    private static func key(by grouping: TrafficGrouping, _ row: inout RowBinaryReader) -> TrafficTotal.Key {
        switch grouping {
        case .host: TrafficTotal.Key(host: row.text())
        case .status: TrafficTotal.Key(status: Int(FleetNumbers.count(row.int64())))
        case .type: TrafficTotal.Key(contentType: row.text())
        case .method: TrafficTotal.Key(method: row.text())
        case .process, .device: TrafficTotal.Key(process: row.text())
        case .direction: TrafficTotal.Key()
        case _ where TrafficGrouping.sourceCases.contains(grouping): TrafficTotal.Key(source: row.text())
        default: TrafficTotal.Key(method: row.text(), host: row.text(), template: row.text())
        }
    }

    /// The template under which an installation shows an API, by the API as it was sent; only those that differ.
    func shownTemplates() throws -> [TrafficTotal.Key: String] {
        try FleetTemplates(client, where: selection.condition).ofInstallations
    }

    /// The templates under which APIs are shown; one installation's are its own.
    func templates() throws -> FleetTemplates {
        var templates = try FleetTemplates(client, where: try installations().count > 1 ? "1" : selection.condition)
        // From all of the fleet, so that two parts of it that are compared have the same.
        if try installations().count > 1 { try templates.learn(client, with: usesTotals ? FleetTotals(client) : nil) }
        return templates
    }

    /// The traffic of a range over time in one direction.
    package func timeline(
        of direction: TrafficDirection, in range: TimeRange, limit: Int
    ) throws -> TrafficTimeline {
        func total(_ way: String) -> SQLText {
            let sums = ["start_line", "fields", "interim", "body", "framing"].map { "sum(\(way)_\($0))" }
            return SQLText(ownWords: sums.joined(separator: " + "))
        }
        var slots: [TrafficTimeline.Slot] = []
        // Only the finest slots: a timeline has no use for hours whose minutes are there.
        let places = try sumsPlaces(range, with: ["direction"], areFinest: true).map { place -> SQLText in
            """
            SELECT slot * toInt64(width) AS minute, sum(requests), sum(failures), \(total("up")), \(total("down"))
            FROM \(place.rows) WHERE direction = \(FleetNumbers.direction(direction)) AND \(place.condition) GROUP BY minute
            """
        }
        guard !places.isEmpty else { return .none }
        try client.forEachRow(SQLText.joined(places, by: " UNION ALL ")) { row in
            // From 1842 to 2097: neither a forged moment nor the time between two of them must overflow.
            let minute = min(max(-1 << 26, row.int64()), 1 << 26)
            slots.append(
                TrafficTimeline.Slot(
                    begin: Timestamp(nanoseconds: minute * Self.minute), requests: FleetNumbers.count(row.int64()),
                    failures: FleetNumbers.count(row.int64()), up: ByteCount(row.int64()), down: ByteCount(row.int64()))
            )
            return true
        }
        // A slot may be in several places.
        slots.sort { $0.begin < $1.begin }
        slots.removeAll { $0.requests == 0 }
        guard let first = slots.first?.begin, let last = slots.last?.begin else { return .none }
        var timeline = TrafficTimeline(
            from: first, to: last, limit: limit,
            leastStep: try installations().layouts.map(\.finest).max() ?? 1)
        for slot in slots { timeline.add(slot) }
        return timeline
    }

    // MARK: Which slots

    static let minute: Int64 = 60_000_000_000

    /// The first minute of a range and the first after it, widened to whole minutes.
    func minutes(of range: TimeRange) -> (since: Int64?, until: Int64?) {
        (
            range.since.map { SumsLayout.floor($0.nanoseconds, Self.minute) },
            range.until.map { SumsLayout.ceiling($0.nanoseconds, Self.minute) }
        )
    }
}
