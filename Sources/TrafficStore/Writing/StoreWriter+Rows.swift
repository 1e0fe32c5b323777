internal import TrafficModel

extension StoreWriter {
    /// Writes a request into a new row, or into the row of its earlier record.
    ///
    /// - Parameters:
    ///   - record: the request.
    ///   - before: the exchange before this record; nil if it is new.
    ///   - end: the end of the exchange, if it came in the same batch; it becomes part of the row.
    /// - Returns: the exchange after this record.
    /// - Throws: the error of SQLite.
    func write(
        _ record: borrowing RequestRecord, replacing before: OpenExchange?, end: ExchangeEnd?
    ) throws -> OpenExchange {
        let route = try dictionaries.route(of: record)
        let startedAt = record.startedAt
        var exchange =
            before
            ?? OpenExchange(
                row: transaction.nextExchange, route: route.id, startedAt: startedAt, up: record.size)
        if before == nil { transaction.nextExchange += 1 }
        if exchange.startedAt != startedAt, exchange.hasResponse {
            statements.shiftFirstByte.bind(1, exchange.row)
            statements.shiftFirstByte.bind(2, exchange.startedAt.nanoseconds &- startedAt.nanoseconds)
            try statements.shiftFirstByte.run()
        }
        exchange.route = route.id
        exchange.figures.startedAt = startedAt
        exchange.figures.up = record.size
        exchange.keepsDetail = record.keepsDetail
        let statement = before == nil ? statements.exchange : statements.exchangeAgain
        statement.bind(1, exchange.row)
        statement.bind(2, route.id)
        statement.bind(3, startedAt.nanoseconds)
        sink.cut(to: 0)
        let isPathPacked = Self.withBytes(record.path) { bytes in
            if route.paths.append(bytes, to: sink) { return true }
            sink.append(bytes)
            return false
        }
        let behindPath = sink.count
        var query: Int64?
        if let text = record.query {
            query = try Self.withBytes(text) { bytes in
                let known = try dictionaries.query(bytes, of: route)
                if known == nil { sink.append(bytes) }
                return known
            }
        }
        let behindQuery = sink.count
        let task = taskRow(task: record.task, exchange: record.exchange)
        MessageCoding.append(record, task: task, hasEnd: end != nil, to: sink)
        try dictionaries.fields.encode(record.fields, moment: startedAt, kin: route.id << 1, to: sink)
        let behindRequest = sink.count
        if let end {
            let references = try references(of: end, row: exchange.row)
            EndCoding.append(end, startedAt: startedAt, sentAt: record.sentAt, references: references, to: sink)
        }
        // From here on nothing is appended to the sink, so that the bound memory does not move.
        if isPathPacked, behindPath == 0 {
            statement.bindNull(4)
        } else if isPathPacked {
            statement.bind(4, sink, 0..<behindPath)
        } else {
            statement.bindText(4, sink, 0..<behindPath)
        }
        if let query {
            statement.bind(5, query)
        } else if record.query != nil {
            statement.bindText(5, sink, behindPath..<behindQuery)
        } else {
            statement.bindNull(5)
        }
        statement.bind(6, sink, behindQuery..<behindRequest)
        if let end {
            statement.bind(7, EndCoding.number(of: end.outcome))
            statement.bind(8, end.duration(since: startedAt))
            statement.bind(9, sink, behindRequest..<sink.count)
        } else {
            for column in 7...9 { statement.bindNull(Int32(column)) }
        }
        try statement.runOnce()
        transaction.rows += 1
        if let task {
            statements.hop.bind(1, exchange.row)
            statements.hop.bind(2, task)
            try statements.hop.runOnce()
        }
        if let body = record.capturedBody { try write(body, exchange: exchange.row, isResponse: false) }
        transaction.add(row: exchange.row, minute: TimeSlot.minute(of: startedAt))
        return exchange
    }

    /// Writes a response, or replaces an earlier record of it.
    func write(_ record: borrowing ResponseRecord, into exchange: inout OpenExchange) throws {
        let statement = exchange.hasResponse ? statements.responseAgain : statements.response
        let answer = try dictionaries.answer(of: record)
        let firstByteAt = record.firstByteAt
        exchange.take(record, answer: answer)
        sink.cut(to: 0)
        MessageCoding.append(record, to: sink)
        // Sections of the same route and the same answer are similar.
        try dictionaries.fields.encode(
            record.fields, moment: firstByteAt, kin: (exchange.route &+ answer &* 61) << 1 | 1, to: sink)
        statement.bind(1, exchange.row)
        statement.bind(2, answer)
        statement.bind(3, firstByteAt.nanoseconds &- exchange.startedAt.nanoseconds)
        statement.bind(4, sink, 0..<sink.count)
        try statement.runOnce()
        transaction.rows += 1
        if let body = record.capturedBody { try write(body, exchange: exchange.row, isResponse: true) }
    }

    /// Writes the end of an exchange into its existing row.
    func write(_ record: ExchangeEnd, of exchange: OpenExchange) throws {
        try statements.write(
            record, row: exchange.row, startedAt: exchange.startedAt,
            references: references(of: record, row: exchange.row), sink: sink)
    }

    /// Adds an exchange whose end has been written to the sums.
    func settle(_ exchange: OpenExchange, end: ExchangeEnd) throws {
        transaction.rows += 1
        if exchange.isListed {
            statements.unlist.bind(1, exchange.row)
            try statements.unlist.run()
        }
        try statements.tiers.add(exchange, end: end)
    }

    private static func withBytes<Result>(
        _ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        var text = text
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a connection, or replaces an earlier record of it.
    func write(_ record: ConnectionRecord) throws {
        let row = row(of: record.connection)
        let statement = statements.connection
        statement.bind(1, row)
        statement.bind(2, run)
        statement.bind(3, try dictionaries.processes.id(of: record.process))
        ConnectionRow.bind(record, to: statement)
        try statement.run()
        transaction.rows += 1
    }

    private func write(_ body: [UInt8], exchange: Int64, isResponse: Bool) throws {
        statements.body.bind(1, exchange)
        statements.body.bind(2, isResponse ? 1 : 0)
        statements.body.bind(3, body)
        try statements.body.run()
        transaction.rows += 1
    }

    // Nil for the first exchange of a task, which most exchanges are.
    private func taskRow(task: ExchangeID, exchange: ExchangeID) -> Int64? {
        guard task != exchange else { return nil }
        return running[task.rawValue]?.row ?? ended[task.rawValue]
    }

    private func references(of end: ExchangeEnd, row exchange: Int64) throws -> EndCoding.References {
        guard let connection = end.connection else {
            return EndCoding.References(
                address: try dictionaries.addresses.id(of: end.remoteAddress), failure: try failure(of: end))
        }
        let place = Self.carrierPlace(of: connection)
        if carriers[place].local != connection.rawValue || carriers[place].address != end.remoteAddress {
            transaction.keep(carriers[place])
            carriers[place] = Carrier(
                local: connection.rawValue, row: row(of: connection), address: end.remoteAddress,
                addressRow: try dictionaries.addresses.id(of: end.remoteAddress))
        }
        carriers[place].first = min(carriers[place].first, exchange)
        carriers[place].last = max(carriers[place].last, exchange)
        return EndCoding.References(
            address: carriers[place].addressRow, connection: carriers[place].row, failure: try failure(of: end))
    }

    private static func carrierPlace(of connection: ConnectionID) -> Int {
        Int(truncatingIfNeeded: connection.rawValue) & (carrierPlaces - 1)
    }

    private func row(of connection: ConnectionID) -> Int64 {
        let local = connection.rawValue
        if let known = connections.row(of: local) { return known }
        // For a long time there may have been only ends that name the connection, and no event of the connection
        // itself.
        let carrier = carriers[Self.carrierPlace(of: connection)]
        if carrier.local == local {
            connections.remember(carrier.row, of: local)
            return carrier.row
        }
        let row = transaction.nextConnection
        transaction.nextConnection += 1
        transaction.connectionsNow.append(local)
        connections.remember(row, of: local)
        return row
    }

    private func failure(of record: ExchangeEnd) throws -> Int64? {
        guard let failure = record.outcome.failure else { return nil }
        return try dictionaries.failures.id(of: failure)
    }
}

extension WriterStatements {
    /// Writes an end into the row of its exchange.
    func write(
        _ record: ExchangeEnd, row: Int64, startedAt: Timestamp, references: EndCoding.References, sink: ByteSink
    ) throws {
        sink.cut(to: 0)
        EndCoding.append(record, startedAt: startedAt, references: references, to: sink)
        ending.bind(1, row)
        ending.bind(2, EndCoding.number(of: record.outcome))
        ending.bind(3, record.duration(since: startedAt))
        ending.bind(4, sink, 0..<sink.count)
        try ending.runOnce()
    }
}
