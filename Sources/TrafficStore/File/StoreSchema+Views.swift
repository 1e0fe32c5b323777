internal import TrafficModel

extension StoreSchema {
    /// The views that anyone may read: see docs/store.md.
    ///
    /// Their columns are a promise: they may only grow, by a migration that replaces a view. Their SQL is in the dialect
    /// that SQLite and DuckDB have in common, because DuckDB runs the text of a view itself. If it cannot, every column
    /// is a text there. So they use no generated columns, no `max` of two values and no division of integers.
    static let views = [exchanges, requests, responses, connectionsView, apis, hourly]

    /// The names of the views, except those that later migrations have added.
    static let viewNames = ["exchanges", "requests", "responses", "connections", "apis", "hourly"]

    // MARK: Exchanges

    private static let ofExchange = """
        FROM exchange e LEFT JOIN route t ON t.id = e.route LEFT JOIN api a ON a.id = t.api
            LEFT JOIN api m ON m.id = a.merged_into LEFT JOIN process p ON p.id = t.process
            LEFT JOIN answer w ON w.id = e.answer LEFT JOIN query q ON q.id = e.query_id
            LEFT JOIN outcome o ON o.id = e.outcome LEFT JOIN failure f ON f.id = e.failure
            LEFT JOIN address d ON d.id = e.address LEFT JOIN connection c ON c.id = e.connection
        """

    private static let exchanges = """
        CREATE VIEW exchanges AS SELECT
            e.id AS exchange, coalesce(e.task, e.id) AS task, e.resend_count AS resendCount, p.pid AS pid,
            p.name AS process,
            \(text(of: "e.started")) AS startedAt, e.started AS startedAtUs,
            \(text(of: "e.started + e.sent")) AS sentAt, e.started + e.sent AS sentAtUs,
            \(text(of: "e.started + e.first_byte")) AS firstByteAt, e.started + e.first_byte AS firstByteAtUs,
            \(text(of: ended)) AS endedAt, \(ended) AS endedAtUs,
            \(target),
            \(size("request", "request")),
            nullif(w.status, 0) AS status, nullif(w.reason, '') AS reason, nullif(w.type, '') AS contentType,
            nullif(w.coding, '') AS contentEncoding,
            \(size("response", "response")), \(decodedBody) AS responseDecodedBody,
            \(known("request")) AS up, \(known("response")) AS down,
            o.name AS outcome, nullif(f.message, '') AS error, f.code AS errorCode, nullif(f.domain, '') AS errorDomain,
            e.failed AS failed,
            \(phases.map { "e.\($0) / 1000.0 AS \($0)Ms" }.joined(separator: ", ")), e.duration / 1000.0 AS totalMs,
            CASE WHEN e.duration > \(attributed) THEN (e.duration - (\(attributed))) / 1000.0
                WHEN e.duration IS NOT NULL THEN 0.0 END AS unattributedMs,
            e.connection AS connection, CASE WHEN e.connection IS NOT NULL THEN e.reused END AS reused,
            nullif(d.text, '') AS remoteAddress,
            CASE WHEN c.network IS NOT NULL THEN \(ConnectionRow.networkName) END AS network,
            e.overhead_up AS overheadUp, e.overhead_down AS overheadDown,
            e.packet_headers_up AS packetHeadersUp, e.packet_headers_down AS packetHeadersDown, \(direction) AS direction
            \(ofExchange)
        """

    private static let requests = """
        CREATE VIEW requests AS SELECT
            e.id AS exchange, coalesce(e.task, e.id) AS task, e.resend_count AS resendCount, p.pid AS pid,
            p.name AS process,
            \(text(of: "e.started")) AS startedAt, e.started AS startedAtUs,
            \(text(of: "e.started + e.sent")) AS sentAt, e.started + e.sent AS sentAtUs,
            \(target),
            \(size("request", "")), e.request_digest AS bodyDigest, \(direction) AS direction
            \(ofExchange)
        """

    private static let responses = """
        CREATE VIEW responses AS SELECT
            e.id AS exchange, \(text(of: "e.started + e.first_byte")) AS firstByteAt,
            e.started + e.first_byte AS firstByteAtUs, a.method AS method, \(host) AS host, a.host AS authority,
            coalesce(m.template, a.template) AS template, nullif(w.version, '') AS httpVersion,
            nullif(w.status, 0) AS status, nullif(w.reason, '') AS reason, nullif(w.type, '') AS contentType,
            nullif(w.coding, '') AS contentEncoding,
            \(size("response", "")), \(decodedBody) AS decodedBody, e.response_digest AS bodyDigest,
            \(direction) AS direction
            \(ofExchange)
        WHERE e.answer IS NOT NULL
        """

    static let ended = "e.started + coalesce(e.ended, e.duration)"
    static let phases = ["queue", "dns", "connect", "tls", "send", "wait", "receive"]
    private static let attributed = phases.map { "coalesce(e.\($0), 0)" }.joined(separator: " + ")

    // A body that was not coded is as large decoded; the lowest bits are 3 if the decoded size is unknown.
    private static let decodedBody =
        "CASE WHEN (e.response_evidence & 3) < 3 THEN coalesce(e.decoded_body, e.response_body) END"

    // The host of an API has its port, if that is not the default port of the scheme.
    static let host = """
        CASE WHEN substr(a.host, length(a.host) - length(':' || t.port) + 1) = ':' || t.port
            THEN substr(a.host, 1, length(a.host) - length(':' || t.port)) ELSE a.host END
        """

    private static let target = """
        a.method AS method, \(url) AS url, t.scheme AS scheme, \(host) AS host, t.port AS port, a.host AS authority,
            \(path) AS path, \(query) AS query, coalesce(m.template, a.template) AS template,
            nullif(t.version, '') AS httpVersion
        """

    private static let direction = TrafficDirection.name(of: "t.direction")
    private static let path = PathColumns.pathInSQL
    private static let query = "coalesce(q.text, e.query)"

    // The same as `RequestRecord.url`.
    private static let url = """
        CASE WHEN a.host = '' THEN \(path) || coalesce('?' || \(query), '')
            WHEN \(path) = '*' THEN t.scheme || '://' || a.host
            WHEN \(path) = '' OR substr(\(path), 1, 1) = '/'
                THEN t.scheme || '://' || a.host || \(path) || coalesce('?' || \(query), '')
            WHEN a.method = 'CONNECT' THEN t.scheme || '://' || \(host)
                || CASE WHEN t.port > 0 THEN ':' || t.port ELSE '' END
            ELSE t.scheme || '://' || a.host || '/' || \(path) || coalesce('?' || \(query), '') END
        """

    // MARK: Sizes

    private static let parts = [
        ("start_line", "StartLine"), ("fields", "Fields"), ("cookies", "Cookies"), ("interim", "Interim"),
        ("body", "Body"), ("framing", "Framing"),
    ]
    // Cookies are inside the fields.
    private static let summands = parts.filter { $0.0 != "cookies" }.map(\.0)

    /// The parts, the total, its evidence and its margin of a message.
    static func size(_ message: String, _ prefix: String) -> String {
        func name(_ name: String) -> String {
            prefix.isEmpty ? name.prefix(1).lowercased() + name.dropFirst() : prefix + name
        }
        let columns = parts.map { "e.\(message)_\($0.0) AS \(name($0.1))" }
        let total = summands.map { "e.\(message)_\($0)" }.joined(separator: " + ")
        return
            (columns + [
                "\(total) AS \(name("Total"))", "\(evidence(message)) AS \(name("Evidence"))",
                "CASE WHEN e.\(message)_evidence >= 65536 THEN (e.\(message)_evidence >> 16) - 1 END AS \(name("Margin"))",
            ]).joined(separator: ",\n    ")
    }

    // The weakest evidence of the summands: see ``PackedEvidence``. These are the lower and the upper bits of each.
    private static func evidence(_ message: String) -> String {
        let bits = "e.\(message)_evidence"
        let (lower, upper) = (5_396, 10_792)
        return """
            CASE WHEN \(bits) IS NULL THEN NULL WHEN (\(bits) & (\(bits) >> 1) & \(lower)) <> 0 THEN 'unknown'
                WHEN (\(bits) & \(upper)) <> 0 THEN 'reconstructed' WHEN (\(bits) & \(lower)) <> 0 THEN 'reported'
                ELSE 'captured' END
            """
    }

    /// The sum of the known parts; NULL if there is no message: of a response, if that column is NULL.
    static func known(_ message: String, unless missing: String = "e.answer") -> String {
        let sum = summands.map { "coalesce(e.\(message)_\($0), 0)" }.joined(separator: " + ")
        return message == "request" ? sum : "CASE WHEN \(missing) IS NOT NULL THEN \(sum) END"
    }

    /// A time in microseconds since 1970 as `2026-11-21T10:00:00.123456Z`; NULL stays NULL.
    ///
    /// Only SQLite divides integers without a rest, and only there the date is a number: that of 1970, to which 2438618
    /// adds up to the Julian day of its noon. For DuckDB it is a date.
    static func text(of time: String) -> String {
        let time = "(\(time))"
        func digits(_ unit: Int64, of whole: Int64) -> String {
            "CAST((\(time) % \(whole) - \(time) % \(unit)) / \(unit) AS INTEGER)"
        }
        return """
            strftime('%Y-%m-%d', CAST('1970-01-01' AS DATE)
                + CAST((\(time) - \(time) % 86400000000) / 86400000000 + CASE WHEN 1 / 2 = 0 THEN 2438618 ELSE 0 END
                    AS INTEGER))
                || printf('T%02d:%02d:%02d.%06dZ', \(digits(3_600_000_000, of: 86_400_000_000)),
                    \(digits(60_000_000, of: 3_600_000_000)), \(digits(1_000_000, of: 60_000_000)), \(time) % 1000000)
            """
    }

    /// A quotient, rounded down.
    static func quotient(_ value: String, _ divisor: Int64) -> String {
        "CAST((\(value) - \(value) % \(divisor)) / \(divisor) AS BIGINT)"
    }

    // MARK: Connections

    private static let rareParts = [
        ("socks", "socksOverhead"), ("proxy_line", "proxyProtocolOverhead"), ("proxy_tls", "proxyTLSOverhead"),
        ("ws_overhead", "websocketOverhead"), ("ws_payload", "websocketPayload"), ("upgraded", "upgraded"),
        ("after", "afterMessage"), ("unseen", "unseen"),
    ]
    private static let ways = [("up", "Up", "sent"), ("down", "Down", "received")]

    // The ledger: see ``ConnectionRecord/ledger``. Each step adds columns for the next.
    static let connectionsView: String = {
        let outside = ways.map { way, _, _ in
            "clear_\(way) + socks_\(way) + proxy_line_\(way) + proxy_tls_\(way) AS outside_\(way)"
        }
        let inside = ways.map { way, _, _ in
            "messages_\(way) - clear_\(way) + control_\(way) + upgraded_\(way) + after_\(way) + ws_overhead_\(way) "
                + "+ ws_payload_\(way) + unseen_\(way) AS inside_\(way)"
        }
        let rest = ways.map { way, _, payload in
            "\(payload) - outside_\(way) - coalesce(plain_\(way), inside_\(way)) AS rest_\(way)"
        }
        let isKnown = "sent IS NOT NULL AND received IS NOT NULL"
        let tls = ways.map { way, _, _ in
            "CASE WHEN \(isKnown) THEN CASE WHEN tls IS NOT NULL AND rest_\(way) > 0 THEN rest_\(way) ELSE 0 END END "
                + "AS tls_\(way)"
        }
        func both(_ column: (String, String) -> String) -> String {
            ways.map { column($0.0, $0.1) }.joined(separator: ", ")
        }
        let unaccounted = ways.map { way, name, payload in
            "\(payload) - outside_\(way) - inside_\(way) - tls_\(way) AS unaccounted\(name)"
        }
        let rare = rareParts.map { part, name in both { "c.\(part)_\($0) AS \(name)\($1)" } }
        let counts = [("ws_frames", "Frames"), ("ws_control", "ControlFrames"), ("ws_messages", "Messages")]
            .map { part, name in both { "c.\(part)_\($0) AS websocket\(name)\($1)" } }
        let (opened, closed) = (quotient("c.opened", 1_000), quotient("c.closed", 1_000))
        let (from, until) = (quotient("c.certificate_from", 1_000), quotient("c.certificate_until", 1_000))
        return """
            CREATE VIEW connections AS SELECT
                c.id AS connection, p.pid AS pid, p.name AS process, nullif(c.local, '') AS local,
                nullif(c.remote, '') AS remote, nullif(c.protocol, '') AS protocol, nullif(c.tls, '') AS tlsVersion,
                nullif(c.cipher, '') AS tlsCipher,
                \(text(of: opened)) AS openedAt, \(opened) AS openedAtUs,
                \(text(of: closed)) AS closedAt, \(closed) AS closedAtUs,
                c.sent AS payloadUp, c.received AS payloadDown, c.exchanges AS exchanges,
                \(both { "c.messages_\($0) AS messages\($1)" }), \(both { "c.tls_\($0) AS tlsOverhead\($1)" }),
                \(both { "c.control_\($0) AS http2Overhead\($1)" }),
                \(rare.joined(separator: ",\n    ")),
                \(unaccounted.joined(separator: ", ")),
                CASE WHEN \(isKnown) THEN CASE WHEN tls IS NULL THEN 'captured' WHEN plain_up IS NULL
                    THEN 'reconstructed' ELSE 'reported' END END AS evidence,
                c.segments_sent AS segmentsUp, c.segments_received AS segmentsDown, c.retransmitted AS retransmitted,
                c.round_trip / 1000000.0 AS roundTripMs,
                CASE WHEN c.network IS NOT NULL THEN \(ConnectionRow.networkName) END AS network,
                \(counts.joined(separator: ",\n    ")), c.unseen AS notSeen, nullif(c.server_name, '') AS serverName,
                \(TrafficDirection.name(of: "c.direction")) AS direction,
                nullif(c.handshake_name, '') AS handshakeServerName,
                nullif(c.handshake_version, '') AS handshakeVersion, nullif(c.handshake_cipher, '') AS handshakeCipher,
                nullif(c.handshake_offered, '') AS handshakeOffered,
                nullif(c.handshake_protocol, '') AS handshakeProtocol, c.handshake_resumed AS handshakeResumed,
                nullif(c.certificate_subject, '') AS certificateSubject,
                nullif(c.certificate_issuer, '') AS certificateIssuer,
                \(text(of: from)) AS certificateNotBefore, \(text(of: until)) AS certificateNotAfter,
                c.certificate_sha256 AS certificateSHA256, c.certificate_chain AS certificateChainBytes,
                c.opening_dns / 1000000.0 AS openingDnsMs, c.opening_connect / 1000000.0 AS openingConnectMs,
                c.opening_first_byte / 1000000.0 AS openingFirstByteMs
            FROM (SELECT *, \(tls.joined(separator: ", "))
                FROM (SELECT *, \(rest.joined(separator: ", "))
                    FROM (SELECT *, \((outside + inside).joined(separator: ", ")) FROM connection) AS x) AS y) AS c
                LEFT JOIN process p ON p.id = c.process
            """
    }()

    // MARK: Sums

    private static let counts = [
        ("responses", "responses"), ("failures", "failures"), ("incomplete", "incomplete"),
        ("incomplete_unanswered", ""), ("not_modified", "notModified"), ("new_connections", "newConnections"),
        ("reused_connections", "reusedConnections"), ("encoded_body", "encodedBody"), ("decoded_body", "decodedBody"),
        ("up_unknown", "unknownUp"), ("down_unknown", "unknownDown"), ("overhead_up", "overheadUp"),
        ("overhead_down", "overheadDown"), ("packet_headers_up", "packetHeadersUp"),
        ("packet_headers_down", "packetHeadersDown"), ("up_captured", ""), ("down_captured", ""),
    ]
    private static let sizes = ["up", "down"].flatMap { way in parts.map { ("\(way)_\($0.0)", way + $0.1) } }

    // The columns of a roll-up that are added up, in the order of ``running``.
    private static let summed = (["requests"] + counts.map(\.0) + sizes.map(\.0) + ["first_seen", "last_seen"])
        .joined(separator: ", ")

    // Exchanges that are still running are in no roll-up: the same values of one exchange.
    private static let running: String = {
        let isAnswered = "coalesce(w.status > 0 OR w.version = '0.9', FALSE)"
        let isCoded =
            "w.coding <> '' AND (e.response_evidence & 3) < 3 AND e.response_body > 0"
        func captured(_ message: String) -> String {
            zip(summands, [2, 4, 8, 10, 12]).map {
                "CASE WHEN ((e.\(message)_evidence >> \($1)) & 3) = 0 THEN coalesce(e.\(message)_\($0), 0) ELSE 0 END"
            }.joined(separator: " + ")
        }
        func unknown(_ message: String) -> String {
            "CASE WHEN \(evidence(message)) = 'unknown' THEN 1 ELSE 0 END"
        }
        let values =
            ["1", "CASE WHEN \(isAnswered) THEN 1 ELSE 0 END", "e.failed", "0", "0"] + [
                "CASE WHEN w.status = 304 THEN 1 ELSE 0 END", "0", "0",
                "CASE WHEN \(isCoded) THEN e.response_body ELSE 0 END",
                "CASE WHEN \(isCoded) THEN coalesce(e.decoded_body, e.response_body) ELSE 0 END",
                unknown("request"), unknown("response"), "0", "0", "0", "0", captured("request"),
                captured("response"),
            ]
            + ["request", "response"].flatMap { message in parts.map { "coalesce(e.\(message)_\($0.0), 0)" } }
            + ["e.started", "e.started"]
        return values.joined(separator: ", ") + """
             FROM running n JOIN exchange e ON e.id = n.id JOIN route t ON t.id = e.route
                JOIN shown_api i ON i.id = t.api LEFT JOIN answer w ON w.id = e.answer
            """
    }()

    private static let totals: String = {
        func sum(_ column: String) -> String { "CAST(sum(\(column)) AS BIGINT)" }
        let unanswered = "sum(requests - responses - incomplete_unanswered)"
        return
            ([
                "\(sum("requests")) AS requests",
                "CAST(CASE WHEN \(unanswered) > 0 THEN \(unanswered) ELSE 0 END AS BIGINT) AS unanswered",
            ]
            + (counts.filter { !$0.1.isEmpty } + sizes).map { "\(sum($0.0)) AS \($0.1)" }
            + ["up", "down"].map { way in
                "\(sum(summands.map { "\(way)_\($0)" }.joined(separator: " + "))) AS \(way)"
            }
            + [
                "\(sum("up_captured + down_captured")) AS capturedBytes",
                "\(text(of: "min(first_seen)")) AS firstSeen", "\(text(of: "max(last_seen)")) AS lastSeen",
            ]).joined(separator: ",\n    ")
    }()

    // An exchange is in each tier once: see ``RollupTiers``. This takes the coarsest, and what is not yet in it.
    private static let apis = """
        CREATE VIEW apis AS SELECT method, host, template,
            \(totals), \(TrafficDirection.name(of: "side")) AS direction
        FROM (
            SELECT i.method AS method, i.host AS host, i.template AS template, k.direction AS side, \(summed) FROM (
                SELECT kind, \(summed) FROM rollup_all
                UNION ALL SELECT kind, \(summed) FROM rollup_hour
                    WHERE slot >= (SELECT value FROM meta WHERE key = 'folded_hours')
                UNION ALL SELECT kind, \(summed) FROM rollup_minute
                    WHERE slot >= (SELECT value FROM meta WHERE key = 'folded')) AS s
            JOIN kind k ON k.id = s.kind JOIN shown_api i ON i.id = k.api
            UNION ALL SELECT i.method, i.host, i.template, t.direction, \(running)) AS x
        GROUP BY method, host, template, side
        """

    private static let hourly = """
        CREATE VIEW hourly AS SELECT \(text(of: "slot * 3600000000")) AS hour, slot * 3600000000 AS hourUs, method, host,
            template,
            \(totals), \(TrafficDirection.name(of: "side")) AS direction
        FROM (
            SELECT slot, i.method AS method, i.host AS host, i.template AS template, k.direction AS side, \(summed) FROM (
                SELECT slot, kind, \(summed) FROM rollup_hour
                UNION ALL SELECT \(quotient("slot", 60)), kind, \(summed) FROM rollup_minute
                    WHERE slot >= (SELECT value FROM meta WHERE key = 'folded')) AS s
            JOIN kind k ON k.id = s.kind JOIN shown_api i ON i.id = k.api
            UNION ALL SELECT \(quotient("e.started", 3_600_000_000)), i.method, i.host, i.template, t.direction, \(running)) AS x
        GROUP BY slot, method, host, template, side
        """
}
