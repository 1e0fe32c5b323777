import GRDB
internal import TrafficModel

/// The minutes without sums, because the rows of their exchanges have all that the sums would have.
///
/// With many APIs the sums of minutes take up to half as many bytes as the rows. So all of them are kept for the newest
/// two hours only. The sums of an earlier minute are deleted if each of its exchanges has a row; `by_rows` of the
/// minute's span is then 1. Before a row of such a minute is deleted, and when another exchange of it comes late, its
/// sums are made again from the rows.
final class RowMinutes {
    /// For how many minutes sums are kept in any case.
    static let kept: Int64 = 120
    /// A minute with more exchanges keeps its sums, because a report would read as many rows instead.
    static let mostRows: Int64 = 4_000
    // A transaction checks at most this number of minutes, and no further minute when it has read this number of rows.
    private static let minutesPerWrite: Int64 = 1_000
    private static let rowsPerWrite: Int64 = 50_000
    static let checkedKey = "checked_minutes"

    private let minutes: RollupTable
    private let kinds: KindTable
    private let rows: EndedRows
    private let unchecked: PreparedStatement
    private let requests: PreparedStatement
    private let countRows: PreparedStatement
    private let delete: PreparedStatement
    private let mark: PreparedStatement
    private let find: PreparedStatement
    private let findOfRow: PreparedStatement
    // Minutes before this one either have no sums by now, or keep them.
    @exclusivity(unchecked) private var checked: Int64 = 0

    /// The minutes of that store, whose sums are in that table.
    init(_ database: Database, _ minutes: RollupTable, _ kinds: KindTable) throws {
        self.minutes = minutes
        self.kinds = kinds
        rows = try EndedRows(database)
        unchecked = try PreparedStatement(
            database, "SELECT minute, first, last FROM span WHERE minute >= ? AND minute < ? ORDER BY 1 LIMIT ?")
        requests = try PreparedStatement(database, "SELECT sum(requests) FROM rollup_minute WHERE slot = ?")
        countRows = try PreparedStatement(
            database,
            """
            SELECT count(*) FROM exchange
            WHERE id BETWEEN ? AND ? AND started >= ? AND started < ? AND outcome IS NOT NULL
            """)
        delete = try PreparedStatement(database, "DELETE FROM rollup_minute WHERE slot = ?")
        mark = try PreparedStatement(database, "UPDATE span SET by_rows = ?2 WHERE minute = ?1")
        find = try PreparedStatement(
            database, "SELECT minute, first, last FROM span WHERE minute = ? AND by_rows")
        findOfRow = try PreparedStatement(
            database,
            """
            SELECT minute, first, last FROM span
            WHERE by_rows AND minute = (SELECT started / \(MinuteSpan.microseconds) FROM exchange WHERE id = ?)
            """)
    }

    /// Reads how far the minutes have been checked, because another connection may have changed it.
    func read(_ meta: (String) throws -> Int64) throws { checked = try meta(Self.checkedKey) }

    /// Deletes the written sums of minutes before that one whose exchanges all have rows.
    func drop(before end: Int64, setMeta: (String, Int64) throws -> Void) throws {
        guard end > checked else { return }
        unchecked.bind(1, checked)
        unchecked.bind(2, end)
        unchecked.bind(3, Self.minutesPerWrite)
        var spans: [MinuteSpan] = []
        while try unchecked.step() { spans.append(MinuteSpan(row: unchecked)) }
        var hasDropped = false
        checked = end
        var read: Int64 = 0
        for (index, span) in spans.enumerated() {
            if read > Self.rowsPerWrite || index + 1 == Self.minutesPerWrite {
                checked = span.minute
                break
            }
            guard try hasAllRows(span, &read) else { continue }
            delete.bind(1, span.minute)
            try delete.run()
            try set(span.minute, isByRows: true)
            hasDropped = true
        }
        if hasDropped { minutes.forget() }
        try setMeta(Self.checkedKey, checked)
    }

    private func hasAllRows(_ span: MinuteSpan, _ read: inout Int64) throws -> Bool {
        requests.bind(1, span.minute)
        defer { requests.reset() }
        guard try requests.step() else { return false }
        let count = Plausible.count(requests.int(0))
        // Where rows of many minutes are mixed, as in an import, each minute would read all of them.
        guard 1...Self.mostRows ~= count, span.last - span.first < 2 * count + 1_000 else { return false }
        read += span.last - span.first + 1
        countRows.bind(1, span.first)
        countRows.bind(2, span.last)
        countRows.bind(3, span.minute * MinuteSpan.microseconds)
        countRows.bind(4, (span.minute + 1) * MinuteSpan.microseconds)
        defer { countRows.reset() }
        return try countRows.step() && countRows.int(0) == count
    }

    /// Whether the row of an exchange that has just ended counts for its minute, so that its sums do not.
    ///
    /// If the minute has no sums but needs some for this exchange, they are made, without the exchange.
    func hasRow(of exchange: borrowing OpenExchange, minute: Int64) throws -> Bool {
        guard minute < checked else { return false }
        find.bind(1, minute)
        guard try find.step() else { return false }
        let span = MinuteSpan(row: find)
        find.reset()
        if exchange.keepsDetail, (span.first...max(span.first, span.last)).contains(exchange.row) { return true }
        try makeSums(of: span, without: exchange.row)
        return false
    }

    /// Makes the sums of the minutes of rows that will be deleted, in the open transaction.
    func makeSums(ofMinutesOf ids: [Int64]) throws {
        var hasMade = false
        for id in ids {
            findOfRow.bind(1, id)
            guard try findOfRow.step() else { continue }
            let span = MinuteSpan(row: findOfRow)
            findOfRow.reset()
            try makeSums(of: span)
            hasMade = true
        }
        if hasMade { try minutes.write() }
    }

    private func makeSums(of span: MinuteSpan, without row: Int64 = 0) throws {
        try rows.forEach(in: span) { exchange, end in
            guard exchange.row != row else { return }
            let kind = try kinds.kind(route: exchange.route, answer: exchange.answer)
            try minutes.add(
                exchange.figures, endedBy: EndFigures(end, since: exchange.startedAt),
                to: RollupKey(kind: kind.id, slot: span.minute))
        }
        try set(span.minute, isByRows: false)
    }

    private func set(_ minute: Int64, isByRows: Bool) throws {
        mark.bind(1, minute)
        mark.bind(2, Int64(isByRows ? 1 : 0))
        try mark.run()
    }
}
