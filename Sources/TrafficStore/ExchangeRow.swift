import GRDB
internal import TrafficModel

/// The rows of one exchange, joined, on the way to its records.
struct ExchangeRow {
    /// What ``exchange(_:_:)`` reads, in its order.
    static let columns = """
        e.id, e.route, e.task, e.hop, e.started, e.path, e.query, e.lines,
        e.start_line, e.fields, e.cookies, e.interim, e.body, e.framing, e.evidence, e.digest,
        r.answer, r.first_byte, r.lines,
        r.start_line, r.fields, r.cookies, r.interim, r.body, r.framing, r.decoded, r.evidence, r.digest,
        n.outcome, n.total, n.connection, n.address, n.details, f.code, f.message
        """

    /// The tables of these columns, and those that only conditions look at.
    static let tables = """
        FROM exchange e LEFT JOIN response r ON r.id = e.id LEFT JOIN ending n ON n.id = e.id
            LEFT JOIN failure f ON f.id = n.failure
        """

    /// Finds the body of an exchange, of the request (0) or the response (1).
    static func bodies(_ database: Database) throws -> PreparedStatement {
        try PreparedStatement(database, "SELECT bytes FROM body WHERE id = ? AND response = ?")
    }

    let row: PreparedStatement
    let bodies: PreparedStatement

    /// The records.
    func exchange(_ database: Database, _ connection: ReadConnection) throws -> Exchange {
        let id = ExchangeID(row.int(0))
        let startedAt = Timestamp(nanoseconds: row.int(4))
        return Exchange(
            request: try request(id, startedAt, database, connection),
            response: row.optionalInt(16) == nil ? nil : try response(id, startedAt, database, connection),
            end: row.optionalInt(28) == nil ? nil : try end(id, startedAt, database, connection))
    }

    private func request(
        _ id: ExchangeID, _ startedAt: Timestamp, _ database: Database, _ connection: ReadConnection
    ) throws -> RequestRecord {
        let route = try connection.route(row.int(1), database)
        return RequestRecord(
            exchange: id, task: row.optionalInt(2).map { ExchangeID($0) } ?? id, hop: Int(row.int(3)),
            process: route.process, startedAt: startedAt, method: route.method, scheme: route.scheme,
            host: route.host, port: route.port, path: row.text(5), query: row.optionalText(6),
            template: route.template, httpVersion: route.version,
            fields: try connection.fields(row.blob(7), moment: startedAt, database),
            size: WireSize(row: row, first: 8, evidence: 14),
            bodyDigest: row.optionalInt(15).map { UInt64(bitPattern: $0) },
            capturedBody: try body(id, isResponse: false))
    }

    private func response(
        _ id: ExchangeID, _ startedAt: Timestamp, _ database: Database, _ connection: ReadConnection
    ) throws -> ResponseRecord {
        let answer = try connection.answer(row.int(16), database)
        let firstByteAt = Timestamp(nanoseconds: startedAt.nanoseconds &+ row.int(17))
        return ResponseRecord(
            exchange: id, firstByteAt: firstByteAt, status: answer.status, reason: answer.reason,
            httpVersion: answer.version,
            fields: try connection.fields(row.blob(18), moment: firstByteAt, database),
            size: WireSize(row: row, first: 19, evidence: 26),
            decodedBody: WireSize.Part(ByteCount(row.int(25)), Evidence(packed: row.int(26) >> 12)),
            contentType: answer.type, contentEncoding: answer.coding,
            bodyDigest: row.optionalInt(27).map { UInt64(bitPattern: $0) },
            capturedBody: try body(id, isResponse: true))
    }

    private func end(
        _ id: ExchangeID, _ startedAt: Timestamp, _ database: Database, _ connection: ReadConnection
    ) throws -> ExchangeEnd {
        let (endedAt, timings) = EndCoding.read(row.blob(32), startedAt: startedAt, total: row.optionalInt(29))
        return ExchangeEnd(
            exchange: id, endedAt: endedAt,
            outcome: EndCoding.outcome(
                row.int(28), failure: row.optionalInt(33).map { (Int($0), row.text(34)) }),
            timings: timings, connection: row.optionalInt(30).map { ConnectionID($0) },
            reusedConnection: row.int(28) & 8 != 0,
            remoteAddress: try connection.address(row.int(31), database))
    }

    private func body(_ id: ExchangeID, isResponse: Bool) throws -> [UInt8]? {
        bodies.bind(1, id.rawValue)
        bodies.bind(2, Int64(isResponse ? 1 : 0))
        guard try bodies.step() else { return nil }
        defer { bodies.reset() }
        return bodies.blob(0)
    }
}
