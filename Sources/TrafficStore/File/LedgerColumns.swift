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

    /// The figures of ``LedgerCoverage``, with their names, as aggregates over connections.
    static let sums: [(name: String, sql: String)] =
        [
            ("unclosed", "total(unaccounted_up <> 0 OR unaccounted_down <> 0)"),
            ("unaccounted_up", "total(max(0, unaccounted_up))"),
            ("unaccounted_down", "total(max(0, unaccounted_down))"),
            ("excess_up", "total(max(0, -unaccounted_up))"),
            ("excess_down", "total(max(0, -unaccounted_down))"),
            // A connection on which no exchange has ended yet has no missing count.
            ("unknown", "total(unaccounted_up IS NULL AND (closed IS NOT NULL OR exchanges > 0))"),
            ("unproven", "total(unaccounted_up IS NOT NULL AND tls IS NOT NULL AND plain_up IS NULL)"),
        ]
        + rare.flatMap { part in
            ["up", "down"].map { way in
                ("\(part)_\(way)", "total(CASE WHEN unaccounted_up IS NOT NULL THEN \(part)_\(way) END)")
            }
        }

    /// Selects these aggregates over the connections of a direction that are `noted`; further conditions may follow.
    static func selection(of direction: TrafficDirection) -> String {
        "SELECT \(sums.map(\.sql).joined(separator: ", ")) FROM connection WHERE noted AND direction = \(direction.number)"
    }

    /// The name of a figure in the table of those of deleted connections.
    static func goneName(_ figure: String, _ direction: TrafficDirection) -> String {
        direction == .called ? figure : "served_\(figure)"
    }
}
