extension StoreSchema {
    // What both ends said in the clear as TLS began. `handshake_name` is NULL if it was not seen, and the columns of the
    // certificate are NULL if none came in the clear. `opening_…`: nanoseconds, of connections whose messages were not
    // seen.
    static let handshakeColumns = [
        "handshake_name TEXT", "handshake_version TEXT", "handshake_cipher TEXT", "handshake_offered TEXT",
        "handshake_protocol TEXT", "handshake_resumed INTEGER", "certificate_subject TEXT", "certificate_issuer TEXT",
        "certificate_from INTEGER", "certificate_until INTEGER", "certificate_sha256 TEXT", "certificate_chain INTEGER",
        "opening_dns INTEGER", "opening_connect INTEGER", "opening_first_byte INTEGER",
    ]

    static let handshakes = """
        DROP VIEW connections;
        \(handshakeColumns.map { "ALTER TABLE connection ADD COLUMN \($0);" }.joined(separator: "\n"))
        \(connectionsView)
        """
}
