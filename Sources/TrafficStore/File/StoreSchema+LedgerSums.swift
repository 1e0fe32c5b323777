import GRDB
internal import TrafficModel

extension StoreSchema {
    private static let events = [LedgerSums.Event.opened, .closed]

    /// Keeps the figures of all ledgers added up: by direction, and by the hour in which a connection was opened or
    /// closed.
    ///
    /// Triggers keep the sums, so that they are what the rows say after every change. When retention deletes a
    /// connection, its figures stay in the sums, because those of its exchanges stay, too. `ledger_floor` in `meta` is
    /// the moment after which no connection that was opened or closed has been deleted.
    @Sendable static func addLedgerSums(_ database: Database) throws {
        try database.execute(
            sql: """
                \(ledgerSumTable)
                DROP INDEX connection_noted;
                \(ledgerIndexes)
                \(ledgerSumsOfRows)
                \(sumsOfDeletedLedgers)
                DROP TABLE ledger_gone;
                \(ledgerTriggers)
                """)
    }

    /// Adds the figures of ``LedgerColumns/withoutExchange``, which more connections have.
    @Sendable static func addConnectionsWithoutExchange(_ database: Database) throws {
        let kept = try Set(database.columns(in: "ledger_sum").map(\.name))
        let added = LedgerColumns.withoutExchange.map(\.name).filter { !kept.contains($0) }
        let columns = added.map { "ALTER TABLE ledger_sum ADD COLUMN \($0) INTEGER NOT NULL DEFAULT 0;" }
        let triggers = ["insert", "before", "after"].map { "DROP TRIGGER IF EXISTS ledger_\($0);" }
        let indexes = ["opened", "closed", "unclosed"].map { "DROP INDEX connection_\($0);" }
        try database.execute(
            sql: """
                \((triggers + indexes + columns).joined(separator: "\n"))
                \(added.isEmpty ? "" : sumsWithoutExchange)
                \(ledgerIndexes)
                \(ledgerTriggers)
                """)
    }

    /// Makes the triggers again, for which a connection may have carried exchanges before what was not seen.
    ///
    /// No row of before has.
    @Sendable static func renewLedgerTriggers(_ database: Database) throws {
        let old = ["insert", "before", "after"].map { "DROP TRIGGER ledger_\($0);" }
        try database.execute(sql: old.joined(separator: "\n") + "\n" + ledgerTriggers)
    }

    // Files of before have all other figures.
    private static var sumsWithoutExchange: String {
        let zeros = LedgerColumns.figures.dropLast(LedgerColumns.withoutExchange.count).map { _ in "0" }
        let figures = LedgerColumns.withoutExchange.map { "total(\($0.sql))" }
        return events.map { event in
            """
            INSERT INTO ledger_sum
                SELECT direction, \(event.rawValue), \(hour(of: event)), \((zeros + figures).joined(separator: ", "))
                FROM connection WHERE unseen IS NOT NULL AND \(event.condition) GROUP BY 1, 2, 3
                \(addition);
            """
        }.joined(separator: "\n")
    }

    static let ledgerSumTable = """
        CREATE TABLE ledger_sum(
            direction INTEGER NOT NULL, event INTEGER NOT NULL, hour INTEGER NOT NULL,
            \(LedgerSums.columns.map { "\($0) INTEGER NOT NULL" }.joined(separator: ", ")),
            PRIMARY KEY(direction, event, hour)) WITHOUT ROWID;
        """

    static let ledgerIndexes = """
        \(events.map(index).joined())
        CREATE INDEX connection_unclosed ON connection(direction, \(LedgerColumns.weight) DESC)
            WHERE \(LedgerColumns.isUnclosed);
        """

    static let ledgerTriggers = """
        CREATE TRIGGER ledger_insert AFTER INSERT ON connection WHEN \(hasFigures("NEW")) BEGIN
            \(change(by: "", of: "NEW"))
        END;
        CREATE TRIGGER ledger_before BEFORE UPDATE ON connection WHEN \(hasFigures("OLD")) BEGIN
            \(change(by: "-", of: "OLD"))
        END;
        CREATE TRIGGER ledger_after AFTER UPDATE ON connection WHEN \(hasFigures("NEW")) BEGIN
            \(change(by: "", of: "NEW"))
        END;
        """

    /// Adds all connections to empty sums.
    static let ledgerSumsOfRows = events.map { event in
        """
        INSERT INTO ledger_sum SELECT direction, \(event.rawValue), \(hour(of: event)), \(LedgerColumns.totals)
            FROM connection WHERE \(event.condition) GROUP BY 1, 2, 3;
        """
    }.joined(separator: "\n")

    private static func index(_ event: LedgerSums.Event) -> String {
        "CREATE INDEX connection_\(event) ON connection(direction, \(event.moment)) WHERE \(event.condition);\n"
    }

    private static func hour(of event: LedgerSums.Event) -> String {
        "max(0, \(event.moment)) / \(LedgerSums.hour)"
    }

    private static let addition =
        "ON CONFLICT(direction, event, hour) DO UPDATE SET "
        + LedgerSums.columns.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", ")

    // Most connections have no figures, and then the triggers do nothing.
    private static func hasFigures(_ row: String) -> String {
        "\(LedgerColumns.hasFigures("\(row).")) AND (\(row).unaccounted_up IS NOT NULL OR \(row).closed IS NOT NULL OR \(row).exchanges > 0)"
    }

    // A trigger before an update sees the row as it was, one after it as it is.
    private static func change(by sign: String, of row: String) -> String {
        events.map { event in
            """
            INSERT INTO ledger_sum
                SELECT direction, \(event.rawValue), \(hour(of: event)),
                    \(LedgerColumns.figures.map { "\(sign)coalesce(\($0.sql), 0)" }.joined(separator: ", "))
                FROM connection WHERE id = \(row).id AND \(event.condition)
                \(addition);
            """
        }.joined(separator: "\n")
    }

    // Earlier versions kept the figures of deleted connections without times. They count as opened at any time, and as
    // closed when the first connection that is still there was opened.
    private static let sumsOfDeletedLedgers: String = {
        let end = """
            coalesce((SELECT opened FROM connection ORDER BY id LIMIT 1), (SELECT max(seen) FROM run), 0)
            """
        let sums = TrafficDirection.allCases.flatMap { direction in
            events.map { event in
                let values = LedgerSums.columns.map { name in
                    let key = direction == .called ? name : "served_\(name)"
                    return "coalesce((SELECT value FROM ledger_gone WHERE name = '\(key)'), 0)"
                }
                return """
                    INSERT INTO ledger_sum
                        SELECT \(direction.number), \(event.rawValue),
                            \(event == .opened ? "0" : "max(0, \(end) - 1) / \(LedgerSums.hour)"),
                            \(values.joined(separator: ", "))
                        WHERE EXISTS (SELECT 1 FROM ledger_gone)
                        \(addition);
                    """
            }
        }
        return sums.joined(separator: "\n") + """

            INSERT INTO meta SELECT 'ledger_floor', \(end) WHERE EXISTS (SELECT 1 FROM ledger_gone);
            """
    }()
}
