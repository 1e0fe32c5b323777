package import ClickHouse
import FleetTables
import RowBinary
import Locks
package import TrafficModel

/// Reads a fleet's tables in ClickHouse as a store is read.
///
/// Sums are added up in the engine, over all installations that the address selects. Numbers of exchanges and
/// connections are those of one installation's store, so lists need an address that selects one.
package final class FleetReader: TrafficBrowsing {
    let client: ClickHouseClient
    let selection: FleetSelection
    /// Whether totals are read where there are some; they are what sums are.
    private let usesTotals: Bool
    private let known = Mutex(Known())

    /// What the selected installations ship.
    struct Installations: Sendable {
        /// The first of them, at most ``most``.
        var identities: [InstallationID] = []
        /// The number of all of them.
        var count: Int64 = 0
        /// Whether each has sent all of its exchanges and connections.
        var areWhole = true
        /// The widths of their sums.
        var layouts: [SumsLayout] = []

        static let most: Int64 = 5

        /// All of them, unless it is one whose identity is known.
        var several: SeveralInstallations? {
            count == 1 && identities.count == 1 ? nil : SeveralInstallations(count: count, some: identities)
        }
    }

    /// What has been read and holds for a second, or until the state is seen to change.
    private struct Known {
        var state: Dated<StoreState>?
        var installations: Dated<Installations>?
        var totals: Dated<FleetTotals?>?
    }

    private struct Dated<Value: Sendable>: Sendable {
        let value: Value
        let readAt = ContinuousClock.now

        var isRecent: Bool { .now - readAt < .seconds(1) }
    }

    /// A reader of the fleet at that address.
    ///
    /// - Parameters:
    ///   - client: asks ClickHouse there.
    ///   - now: from when durations in the address count back.
    ///   - usesTotals: whether the totals of ``FleetTotals`` are read where there are some.
    /// - Throws: ``ClickHouseError`` if the address cannot be read, ClickHouse cannot be reached, or has no such rows.
    package init(_ client: ClickHouseClient, now: Timestamp, usesTotals: Bool = true) throws {
        self.client = client
        self.usesTotals = usesTotals
        selection = try FleetSelection(client.url, now: now)
        let installations = try installations()
        guard installations.count > 0 else {
            throw ClickHouseError(
                .missing,
                "no installation in '\(client.url)' has sent anything; check the parameters, or leave some out"
            )
        }
    }

    // MARK: Installations

    /// The selected installations, of this second.
    func installations() throws -> Installations { try known(\.installations, readInstallations) }

    /// The totals, of this second; nil if there are none, or none are to be read.
    func totals() throws -> FleetTotals? {
        try known(\.totals) { usesTotals ? try FleetTotals(client) : nil }
    }

    /// What is known, or is read now.
    private func known<Value: Sendable>(
        _ place: any WritableKeyPath<Known, Dated<Value>?> & Sendable, _ read: () throws -> Value
    ) throws -> Value {
        let before = known.withLock { $0 }
        if let dated = before[keyPath: place], dated.isRecent { return dated.value }
        let value = try read()
        known.withLock { known in
            // What was read while the state changed may be of before.
            if known.state?.value == before.state?.value { known[keyPath: place] = Dated(value: value) }
        }
        return value
    }

    private func readInstallations() throws -> Installations {
        var result = Installations()
        try client.forEachRow(
            """
            SELECT finest, coarsest, toInt64(count()), groupArray(\(Installations.most))(toString(installation)), toUInt8(min(share) >= 1) FROM
                (\(newestInstallations)) WHERE finest IN (\(SumsLayout.widths)) AND coarsest IN (\(SumsLayout.widths))
            GROUP BY finest, coarsest ORDER BY finest, coarsest
            """
        ) { row in
            let layout = SumsLayout(
                finest: max(1, Int64(row.integer(UInt16.self))), whole: max(1, Int64(row.integer(UInt16.self))))
            result.layouts.append(layout)
            result.count += row.int64()
            result.identities += row.array { $0.text() }.compactMap { InstallationID($0) }
            result.areWhole = row.flag() && result.areWhole
            return true
        }
        return result
    }

    /// Selects each installation once, with the widths of its sums, and the least share of details that it has sent.
    private var newestInstallations: SQLText {
        """
        SELECT installation, argMax(finest, revision) AS finest, argMax(coarsest, revision) AS coarsest,
            min(details) AS share
        FROM installation WHERE \(selection.condition) GROUP BY installation
        """
    }

    /// The condition that a row is of an installation with that layout; `1` if all have it.
    func condition(_ layout: SumsLayout, among layouts: [SumsLayout]) -> SQLText {
        guard layouts.count > 1 else { return "1" }
        return """
            installation IN (SELECT installation FROM (\(newestInstallations))
                WHERE finest = \(layout.finest) AND coarsest = \(layout.whole))
            """
    }

    /// The condition on the rows of the one installation that is selected.
    ///
    /// - Throws: ``SeveralInstallations`` if it is not one.
    func oneInstallation() throws -> SQLText {
        let installations = try installations()
        if let several = installations.several { throw several }
        return "installation = toUUID(\(installations.identities[0].description)) AND \(selection.condition)"
    }

    /// The selected installations; nil if it is one.
    package func severalInstallations() throws -> SeveralInstallations? { try installations().several }

    // MARK: The whole

    /// What could not be recorded, by reason.
    package func losses() throws -> [TrafficLoss] {
        var losses: [TrafficLoss] = []
        try client.forEachRow(
            """
            SELECT reason, toInt64(sum(count)) FROM loss FINAL WHERE \(selection.condition)
            GROUP BY reason ORDER BY reason
            """
        ) { row in
            let reason = TrafficLoss.Reason(rawValue: row.text())
            losses.append(TrafficLoss(reason: reason, count: FleetNumbers.count(row.int64())))
            return true
        }
        return losses
    }

    /// Counts and dates of what the selected installations have shipped.
    package func overview() throws -> StoreOverview {
        var overview = StoreOverview(exchanges: 0, running: 0, firstSeen: nil, lastSeen: nil, losses: try losses())
        let bounds = SQLText.joined([selection.condition] + startConditions(selection.range), by: " AND ")
        overview.exchanges = try client.count("exchange FINAL WHERE \(bounds)")
        let places = try sumsPlaces(.always, with: []).map { place -> SQLText in
            "SELECT toInt64(count()), min(first_us), max(last_us) FROM \(place.rows) WHERE \(place.condition)"
        }
        guard !places.isEmpty else { return overview }
        try client.forEachRow(SQLText.joined(places, by: " UNION ALL ")) { row in
            let count = row.int64()
            let (first, last) = (FleetNumbers.moment(row.int64()), FleetNumbers.moment(row.int64()))
            if count > 0 {
                overview.firstSeen = min(overview.firstSeen ?? first, first)
                overview.lastSeen = max(overview.lastSeen ?? last, last)
            }
            return true
        }
        return overview
    }

    /// A value that changes with each shipment; it is read at most once a second.
    ///
    /// What is read after it has changed is not of before.
    package func state() throws -> StoreState {
        if let state = known.withLock({ $0.state }), state.isRecent { return state.value }
        var changes: Int64 = 0
        for table in ["sums", "exchange", "connection", "loss"] {
            try client.forEachRow(
                "SELECT toInt64(count()), toInt64(max(revision)) FROM \(name: table) WHERE \(selection.condition)"
            ) { row in
                changes = changes &* 31 &+ row.int64() &+ 1_000_003 &* row.int64()
                return false
            }
        }
        let state = StoreState(changes: changes, generation: 0)
        known.withLock { known in
            if known.state?.value != state { known = Known() }
            known.state = Dated(value: state)
        }
        return state
    }
}

extension ClickHouseClient {
    /// How many rows there are of what comes after `FROM`.
    func count(_ rows: SQLText) throws -> Int64 {
        var count: Int64 = 0
        try forEachRow("SELECT toInt64(count()) FROM \(rows)") { row in
            count = FleetNumbers.count(row.int64())
            return false
        }
        return count
    }
}
