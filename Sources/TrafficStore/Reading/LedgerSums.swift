import GRDB
internal import TrafficModel

/// Adds up the figures of the ledgers of the connections that were open in a range of time.
///
/// These are the connections that were opened before its end, without those that were closed before its start. The
/// table `ledger_sum` has both by hour, so only the rest of the hours at the two edges is read from the connections.
struct LedgerSums {
    /// What happens to a connection at a moment by which its figures are added up.
    enum Event: Int64 {
        case opened, closed

        /// The moment in nanoseconds since 1970.
        ///
        /// A connection is not closed before it was opened, whatever its row says.
        var moment: String { self == .opened ? "opened" : "max(opened, closed)" }

        /// Selects the connections with that moment and with figures; it is the condition of an index.
        var condition: String {
            LedgerColumns.hasFigures() + (self == .opened ? "" : " AND closed IS NOT NULL")
        }
    }

    /// Nanoseconds in an hour.
    static let hour = TimeSlot.minute * TimeSlot.minutesPerHour
    /// The names of the figures' columns in `ledger_sum`.
    static let columns = LedgerColumns.figures.map(\.name)

    private let database: Database
    private let direction: TrafficDirection
    // Of earlier moments, only whole hours are known, because the rows have been deleted.
    private let floor: Int64
    private var values = [Int64](repeating: 0, count: columns.count)

    /// Empty sums of the connections of a direction.
    init(_ database: Database, of direction: TrafficDirection) throws {
        self.database = database
        self.direction = direction
        floor = try Int64.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'ledger_floor'") ?? 0
    }

    /// Adds the connections of a range, which is widened to whole hours where rows have been deleted.
    mutating func add(_ range: TimeRange) throws {
        try add(.opened, before: range.until?.nanoseconds ?? .max, 1)
        if let since = range.since { try add(.closed, before: since.nanoseconds, -1) }
    }

    private mutating func add(_ event: Event, before moment: Int64, _ sign: Int64) throws {
        let started = max(0, moment) / Self.hour
        let isWhole = started * Self.hour == max(0, moment)
        let isKept = moment >= floor
        // Before that hour, and without the connections that came later in the last of them.
        let end = !isWhole && (isKept || event == .opened) ? started + 1 : started
        let sums = try PreparedStatement(
            database,
            """
            SELECT \(Self.columns.map { "total(\($0))" }.joined(separator: ", ")) FROM ledger_sum
            WHERE direction = \(direction.number) AND event = \(event.rawValue) AND hour < \(end)
            """)
        try add(sums, sign)
        guard !isWhole, isKept else { return }
        try add(
            try PreparedStatement(database, Self.selection(of: direction, event, hour: started, from: moment)), -sign)
    }

    /// Selects the figures of the connections with a moment in an hour, from a moment of it on.
    static func selection(of direction: TrafficDirection, _ event: Event, hour: Int64, from moment: Int64) -> String {
        let (end, isLast) = (hour + 1).multipliedReportingOverflow(by: Self.hour)
        return """
            SELECT \(LedgerColumns.totals) FROM connection
            WHERE \(event.condition) AND direction = \(direction.number) AND \(event.moment) >= \(moment)
            """ + (isLast ? "" : " AND \(event.moment) < \(end)")
    }

    private mutating func add(_ row: PreparedStatement, _ sign: Int64) throws {
        defer { row.reset() }
        guard try row.step() else { return }
        for index in values.indices { values[index] &+= sign &* Int64(clamping: row.double(Int32(index))) }
    }

    /// The coverage with these figures, without examples.
    var coverage: LedgerCoverage {
        var result = LedgerCoverage()
        let counts = values.map(Plausible.count)
        result.unclosed = counts[0]
        result.unaccounted = ByteFlow(up: ByteCount(values[1]), down: ByteCount(values[2]))
        result.excess = ByteFlow(up: ByteCount(values[3]), down: ByteCount(values[4]))
        result.unknown = counts[5]
        result.unproven = counts[6]
        for (offset, part) in ConnectionRow.rareParts.enumerated() {
            let flow = ByteFlow(up: ByteCount(values[7 + 2 * offset]), down: ByteCount(values[8 + 2 * offset]))
            if flow != .zero { result.parts[part] = flow }
        }
        let place = 7 + 2 * ConnectionRow.rareParts.count
        result.withoutExchange = counts[place]
        result.overheadWithoutExchange = ByteFlow(up: ByteCount(values[place + 1]), down: ByteCount(values[place + 2]))
        return result
    }
}
