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
        let columns = try groupColumns(of: grouping)
        var sums: [TrafficTotal.Key: TrafficSums] = [:]
        let groups = try self.sums(by: columns.names, in: range, key: columns.key)
        for (key, figures) in groups where figures.requests > 0 { sums[key, default: TrafficSums()].merge(figures) }
        return sums.map { TrafficTotal(key: $0.key, sums: $0.value) }
    }

    /// The columns that make a group, and what reads the group's name from them.
    private struct GroupColumns {
        let names: [String]
        let key: (inout RowBinaryReader) -> TrafficTotal.Key
    }

    private func groupColumns(of grouping: TrafficGrouping) throws -> GroupColumns {
        // Each installation numbers its devices itself, and addresses at home are alike.
        let tellsDevices = try grouping == .device && installations().count > 1
        let templates = grouping == .api ? try templates() : nil
        let names = ["direction"] + (tellsDevices ? ["installation"] : []) + Self.columns(of: grouping)
        return GroupColumns(names: names) { row in
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
    }

    /// The requests of each group in equal slots of a range's time, from the sums; none by what sums do not have.
    package func requestsOverTime(
        by grouping: TrafficGrouping, of direction: TrafficDirection?, in range: TimeRange, slots: Int
    ) throws -> [TrafficTotal.Key: [Int64]] {
        guard !grouping.countsRows, grouping != .hijacked else { return [:] }
        let columns = try groupColumns(of: grouping)
        let places = try sumsPlaces(range, with: columns.names, areFinest: true)
        let shown: SQLText = direction.map { "direction = \(FleetNumbers.direction($0)) AND " } ?? ""
        func near(_ value: SQLText) -> SQLText {
            "least(greatest(\(value), toInt64(\(-Self.farthest))), toInt64(\(Self.farthest)))"
        }
        // As in a timeline, neither a forged moment nor the time between two of them must overflow.
        let minute = near("\(near("slot")) * toInt64(width)")
        func ask(_ selected: SQLText, _ rest: SQLText, _ body: (inout RowBinaryReader) throws -> Bool) throws {
            let parts = places.map { place -> SQLText in
                "SELECT \(selected) FROM \(place.rows) WHERE \(shown)\(place.condition)\(rest)"
            }
            if !parts.isEmpty { try client.forEachRow(SQLText.joined(parts, by: " UNION ALL "), body) }
        }
        var (first, last) = (Int64.max, Int64.min)
        try ask("toInt64(count()), min(\(minute)), max(\(minute))", "") { row in
            let (count, least, largest) = (row.int64(), row.int64(), row.int64())
            if count > 0 { (first, last) = (min(first, least), max(last, largest)) }
            return true
        }
        guard first <= last else { return [:] }
        var requests: [TrafficTotal.Key: [Int64]] = [:]
        let step = (last - first) / Int64(slots) + 1
        let values = SQLText.joined(columns.names.map(Self.value(of:)), by: ", ")
        let groups = SQLText.joined(columns.names.map { "\(name: $0)" }, by: ", ")
        try ask(
            "\(values), toInt64(intDiv(\(minute) - \(first), \(step))) AS place, sum(requests)",
            " GROUP BY \(groups), place"
        ) { row in
            let key = columns.key(&row)
            let place = min(max(0, Int(row.int64())), slots - 1)
            let more = FleetNumbers.count(row.int64())
            var counts = requests[key] ?? Array(repeating: 0, count: slots)
            counts[place] = counts[place].addingClamped(more)
            requests[key] = counts
            return true
        }
        return requests
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
        if try installations().count > 1 { try templates.learn(client, with: totals()) }
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
            // Neither a forged moment nor the time between two of them must overflow.
            let minute = min(max(-Self.farthest, row.int64()), Self.farthest)
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
    /// Minutes from the epoch, in 2097; no moment that counts is farther from it.
    private static let farthest: Int64 = 1 << 26

    /// The first minute of a range and the first after it, widened to whole minutes.
    func minutes(of range: TimeRange) -> (since: Int64?, until: Int64?) {
        (
            range.since.map { SumsLayout.floor($0.nanoseconds, Self.minute) },
            range.until.map { SumsLayout.ceiling($0.nanoseconds, Self.minute) }
        )
    }
}
