internal import TrafficModel

/// The figures of ``ConnectionRecord/ledger`` as SQL expressions over the columns of a connection.
enum LedgerColumns {
    /// The parts that few connections have; each has a column for bytes sent and one for bytes received.
    static let rare = firstRare + webSocket + unseen
    /// The parts that version 4 of the file introduced.
    static let firstRare = ["socks", "proxy_line", "proxy_tls", "upgraded", "after"]
    /// The parts that version 6 of the file introduced.
    static let webSocket = ["ws_overhead", "ws_payload"]
    /// The part of connections whose messages were not seen.
    static let unseen = ["unseen"]
    /// The WebSocket counts, each with a column for what was sent and one for what was received; NULL if there are
    /// none.
    static let webSocketCounts = ["ws_frames", "ws_control", "ws_messages"]

    private static let outsideTLS: Set = ["socks", "proxy_line", "proxy_tls"]

    /// The bytes that no part explains in one direction, `up` or `down`, given those parts; NULL if the kernel's count
    /// is not known.
    static func unaccounted(_ way: String, _ parts: [String]) -> String {
        let payload = way == "up" ? "sent" : "received"
        func sum(_ first: String, _ parts: [String]) -> String { first + parts.map { " + \($0)_\(way)" }.joined() }
        let outside = sum("clear_\(way)", parts.filter(outsideTLS.contains))
        let inside = sum(
            "messages_\(way) - clear_\(way) + control_\(way)", parts.filter { !outsideTLS.contains($0) })
        let tls =
            "CASE WHEN tls IS NULL THEN 0 ELSE max(0, \(payload) - (\(outside)) - coalesce(plain_\(way), \(inside))) END"
        // The kernel reports both directions or neither.
        return "CASE WHEN sent IS NOT NULL AND received IS NOT NULL THEN "
            + "\(payload) - (\(outside)) - (\(inside)) - \(tls) END"
    }

    /// Whether a connection's ledger is open, proves nothing or is not known, or has parts that few connections have.
    static func noted(_ parts: [String]) -> String {
        "coalesce(unaccounted_up <> 0 OR unaccounted_down <> 0, 1) OR (tls IS NOT NULL AND plain_up IS NULL)"
            + parts.map { " OR \($0)_up <> 0 OR \($0)_down <> 0" }.joined()
    }

    /// Whether a connection is noted, or its messages were not seen: it has figures.
    ///
    /// - Parameter row: a trigger's row with a dot, or nothing.
    /// - Returns: the condition.
    static func hasFigures(_ row: String = "") -> String { "(\(row)noted OR \(row)unseen IS NOT NULL)" }

    /// The parts that are no overhead.
    private static let carried = ["messages", "unaccounted", "upgraded", "after", "ws_payload", "unseen"]

    /// The overhead of a connection in one direction, if it has carried no exchange; NULL for others.
    private static func overheadWithoutExchange(_ way: String) -> String {
        "CASE WHEN unseen IS NOT NULL AND exchanges = 0 THEN \(way == "up" ? "sent" : "received")"
            + carried.map { " - \($0)_\(way)" }.joined() + " END"
    }

    /// The figures on connections without an exchange.
    static let withoutExchange: [(name: String, sql: String)] = [
        (
            "without_exchange",
            "coalesce(\(overheadWithoutExchange("up")), 0) + coalesce(\(overheadWithoutExchange("down")), 0) > 0"
        ),
        ("without_exchange_up", overheadWithoutExchange("up")),
        ("without_exchange_down", overheadWithoutExchange("down")),
    ]

    /// The figures of ``LedgerCoverage`` that one connection has, with their names; NULL counts as 0.
    static let figures: [(name: String, sql: String)] =
        [
            ("unclosed", "unaccounted_up <> 0 OR unaccounted_down <> 0"),
            ("unaccounted_up", "max(0, unaccounted_up)"),
            ("unaccounted_down", "max(0, unaccounted_down)"),
            ("excess_up", "max(0, -unaccounted_up)"),
            ("excess_down", "max(0, -unaccounted_down)"),
            // A connection on which no exchange has ended yet has no missing count.
            ("unknown", "unaccounted_up IS NULL AND (closed IS NOT NULL OR exchanges > 0)"),
            ("unproven", "unaccounted_up IS NOT NULL AND tls IS NOT NULL AND plain_up IS NULL"),
        ]
        + rare.flatMap { part in
            ["up", "down"].map { way in
                ("\(part)_\(way)", "CASE WHEN unaccounted_up IS NOT NULL THEN \(part)_\(way) END")
            }
        }
        + withoutExchange

    /// The figures, added up over connections.
    static let totals = figures.map { "total(\($0.sql))" }.joined(separator: ", ")

    /// The bytes that no part of a ledger explains, or that it has too many, in both directions.
    static let weight =
        "max(unaccounted_up, -unaccounted_up) + max(unaccounted_down, -unaccounted_down)"

    /// Whether a ledger does not add up.
    static let isUnclosed = "(unaccounted_up <> 0 OR unaccounted_down <> 0)"

    /// Selects those of the connections still there that have the most unexplained bytes, from an index in that order.
    static func worst(_ count: Int64, of direction: TrafficDirection, in range: TimeRange) -> String {
        var conditions = ""
        if let until = range.until { conditions += " AND opened < \(until.nanoseconds)" }
        if let since = range.since { conditions += " AND (closed IS NULL OR closed >= \(since.nanoseconds))" }
        return """
            SELECT id, remote FROM connection WHERE direction = \(direction.number) AND \(isUnclosed)\(conditions)
            ORDER BY \(weight) DESC, id LIMIT \(count)
            """
    }
}
