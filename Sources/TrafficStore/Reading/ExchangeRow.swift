import GRDB
internal import TrafficModel

/// The joined rows of one exchange, from which its records are read.
struct ExchangeRow {
    /// The columns that ``exchange(_:_:)`` reads, in its order.
    static let columns = """
        e.id, e.route, e.started, e.path, e.query, e.request, e.outcome, e.total, e.ending,
        r.answer, r.first_byte, r.details
        """

    /// The tables of these columns and of the conditions.
    static let tables = "FROM exchange e LEFT JOIN response r ON r.id = e.id"

    /// Finds the body of an exchange: of the request (0) or of the response (1).
    static func bodies(_ database: Database) throws -> PreparedStatement {
        try PreparedStatement(database, "SELECT bytes FROM body WHERE id = ? AND response = ?")
    }

    let row: PreparedStatement
    /// Finds kept bodies; nil if bodies are not needed.
    let bodies: PreparedStatement?

    /// The path; it needs the route, because a row has only the variable parts.
    func path(_ database: Database, _ connection: ReadConnection) throws -> String {
        try connection.route(row.int(1), database).path(row, column: 3)
    }

    /// Whether the exchange went over that connection.
    ///
    /// - Parameters:
    ///   - connection: nil for any.
    ///   - ending: the column with the end, which is NULL until the exchange ends.
    /// - Returns: whether it went over that connection; true if `connection` is nil.
    func isOver(_ connection: ConnectionID?, ending: Int32) -> Bool {
        guard let connection else { return true }
        let end = EndCoding.read(row.bytes(ending), startedAt: Timestamp(nanoseconds: 0), total: nil)
        return end.references.connection == connection.rawValue
    }

    /// The records of the current row.
    func exchange(_ path: String, _ database: Database, _ connection: ReadConnection) throws -> Exchange {
        let id = ExchangeID(row.int(0))
        // The row's other times are relative to this one.
        let startedAt = Timestamp(nanoseconds: Plausible.moment(row.int(2)))
        let details =
            row.optionalInt(6) == nil
            ? nil : EndCoding.read(row.bytes(8), startedAt: startedAt, total: row.optionalInt(7))
        var request = try request(id, startedAt, path, database, connection)
        if let details {
            request.startedAt = details.startedAt
            request.sentAt = request.sentAt ?? details.sentAt
        }
        return Exchange(
            request: request,
            response: row.optionalInt(9) == nil ? nil : try response(id, startedAt, database, connection),
            end: try details.map { try end(id, $0, database, connection) })
    }

    private func request(
        _ id: ExchangeID, _ startedAt: Timestamp, _ path: String, _ database: Database, _ connection: ReadConnection
    ) throws -> RequestRecord {
        let route = try connection.route(row.int(1), database)
        let query = row.isInt(4) ? try connection.query(row.int(4), database) : row.optionalText(4)
        var reader = ByteReader(row.bytes(5))
        let packed = MessageCoding(request: &reader)
        return RequestRecord(
            exchange: id, task: packed.task.map { ExchangeID($0) } ?? id, hop: packed.hop,
            process: route.process, startedAt: startedAt,
            sentAt: packed.sentAfter.map { Timestamp(nanoseconds: Plausible.moment(startedAt.nanoseconds + $0)) },
            method: route.method, scheme: route.scheme,
            host: route.host, port: route.port, path: path, query: query,
            template: route.template, httpVersion: route.version,
            fields: try connection.fields(&reader, moment: startedAt, database), size: packed.size,
            bodyDigest: packed.digest, capturedBody: try body(id, isResponse: false))
    }

    private func response(
        _ id: ExchangeID, _ startedAt: Timestamp, _ database: Database, _ connection: ReadConnection
    ) throws -> ResponseRecord {
        let answer = try connection.answer(row.int(9), database)
        let firstByteAt = Timestamp(
            nanoseconds: Plausible.moment(startedAt.nanoseconds + Plausible.duration(row.int(10))))
        var reader = ByteReader(row.bytes(11))
        let packed = MessageCoding(response: &reader)
        return ResponseRecord(
            exchange: id, firstByteAt: firstByteAt, status: answer.status, reason: answer.reason,
            httpVersion: answer.version, fields: try connection.fields(&reader, moment: firstByteAt, database),
            size: packed.size, decodedBody: packed.decodedBody, contentType: answer.type,
            contentEncoding: answer.coding, bodyDigest: packed.digest,
            capturedBody: try body(id, isResponse: true))
    }

    private func end(
        _ id: ExchangeID, _ details: EndCoding.Details, _ database: Database, _ connection: ReadConnection
    ) throws -> ExchangeEnd {
        var end = ExchangeEnd(
            exchange: id, endedAt: details.endedAt,
            outcome: EndCoding.outcome(
                row.int(6), failure: try details.references.failure.map { try connection.failure($0, database) }),
            timings: details.timings, connection: details.references.connection.map { ConnectionID($0) },
            reusedConnection: details.reusedConnection,
            remoteAddress: try connection.address(details.references.address, database), share: details.share)
        end.network = try connection.network(end.connection, database)
        return end
    }

    /// Whether the exchange, whose end is in that column, went over that network; true if `network` is nil.
    func isOver(_ network: String?, ending: Int32, _ database: Database, _ connection: ReadConnection) throws -> Bool {
        guard let network else { return true }
        let end = EndCoding.read(row.bytes(ending), startedAt: Timestamp(nanoseconds: 0), total: nil)
        let id = end.references.connection.map { ConnectionID($0) }
        return try connection.network(id, database)?.matches(network) ?? false
    }

    private func body(_ id: ExchangeID, isResponse: Bool) throws -> [UInt8]? {
        guard let bodies else { return nil }
        bodies.bind(1, id.rawValue)
        bodies.bind(2, Int64(isResponse ? 1 : 0))
        guard try bodies.step() else { return nil }
        defer { bodies.reset() }
        return bodies.blob(0)
    }
}
