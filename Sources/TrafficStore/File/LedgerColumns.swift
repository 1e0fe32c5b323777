/// What the columns of a connection say of its ledger, as SQL: the same as ``ConnectionRecord/ledger``.
enum LedgerColumns {
    /// The parts that few connections have, each with a column for what was sent and one for what was received.
    static let rare = firstRare + webSocket
    /// Those that the fourth version of the file had.
    static let firstRare = ["socks", "proxy_line", "proxy_tls", "upgraded", "after"]
    /// Those that came with the fifth.
    static let webSocket = ["ws_overhead", "ws_payload"]
    /// What was counted of WebSocket, for what was sent and for what was received; NULL where there is none.
    static let webSocketCounts = ["ws_frames", "ws_control", "ws_messages"]

    private static let outsideTLS: Set = ["socks", "proxy_line", "proxy_tls"]

    /// What is left over in one direction, which is `up` or `down`, by those parts; NULL where the kernel's count is not
    /// known.
    static func unaccounted(_ way: String, _ parts: [String]) -> String {
        let payload = way == "up" ? "sent" : "received"
        func sum(_ first: String, _ parts: [String]) -> String { first + parts.map { " + \($0)_\(way)" }.joined() }
        let outside = sum("clear_\(way)", parts.filter(outsideTLS.contains))
        let inside = sum(
            "messages_\(way) - clear_\(way) + control_\(way)", parts.filter { !outsideTLS.contains($0) })
        let tls =
            "CASE WHEN tls IS NULL THEN 0 ELSE max(0, \(payload) - (\(outside)) - coalesce(plain_\(way), \(inside))) END"
        // The kernel tells both directions or none.
        return "CASE WHEN sent IS NOT NULL AND received IS NOT NULL THEN "
            + "\(payload) - (\(outside)) - (\(inside)) - \(tls) END"
    }

    /// Whether a ledger does not close, proves nothing, is not known, or has parts that few have.
    static func noted(_ parts: [String]) -> String {
        "coalesce(unaccounted_up <> 0 OR unaccounted_down <> 0, 1) OR (tls IS NOT NULL AND plain_up IS NULL)"
            + parts.map { " OR \($0)_up <> 0 OR \($0)_down <> 0" }.joined()
    }

    /// The figures of ``LedgerCoverage`` by their names, as aggregates of connections.
    static let sums: [(name: String, sql: String)] =
        [
            ("unclosed", "total(unaccounted_up <> 0 OR unaccounted_down <> 0)"),
            ("unaccounted_up", "total(max(0, unaccounted_up))"),
            ("unaccounted_down", "total(max(0, unaccounted_down))"),
            ("excess_up", "total(max(0, -unaccounted_up))"),
            ("excess_down", "total(max(0, -unaccounted_down))"),
            // Nothing is missing of a connection on which no exchange has ended yet.
            ("unknown", "total(unaccounted_up IS NULL AND (closed IS NOT NULL OR exchanges > 0))"),
            ("unproven", "total(unaccounted_up IS NOT NULL AND tls IS NOT NULL AND plain_up IS NULL)"),
        ]
        + rare.flatMap { part in
            ["up", "down"].map { way in
                ("\(part)_\(way)", "total(CASE WHEN unaccounted_up IS NOT NULL THEN \(part)_\(way) END)")
            }
        }

    /// Aggregates of the connections that have something to be said of; conditions may follow.
    static let selection = "SELECT \(sums.map(\.sql).joined(separator: ", ")) FROM connection WHERE noted"
}
