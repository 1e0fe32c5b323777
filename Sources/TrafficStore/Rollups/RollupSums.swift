import GRDB
internal import TrafficModel

/// Adds up roll-ups over a time range.
///
/// It takes the coarsest tier that fits into the range, finer tiers at its edges, finer sums that are not yet included
/// in a coarser tier, and exchanges that are still running.
struct RollupSums {
    private let database: Database
    // The index of the group of each kind.
    private var groups: [Int64: Int] = [:]
    private var keys: [TrafficTotal.Key] = []
    private var sums: [TrafficSums] = []
    // The kind of each group, if each kind is a group.
    private var kinds: [Int64] = []

    private static let selection = """
        SELECT k.id, k.process, k.status, k.type, a.method, a.host, a.template, k.direction
        FROM kind k JOIN shown_api a ON a.id = k.api
        """

    /// Empty sums, in the groups of a grouping other than by path.
    init(_ database: Database, by grouping: TrafficGrouping) throws {
        self.database = database
        var indices: [TrafficTotal.Key: Int] = [:]
        let rows = try PreparedStatement(database, Self.selection)
        while try rows.step() {
            let key = Self.key(rows, grouping)
            let index = indices[key] ?? keys.count
            if index == keys.count {
                indices[key] = index
                keys.append(key)
            }
            groups[rows.int(0)] = index
        }
        sums = Array(repeating: TrafficSums(), count: keys.count)
        running = try Self.running(database, grouping)
    }

    /// The sums of each kind over a range of whole slots, without exchanges that are still running; they are empty
    /// again afterwards.
    mutating func takeKinds(in range: TimeRange) throws -> [KindTotal] {
        try add(range)
        var taken: [KindTotal] = []
        for (group, kind) in kinds.enumerated() where sums[group].requests > 0 {
            taken.append(KindTotal(kind: kind, key: keys[group], sums: sums[group]))
            sums[group] = TrafficSums()
        }
        return taken
    }

    // Each kind is a group of its own.
    init(kindsIn database: Database) throws {
        self.database = database
        let rows = try PreparedStatement(database, Self.selection)
        while try rows.step() {
            groups[rows.int(0)] = keys.count
            kinds.append(rows.int(0))
            keys.append(
                TrafficTotal.Key(
                    method: rows.text(4), host: rows.text(5), template: rows.text(6), status: Int(rows.int(2)),
                    contentType: rows.text(3), process: rows.text(1), direction: TrafficDirection(number: rows.int(7))))
        }
        sums = Array(repeating: TrafficSums(), count: keys.count)
        running = []
    }

    // The exchanges that are still running, which have no kind yet.
    private let running: [(key: TrafficTotal.Key, exchange: OpenExchange)]

    /// Adds a range, widened to whole minutes, or to whole hours if the minutes are no longer kept.
    mutating func add(_ range: TimeRange) throws {
        let bounds = try RollupBounds(range, database)
        guard bounds.since < bounds.until else { return }
        if range == .always {
            try add("rollup_all", from: 0, until: 1)
            try add("rollup_hour", from: bounds.foldedHours, until: .max)
            try add("rollup_minute", from: bounds.folded, until: .max)
        } else {
            try add(bounds)
        }
        for (key, exchange) in running {
            let minute = TimeSlot.minute(of: exchange.startedAt)
            guard minute >= bounds.since, minute < bounds.until else { continue }
            let index = keys.firstIndex(of: key) ?? keys.count
            if index == keys.count {
                keys.append(key)
                sums.append(TrafficSums())
            }
            sums[index].add(exchange.figures, end: nil)
        }
    }

    /// The totals of the groups that have exchanges.
    var totals: [TrafficTotal] {
        keys.indices.compactMap { sums[$0].requests > 0 ? TrafficTotal(key: keys[$0], sums: sums[$0]) : nil }
    }

    private mutating func add(_ bounds: RollupBounds) throws {
        let perHour = TimeSlot.minutesPerHour
        let firstHour = -TimeSlot.floor(-bounds.since, perHour)
        let endHour = TimeSlot.hour(of: bounds.until)
        guard firstHour < endHour else { return try add("rollup_minute", from: bounds.since, until: bounds.until) }
        try addHours(from: firstHour, until: endHour, bounds.foldedHours)
        // Minutes that are not yet included in their hours, and those at the edges.
        try add("rollup_minute", from: max(bounds.folded, firstHour * perHour), until: endHour * perHour)
        try add("rollup_minute", from: bounds.since, until: firstHour * perHour)
        try add("rollup_minute", from: endHour * perHour, until: bounds.until)
    }

    private mutating func addHours(from first: Int64, until end: Int64, _ foldedHours: Int64) throws {
        let perDay = TimeSlot.hoursPerDay
        let firstDay = -TimeSlot.floor(-first, perDay)
        let endDay = TimeSlot.day(of: end)
        guard firstDay < endDay else { return try add("rollup_hour", from: first, until: end) }
        try add("rollup_day", from: firstDay, until: endDay)
        try add("rollup_hour", from: max(foldedHours, firstDay * perDay), until: endDay * perDay)
        try add("rollup_hour", from: first, until: firstDay * perDay)
        try add("rollup_hour", from: endDay * perDay, until: end)
    }

    private mutating func add(_ table: String, from first: Int64, until end: Int64) throws {
        guard first < end else { return }
        let rows = try PreparedStatement(
            database, "SELECT kind, \(TrafficSums.columns) FROM \(table) WHERE slot >= ? AND slot < ?")
        rows.bind(1, first)
        rows.bind(2, end)
        while try rows.step() {
            guard let group = groups[rows.int(0)] else { continue }
            sums[group].merge(row: rows, first: 1)
        }
        if table == "rollup_minute" { try addRows(from: first, until: end) }
    }

    // The exchanges of minutes without sums: see ``RowMinutes``.
    private mutating func addRows(from first: Int64, until end: Int64) throws {
        let spans = try PreparedStatement(
            database, "SELECT minute, first, last FROM span WHERE minute >= ? AND minute < ? AND by_rows")
        spans.bind(1, first)
        spans.bind(2, end)
        let rows = try EndedRows(database)
        var kinds = try KindLookup(database)
        while try spans.step() {
            try rows.forEach(in: MinuteSpan(row: spans)) { exchange, end in
                guard let kind = try kinds.kind(of: exchange), let group = groups[kind] else { return }
                sums[group].add(exchange.figures, end: end)
            }
        }
    }

    private static func running(
        _ database: Database, _ grouping: TrafficGrouping
    ) throws -> [(key: TrafficTotal.Key, exchange: OpenExchange)] {
        let rows = try PreparedStatement(
            database,
            """
            SELECT p.id, p.name, coalesce(a.status, 0), coalesce(a.type, ''), i.method, i.host, i.template,
                t.direction, \(OpenExchange.columns)
            \(OpenExchange.tables) JOIN process p ON p.id = t.process JOIN shown_api i ON i.id = t.api
            """)
        var running: [(TrafficTotal.Key, OpenExchange)] = []
        while try rows.step() { running.append((key(rows, grouping), OpenExchange(row: rows, first: 8))) }
        return running
    }

    // The columns from the second on: program, status, media type, method, host, template, direction.
    private static func key(_ row: PreparedStatement, _ grouping: TrafficGrouping) -> TrafficTotal.Key {
        var key = name(row, grouping)
        key.direction = TrafficDirection(number: row.int(7))
        return key
    }

    private static func name(_ row: PreparedStatement, _ grouping: TrafficGrouping) -> TrafficTotal.Key {
        switch grouping {
        case .direction: TrafficTotal.Key()
        case .host: TrafficTotal.Key(host: row.text(5))
        case .method: TrafficTotal.Key(method: row.text(4))
        case .status: TrafficTotal.Key(status: Int(row.int(2)))
        case .type: TrafficTotal.Key(contentType: row.text(3))
        case .process, .device: TrafficTotal.Key(process: row.text(1))
        default: TrafficTotal.Key(method: row.text(4), host: row.text(5), template: row.text(6))
        }
    }
}
