import GRDB
internal import TrafficModel

/// The row of one exchange, from which its records are read.
struct ExchangeRow {
    /// Selects the columns that ``exchange(_:_:)`` reads; conditions may follow.
    static let selection = "SELECT \(ExchangeColumn.selection(columns)) FROM exchange e"

    // The columns of the end are the last.
    private static let columns: [ExchangeColumn] =
        [
            .id, .route, .answer, .started, .sent, .firstByte, .task, .resendCount, .requestDigest, .responseDigest,
            .path, .pathRest, .queryID, .query, .requestLines, .responseLines,
        ] + ExchangeColumn.range(.requestStartLine, .decodedBody) + EndColumns.columns
    private static let started: Int32 = 3
    private static let request: Int32 = 16
    private static let response = request + 7
    private static let end = response + 8

    /// Finds the body of an exchange: of the request (0) or of the response (1).
    static func bodies(_ database: Database) throws -> PreparedStatement {
        try PreparedStatement(database, "SELECT bytes FROM body WHERE id = ? AND response = ?")
    }

    let row: PreparedStatement
    /// Finds kept bodies; nil if bodies are not needed.
    let bodies: PreparedStatement?
    /// What is read in addition to the rest.
    var parts = ExchangeParts.all

    private var startedAt: Timestamp { Timestamp(microseconds: row.int(Self.started)) }

    /// Its request.
    func request(_ database: Database, _ connection: ReadConnection) throws -> RequestRecord {
        try request(StoredExchange.ID(row.int(0)), startedAt, database, connection)
    }

    /// The exchange of the current row.
    func exchange(_ database: Database, _ connection: ReadConnection) throws -> StoredExchange {
        let id = StoredExchange.ID(row.int(0))
        // The row's other times are relative to this one.
        let startedAt = Timestamp(microseconds: row.int(3))
        let end = EndColumns(row, first: Self.end, startedAt: startedAt)
        return StoredExchange(
            id: id, task: row.optionalInt(6).map { StoredExchange.ID($0) } ?? id, connection: end?.connection,
            request: try request(id, startedAt, database, connection),
            response: row.optionalInt(2) == nil ? nil : try response(id, startedAt, database, connection),
            end: try end.map { try self.end(id, $0, database, connection) })
    }

    private func request(
        _ id: StoredExchange.ID, _ startedAt: Timestamp, _ database: Database, _ connection: ReadConnection
    ) throws -> RequestRecord {
        let route = try connection.route(row.int(1), database)
        let query =
            parts.contains(.query)
            ? try row.optionalInt(12).map { try connection.query($0, database) } ?? row.optionalText(13) : nil
        return RequestRecord(
            exchange: .notKept, task: .notKept, resendCount: Int(Plausible.count(row.int(7))),
            process: route.process, startedAt: startedAt,
            sentAt: row.optionalInt(4).map { Self.moment(startedAt, $0) }, method: route.method, scheme: route.scheme,
            host: route.host, port: route.port, path: parts.contains(.path) ? route.path(row, column: 10) : "",
            query: query,
            template: route.template, httpVersion: route.version,
            fields: try fields(14, moment: startedAt, database, connection), size: row.size(Self.request),
            bodyDigest: row.optionalInt(8).map { UInt64(bitPattern: $0) },
            capturedBody: try body(id, isResponse: false), direction: route.direction)
    }

    private func response(
        _ id: StoredExchange.ID, _ startedAt: Timestamp, _ database: Database, _ connection: ReadConnection
    ) throws -> ResponseRecord {
        let answer = try connection.answer(row.int(2), database)
        let firstByteAt = Self.moment(startedAt, row.int(5))
        let size = row.size(Self.response)
        return ResponseRecord(
            exchange: .notKept, firstByteAt: firstByteAt, status: answer.status, reason: answer.reason,
            httpVersion: answer.version,
            fields: try fields(15, moment: firstByteAt, database, connection), size: size,
            decodedBody: row.decodedBody(Self.response, of: size), contentType: answer.type,
            contentEncoding: answer.coding, bodyDigest: row.optionalInt(9).map { UInt64(bitPattern: $0) },
            capturedBody: try body(id, isResponse: true))
    }

    private func fields(
        _ column: Int32, moment: Timestamp, _ database: Database, _ connection: ReadConnection
    ) throws -> FieldSection {
        guard parts.contains(.lines) else { return FieldSection() }
        return try connection.fields(row.bytes(column), moment: moment, database)
    }

    /// A time of a row, from its distance to the start.
    static func moment(_ startedAt: Timestamp, _ microseconds: Int64) -> Timestamp {
        Timestamp(
            nanoseconds: Plausible.moment(startedAt.nanoseconds + Plausible.microseconds(microseconds)))
    }

    private func end(
        _ id: StoredExchange.ID, _ columns: EndColumns, _ database: Database, _ connection: ReadConnection
    ) throws -> ExchangeEnd {
        var end = try columns.end(database, connection, withAddress: parts.contains(.address))
        if parts.contains(.serverLeg), let leg = try connection.leg(id.rawValue, database) { end.serverLeg = leg }
        return end
    }

    private func body(_ id: StoredExchange.ID, isResponse: Bool) throws -> [UInt8]? {
        guard let bodies else { return nil }
        bodies.bind(1, id.rawValue)
        bodies.bind(2, Int64(isResponse ? 1 : 0))
        guard try bodies.step() else { return nil }
        defer { bodies.reset() }
        return bodies.blob(0)
    }
}

extension EndColumns {
    /// The end, with what is in rows of other tables.
    func end(
        _ database: Database, _ connection: ReadConnection, withAddress: Bool = true
    ) throws -> ExchangeEnd {
        var end = self.end
        if let failure = references.failure {
            end.outcome = OutcomeNumber.outcome(outcome, failure: try connection.failure(failure, database))
        }
        if withAddress { end.remoteAddress = try connection.address(references.address, database) }
        end.network = try connection.network(self.connection, database)
        return end
    }
}
