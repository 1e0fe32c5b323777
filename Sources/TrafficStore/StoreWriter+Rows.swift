internal import TrafficModel

extension StoreWriter {
    /// Writes a request: a new row, or the row that its earlier record has.
    func write(_ record: RequestRecord, replacing before: OpenExchange?) throws -> OpenExchange {
        let (api, route) = try dictionaries.route(of: record)
        var exchange =
            before
            ?? OpenExchange(
                row: transaction.nextExchange, api: api, startedAt: record.startedAt, up: record.size, down: nil,
                status: 0)
        if before == nil { transaction.nextExchange += 1 }
        if exchange.startedAt != record.startedAt, exchange.down != nil {
            statements.shiftFirstByte.bind(1, exchange.row)
            statements.shiftFirstByte.bind(2, exchange.startedAt.nanoseconds &- record.startedAt.nanoseconds)
            try statements.shiftFirstByte.run()
        }
        exchange.api = api
        exchange.startedAt = record.startedAt
        exchange.up = record.size
        let statement = statements.exchange
        statement.bind(1, exchange.row)
        statement.bind(2, run)
        statement.bind(3, route)
        statement.bind(4, taskRow(of: record))
        statement.bind(5, Int64(record.hop))
        statement.bind(6, record.startedAt.nanoseconds)
        statement.bind(7, record.path)
        statement.bind(8, record.query)
        statement.bind(9, try dictionaries.fields.encode(record.fields, moment: record.startedAt))
        statement.bind(10, record.size)
        statement.bind(16, record.size.packedEvidence)
        statement.bind(17, record.bodyDigest.map(Int64.init(bitPattern:)))
        try statement.run()
        transaction.rows += 1
        if let body = record.capturedBody { try write(body, exchange: exchange.row, isResponse: false) }
        let minute = Rollup.minute(of: record.startedAt)
        let span = transaction.spans[minute] ?? (exchange.row, exchange.row)
        transaction.spans[minute] = (min(span.first, exchange.row), max(span.last, exchange.row))
        return exchange
    }

    /// Writes a response, or replaces the earlier record of it.
    func write(_ record: ResponseRecord, into exchange: inout OpenExchange) throws {
        exchange.down = record.size
        exchange.status = record.status
        let statement = statements.response
        statement.bind(1, exchange.row)
        statement.bind(2, try dictionaries.answer(of: record))
        statement.bind(3, record.firstByteAt.nanoseconds &- exchange.startedAt.nanoseconds)
        statement.bind(4, try dictionaries.fields.encode(record.fields, moment: record.firstByteAt))
        statement.bind(5, record.size)
        statement.bind(11, record.decodedBody.bytes.bytes)
        statement.bind(
            12, record.size.packedEvidence | Int64(3 - record.decodedBody.evidence.rawValue) << 12)
        statement.bind(13, record.bodyDigest.map(Int64.init(bitPattern:)))
        try statement.run()
        transaction.rows += 1
        if let body = record.capturedBody { try write(body, exchange: exchange.row, isResponse: true) }
    }

    /// Writes an end, and adds the exchange to the sums.
    func write(_ record: ExchangeEnd, of exchange: OpenExchange) throws {
        let connection = record.connection.map { row(of: $0) }
        try statements.write(
            record, row: exchange.row, startedAt: exchange.startedAt, connection: connection,
            address: try dictionaries.addresses.id(of: record.remoteAddress),
            failure: try failure(of: record))
        transaction.rows += 1
        if exchange.isListed {
            statements.unlist.bind(1, exchange.row)
            try statements.unlist.run()
        }
        try statements.addToRollups(exchange, end: record)
    }

    /// Writes a connection, or replaces the earlier record of it.
    func write(_ record: ConnectionRecord) throws {
        let row = row(of: record.connection)
        let statement = statements.connection
        statement.bind(1, row)
        statement.bind(2, run)
        statement.bind(3, try dictionaries.processes.id(of: record.process))
        statement.bind(4, record.localAddress)
        statement.bind(5, record.remoteAddress)
        statement.bind(6, record.openedAt.nanoseconds)
        statement.bind(7, record.closedAt?.nanoseconds)
        statement.bind(8, record.sent?.bytes)
        statement.bind(9, record.received?.bytes)
        statement.bind(10, record.retransmitted?.bytes)
        statement.bind(11, record.roundTrip)
        try statement.run()
        transaction.rows += 1
        if record.closedAt != nil {
            openConnections[record.connection.rawValue] = nil
            closedConnections[record.connection.rawValue] = row
        }
    }

    private func write(_ body: [UInt8], exchange: Int64, isResponse: Bool) throws {
        statements.body.bind(1, exchange)
        statements.body.bind(2, isResponse ? 1 : 0)
        statements.body.bind(3, body)
        try statements.body.run()
        transaction.rows += 1
    }

    // NULL for the first of a task, which most exchanges are.
    private func taskRow(of record: RequestRecord) -> Int64? {
        guard record.task != record.exchange else { return nil }
        let local = record.task.rawValue
        return running[local]?.row ?? ended[local]
    }

    private func row(of connection: ConnectionID) -> Int64 {
        let local = connection.rawValue
        if let known = openConnections[local] ?? closedConnections[local] { return known }
        let row = transaction.nextConnection
        transaction.nextConnection += 1
        transaction.connectionsNow.append(local)
        if openConnections.count >= Self.openLimit { openConnections.removeAll() }
        openConnections[local] = row
        return row
    }

    private func failure(of record: ExchangeEnd) throws -> Int64? {
        guard case .failed(let code, let message) = record.outcome else { return nil }
        return try dictionaries.failures.id(of: StoreDictionaries.Failure(code: code, message: message))
    }
}

extension WriterStatements {
    /// Writes the row of an end.
    func write(
        _ record: ExchangeEnd, row: Int64, startedAt: Timestamp, connection: Int64?, address: Int64, failure: Int64?
    ) throws {
        ending.bind(1, row)
        ending.bind(2, EndCoding.number(of: record))
        ending.bind(3, failure)
        ending.bind(4, record.latency(startedAt: startedAt))
        ending.bind(5, connection)
        ending.bind(6, address)
        ending.bind(7, EndCoding.details(of: record, startedAt: startedAt))
        try ending.run()
    }
}
