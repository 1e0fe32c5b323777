extension StoreSchema {
    // The lookups of names. The addresses are separated by spaces. What the C library does not show is NULL.
    static let lookups = """
        CREATE TABLE lookup(
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL, process INTEGER NOT NULL, name TEXT NOT NULL,
            source TEXT NOT NULL, type TEXT, resolver TEXT, started INTEGER NOT NULL, took INTEGER NOT NULL, error TEXT,
            answers INTEGER NOT NULL, addresses TEXT NOT NULL, queries INTEGER, up INTEGER, down INTEGER);
        """

    static let lookupsView: String = {
        let started = quotient("l.started", 1_000)
        return """
            CREATE VIEW lookups AS SELECT
                l.id AS lookup, p.pid AS pid, p.name AS process, l.name AS name, l.source AS source,
                l.type AS recordType, l.resolver AS resolver,
                \(text(of: started)) AS startedAt, \(started) AS startedAtUs, l.took / 1000000.0 AS durationMs,
                l.error AS error, l.answers AS answers, nullif(l.addresses, '') AS addresses, l.queries AS queries,
                l.up AS up, l.down AS down
            FROM lookup l LEFT JOIN process p ON p.id = l.process
            """
    }()
}
