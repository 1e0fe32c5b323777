import ClickHouse
import FleetTables

/// SQL that makes of rows of `connection` what ``LedgerCoverage`` counts, as ``ConnectionRecord/coverage(as:)`` has it.
///
/// What a forged row has may overflow in the engine, where it does no harm; it is bounded when the sums are read.
enum LedgerFigures {
    private static let parts = FleetConnection.rareParts.map(\.name)
    /// The parts that are outside TLS if a connection has any.
    private static let outsideTLS: Set = ["socks", "proxy_line", "proxy_tls"]
    /// The parts that protocols add to what they carry.
    private static let overhead = ["socks", "proxy_line", "proxy_tls", "ws_overhead"]
    private static let ways = ["up", "down"]

    /// The figures of one row, of which the other expressions are made.
    static let columns = SQLText(
        ownWords: [
            "isNotNull(payload_up) AND isNotNull(payload_down) AS is_counted",
            "is_counted AND isNotNull(tls) AND isNull(plain_up) AS is_unproven",
            "is_counted AND isNotNull(unseen) AND exchanges = 0 AS has_no_exchange",
            // Of a connection on which no exchange has ended yet nothing is missing.
            "NOT is_counted AND NOT (isNull(closed_ns) AND isNull(payload_up) AND exchanges = 0) AS is_unknown",
        ].joined(separator: ", ") + ", " + ways.map(columns).joined(separator: ", "))

    private static func columns(_ way: String) -> String {
        func list(_ sign: String, _ names: [String]) -> String { names.map { " \(sign) \($0)_\(way)" }.joined() }
        let inside = parts.filter { !outsideTLS.contains($0) }
        return [
            "ifNull(payload_\(way), 0) - clear_\(way)\(list("-", parts.filter(outsideTLS.contains))) AS enclosed_\(way)",
            "messages_\(way) - clear_\(way) + control_\(way)\(list("+", inside)) AS inside_\(way)",
            // If the plaintext of one direction is known, that of the other is.
            "if(isNull(plain_up), inside_\(way), ifNull(plain_\(way), 0)) AS plaintext_\(way)",
            "if(isNull(tls), toInt64(0), toInt64(greatest(enclosed_\(way) - plaintext_\(way), 0))) AS tls_\(way)",
            "enclosed_\(way) - inside_\(way) - tls_\(way) AS unaccounted_\(way)",
            "tls_\(way) + control_\(way)\(list("+", overhead)) AS overhead_\(way)",
        ].joined(separator: ", ") + parts.map { ", \($0)_\(way)" }.joined()
    }

    /// The condition that a ledger does not add up.
    static let isUnclosed: SQLText = "(is_counted AND (unaccounted_up != 0 OR unaccounted_down != 0))"

    /// The bytes that no part of a ledger explains, or that it has too many.
    static let weight: SQLText = "abs(unaccounted_up) + abs(unaccounted_down)"

    /// The figures of ``LedgerCoverage``, added up over rows: four counts, then bytes up and down of what is unaccounted
    /// for, of what is in excess, of overhead without an exchange, and of each rare part.
    static let sums: SQLText = {
        let counts = [
            isUnclosed.description, "is_unknown", "is_unproven",
            "has_no_exchange AND greatest(overhead_up, 0) + greatest(overhead_down, 0) > 0",
        ].map { "toInt64(sum(\($0)))" }
        let bytes =
            ["unaccounted_", "-unaccounted_"].flatMap { name in
                ways.map { sum("greatest(\(name)\($0), 0)", if: "is_counted") }
            } + ways.map { sum("greatest(overhead_\($0), 0)", if: "has_no_exchange") }
            + parts.flatMap { part in ways.map { sum("\(part)_\($0)", if: "is_counted") } }
        return SQLText(ownWords: (counts + bytes).joined(separator: ", "))
    }()

    private static func sum(_ bytes: String, if condition: String) -> String {
        "toInt64(sumIf(\(bytes), \(condition)))"
    }
}
