import GRDB
internal import TrafficModel

/// The writer's statements, compiled once.
final class WriterStatements {
    let exchange: PreparedStatement
    let requestAgain: PreparedStatement
    let response: PreparedStatement
    let end: PreparedStatement
    let leg: PreparedStatement
    let body: PreparedStatement
    let list: PreparedStatement
    let unlist: PreparedStatement
    /// Delete the rows of an exchange that is counted but not kept.
    let forget: [PreparedStatement]
    let connection: PreparedStatement
    let carried: PreparedStatement
    let span: PreparedStatement
    let loss: PreparedStatement
    let device: PreparedStatement
    let lookup: PreparedStatement
    let seen: PreparedStatement
    let readMeta: PreparedStatement
    let writeMeta: PreparedStatement
    private let unkept: PreparedStatement
    let tiers: RollupTiers

    init(_ database: Database) throws {
        let arena = BindArena()
        func prepare(_ sql: String) throws -> PreparedStatement { try PreparedStatement(database, sql, arena: arena) }
        exchange = try PreparedStatement(
            database, ExchangeColumn.insertion, arena: arena, remembersIntegers: true)
        requestAgain = try prepare(
            ExchangeColumn.update(
                ExchangeColumn.ofRequest, and: ", first_byte = first_byte + ?\(ExchangeColumn.firstByte.parameter)"))
        response = try prepare(ExchangeColumn.update(ExchangeColumn.ofResponse))
        end = try prepare(ExchangeColumn.update(ExchangeColumn.ofEnd))
        leg = try prepare(ExchangeColumn.legInsertion)
        body = try prepare("INSERT OR REPLACE INTO body(id, response, bytes) VALUES (?, ?, ?)")
        list = try prepare("INSERT OR IGNORE INTO running(id, run) VALUES (?, ?)")
        unlist = try prepare("DELETE FROM running WHERE id = ?")
        forget = try StoreSchema.exchangeTables.map { try prepare("DELETE FROM \($0) WHERE id = ?") }
        connection = try prepare(ConnectionRow.insertion)
        carried = try prepare(
            """
            INSERT INTO carried(connection, first, last) VALUES (?1, ?2, ?3)
            ON CONFLICT(connection) DO UPDATE SET first = min(first, ?2), last = max(last, ?3)
            """)
        span = try prepare(
            """
            INSERT INTO span(minute, first, last) VALUES (?1, ?2, ?3)
            ON CONFLICT(minute) DO UPDATE SET first = min(first, ?2), last = max(last, ?3)
            """)
        loss = try prepare(
            """
            INSERT INTO loss(run, reason, count) VALUES (?1, ?2, ?3)
            ON CONFLICT(run, reason) DO UPDATE SET count = count + ?3
            """)
        device = try prepare("INSERT OR REPLACE INTO device(address, source, name) VALUES (?, ?, ?)")
        lookup = try prepare(LookupRow.insertion)
        seen = try prepare("UPDATE run SET seen = max(seen, ?2) WHERE id = ?1")
        readMeta = try prepare("SELECT value FROM meta WHERE key = ?")
        writeMeta = try prepare("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)")
        // A file from before this count was introduced has no such row, and gets none: its rows are counted on request.
        unkept = try prepare("UPDATE meta SET value = value + ? WHERE key = 'unkept'")
        tiers = try RollupTiers(database)
    }

    /// Counts exchanges that have a number but no row.
    func addUnkept(_ count: Int64) throws {
        unkept.bind(1, count)
        try unkept.run()
    }
}
