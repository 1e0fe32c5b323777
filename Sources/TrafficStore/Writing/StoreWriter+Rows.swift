internal import TrafficModel

extension StoreWriter {
    /// Writes a new exchange with all of its records that came in one batch, in one row.
    func write(
        _ batched: WriteTransaction.BatchedExchange, of batch: EventBatch.Records, end: ExchangeEnd?
    ) throws -> OpenExchange {
        let request = batch.requests.baseAddress! + batched.request
        let response = batched.response >= 0 ? batch.responses.baseAddress! + batched.response : nil
        let route = try dictionaries.route(of: request.pointee)
        var exchange = OpenExchange(
            row: transaction.nextExchange, route: route.id, startedAt: request.pointee.startedAt,
            up: request.pointee.size)
        transaction.nextExchange += 1
        let statement = statements.exchange
        sink.cut(to: 0)
        let texts = try append(request.pointee, route)
        var lines = 0..<0
        if let response {
            exchange.take(response.pointee, answer: try dictionaries.answer(of: response.pointee))
            lines = try append(response.pointee, of: exchange)
        }
        let references = try end.map { try rows(of: $0, of: exchange.row) }
        // From here on nothing is appended to the sink, so that the bound memory does not move.
        statement.bind(.id, exchange.row)
        bind(request.pointee, texts, to: statement)
        if let response {
            bind(response.pointee, lines, of: exchange, to: statement)
        } else {
            for column in ExchangeColumn.ofResponse { statement.bindNull(column) }
        }
        if let end, let references {
            statement.bind(end, startedAt: exchange.startedAt, references: references)
        } else {
            for column in ExchangeColumn.ofEnd { statement.bindNull(column) }
        }
        statement.bind(.failed, exchange.figures.hasFailed(end) ? 1 : 0)
        try statement.runOnce()
        if let response {
            transaction.rows += 1
            if let body = response.pointee.capturedBody { try write(body, exchange: exchange.row, isResponse: true) }
        }
        try finish(request.pointee, of: &exchange)
        return exchange
    }

    /// Writes a later record of a request into its row.
    func write(_ request: borrowing RequestRecord, into exchange: inout OpenExchange) throws {
        let route = try dictionaries.route(of: request)
        let statement = statements.requestAgain
        sink.cut(to: 0)
        let texts = try append(request, route)
        statement.bind(.id, exchange.row)
        bind(request, texts, to: statement)
        // The time of the first byte is relative to the start.
        statement.bind(.firstByte, exchange.startedAt.microseconds &- request.startedAt.microseconds)
        try statement.runOnce()
        exchange.route = route.id
        exchange.figures.startedAt = request.startedAt
        exchange.figures.up = request.size
        try finish(request, of: &exchange)
    }

    /// Writes a response, or a later record of it, into the row of its exchange.
    func write(_ response: borrowing ResponseRecord, into exchange: inout OpenExchange) throws {
        exchange.take(response, answer: try dictionaries.answer(of: response))
        let statement = statements.response
        sink.cut(to: 0)
        let lines = try append(response, of: exchange)
        statement.bind(.id, exchange.row)
        bind(response, lines, of: exchange, to: statement)
        statement.bind(.failed, exchange.figures.hasFailed(nil) ? 1 : 0)
        try statement.runOnce()
        transaction.rows += 1
        if let body = response.capturedBody { try write(body, exchange: exchange.row, isResponse: true) }
    }

    /// Writes the end of an exchange into its row.
    func write(_ record: ExchangeEnd, of exchange: OpenExchange) throws {
        try statements.write(record, of: exchange, references: rows(of: record, of: exchange.row))
    }

    // The ranges of the texts and lines of a request in the sink.
    private struct RequestTexts {
        var path: Range<Int>?
        var pathRest: Range<Int>?
        var query: Range<Int>?
        var queryRow: Int64?
        var lines: Range<Int>
        var route: Int64
    }

    private func append(
        _ request: borrowing RequestRecord, _ route: StoreDictionaries.KnownRoute
    ) throws -> RequestTexts {
        var texts = RequestTexts(lines: 0..<0, route: route.id)
        if request.path != route.template {
            sink.append(request.path)
            let start = route.pathStart.utf8.count
            if start > 0, request.path.utf8.starts(with: route.pathStart.utf8) {
                texts.pathRest = start..<sink.count
            } else {
                texts.path = 0..<sink.count
            }
        }
        var position = sink.count
        if let query = request.query {
            texts.queryRow = try Self.withBytes(query) { bytes in
                let known = try dictionaries.query(bytes, of: route)
                if known == nil { sink.append(bytes) }
                return known
            }
            if texts.queryRow == nil { texts.query = position..<sink.count }
        }
        position = sink.count
        try dictionaries.fields.encode(request.fields, moment: request.startedAt, kin: route.id << 1, to: sink)
        texts.lines = position..<sink.count
        return texts
    }

    private func bind(
        _ request: borrowing RequestRecord, _ texts: RequestTexts, to statement: PreparedStatement
    ) {
        let started = request.startedAt.microseconds
        statement.bind(.route, texts.route)
        statement.bind(.started, started)
        statement.bind(.sent, request.sentAt.map { $0.microseconds &- started })
        statement.bind(.requestStartLine, request.size, PackedEvidence(request.size))
        statement.bind(.task, taskRow(task: request.task, exchange: request.exchange))
        statement.bind(.resendCount, Int64(request.resendCount))
        statement.bind(.requestDigest, request.bodyDigest.map { Int64(bitPattern: $0) })
        bindText(.path, texts.path, to: statement)
        bindText(.pathRest, texts.pathRest, to: statement)
        statement.bind(.queryID, texts.queryRow)
        bindText(.query, texts.query, to: statement)
        bindLines(.requestLines, texts.lines, to: statement)
    }

    // Similar sections have the same route and the same answer.
    private func append(_ response: borrowing ResponseRecord, of exchange: OpenExchange) throws -> Range<Int> {
        let position = sink.count
        try dictionaries.fields.encode(
            response.fields, moment: response.firstByteAt, kin: (exchange.route &+ exchange.answer &* 61) << 1 | 1,
            to: sink)
        return position..<sink.count
    }

    private func bind(
        _ response: borrowing ResponseRecord, _ lines: Range<Int>, of exchange: OpenExchange,
        to statement: PreparedStatement
    ) {
        statement.bind(.answer, exchange.answer)
        statement.bind(.firstByte, response.firstByteAt.microseconds &- exchange.startedAt.microseconds)
        statement.bind(response.size, decodedBody: response.decodedBody)
        statement.bind(.responseDigest, response.bodyDigest.map { Int64(bitPattern: $0) })
        bindLines(.responseLines, lines, to: statement)
    }

    private func bindText(_ column: ExchangeColumn, _ range: Range<Int>?, to statement: PreparedStatement) {
        if let range { statement.bindText(column.parameter, sink, range) } else { statement.bindNull(column) }
    }

    private func bindLines(_ column: ExchangeColumn, _ range: Range<Int>, to statement: PreparedStatement) {
        if range.isEmpty { statement.bindNull(column) } else { statement.bind(column.parameter, sink, range) }
    }

    private func finish(_ request: borrowing RequestRecord, of exchange: inout OpenExchange) throws {
        exchange.keepsDetail = request.keepsDetail
        transaction.rows += 1
        if let body = request.capturedBody { try write(body, exchange: exchange.row, isResponse: false) }
        transaction.add(row: exchange.row, minute: TimeSlot.minute(of: request.startedAt))
    }

    /// Adds an exchange whose end has been written to the sums.
    func settle(_ exchange: OpenExchange, end: ExchangeEnd) throws {
        transaction.rows += 1
        if exchange.isListed {
            statements.unlist.bind(1, exchange.row)
            try statements.unlist.run()
        }
        try statements.tiers.add(exchange, end: end)
        if let leg = end.serverLeg { try write(leg, ofExchange: exchange.row) }
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

    private func rows(of end: ExchangeEnd, of exchange: Int64) throws -> EndReferences {
        guard let connection = end.connection else {
            return EndReferences(
                address: try dictionaries.addresses.id(of: end.remoteAddress), failure: try failure(of: end))
        }
        let index = Self.cacheIndex(of: connection)
        if connectionCache[index].local != connection.rawValue || connectionCache[index].address != end.remoteAddress {
            transaction.keep(connectionCache[index])
            connectionCache[index] = CachedConnection(
                local: connection.rawValue, row: row(of: connection), address: end.remoteAddress,
                addressRow: try dictionaries.addresses.id(of: end.remoteAddress))
        }
        connectionCache[index].first = min(connectionCache[index].first, exchange)
        connectionCache[index].last = max(connectionCache[index].last, exchange)
        return EndReferences(
            address: connectionCache[index].addressRow, connection: connectionCache[index].row,
            failure: try failure(of: end))
    }

    private static func cacheIndex(of connection: ConnectionID) -> Int {
        Int(truncatingIfNeeded: connection.rawValue) & (connectionCacheSize - 1)
    }

    func row(of connection: ConnectionID) -> Int64 {
        let local = connection.rawValue
        if let known = connections.row(of: local) { return known }
        // For a long time there may have been only ends that name the connection, and no event of the connection
        // itself.
        let cached = connectionCache[Self.cacheIndex(of: connection)]
        if cached.local == local {
            connections.remember(cached.row, of: local)
            return cached.row
        }
        let row = transaction.nextConnection
        transaction.nextConnection += 1
        transaction.connectionsNow.append(local)
        connections.remember(row, of: local)
        return row
    }

    func failure(of record: ExchangeEnd) throws -> Int64? {
        guard let failure = record.outcome.failure else { return nil }
        return try dictionaries.failures.id(of: failure)
    }
}

extension WriterStatements {
    /// Writes an end into the row of its exchange.
    func write(_ record: ExchangeEnd, of exchange: OpenExchange, references: EndReferences) throws {
        end.bind(.id, exchange.row)
        end.bind(record, startedAt: exchange.startedAt, references: references)
        end.bind(.failed, exchange.figures.hasFailed(record) ? 1 : 0)
        try end.runOnce()
    }
}
