extension StoreSchema {
    // The server's leg of an exchange that a proxy passed on, whose row in `exchange` is the device's leg. The columns
    // are those of `exchange` with the same names; times are relative to `started` of the leg.
    static let serverLegs = """
        CREATE TABLE leg(
            id INTEGER PRIMARY KEY, status INTEGER NOT NULL, started INTEGER NOT NULL, sent INTEGER, first_byte INTEGER,
            request_start_line INTEGER, request_fields INTEGER, request_cookies INTEGER, request_interim INTEGER,
            request_body INTEGER, request_framing INTEGER, request_evidence INTEGER NOT NULL,
            response_start_line INTEGER, response_fields INTEGER, response_cookies INTEGER, response_interim INTEGER,
            response_body INTEGER, response_framing INTEGER, response_evidence INTEGER,
            outcome INTEGER, duration INTEGER, ended INTEGER, connection INTEGER, reused INTEGER, address INTEGER,
            failure INTEGER, overhead_up INTEGER, overhead_down INTEGER, packet_headers_up INTEGER,
            packet_headers_down INTEGER, queue INTEGER, dns INTEGER, connect INTEGER, tls INTEGER, send INTEGER,
            wait INTEGER, receive INTEGER);
        CREATE VIEW server_legs AS SELECT
            e.id AS exchange, \(text(of: "e.started")) AS startedAt, e.started AS startedAtUs,
            e.started + e.sent AS sentAtUs, e.started + e.first_byte AS firstByteAtUs, \(ended) AS endedAtUs,
            \(size("request", "request")), nullif(e.status, 0) AS status, \(size("response", "response")),
            \(known("request")) AS up, \(known("response", unless: "e.response_evidence")) AS down,
            o.name AS outcome, nullif(f.message, '') AS error,
            \(phases.map { "e.\($0) / 1000.0 AS \($0)Ms" }.joined(separator: ", ")), e.duration / 1000.0 AS totalMs,
            e.connection AS connection, e.reused AS reused, nullif(d.text, '') AS remoteAddress,
            e.overhead_up AS overheadUp, e.overhead_down AS overheadDown
        FROM leg e LEFT JOIN outcome o ON o.id = e.outcome LEFT JOIN failure f ON f.id = e.failure
            LEFT JOIN address d ON d.id = e.address;
        """
}
