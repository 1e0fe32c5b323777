internal import TrafficModel

extension StoreWriter {
    /// Writes a new exchange that ended in the same batch.
    func write(
        _ request: UnsafePointer<RequestRecord>, _ response: UnsafePointer<ResponseRecord>?,
        _ end: borrowing ExchangeEnd
    ) throws -> OpenExchange {
        let exchange = try bind(request, response)
        let references = try rows(of: end, of: exchange.row)
        statements.exchange.bind(end, startedAt: exchange.startedAt, references: references)
        try insert(exchange, outcomeIsFailure: end.outcome.isFailure)
        try finish(request, response, of: exchange)
        return exchange
    }

    /// Writes a new exchange that still runs.
    func write(
        _ request: UnsafePointer<RequestRecord>, _ response: UnsafePointer<ResponseRecord>?
    ) throws -> OpenExchange {
        let exchange = try bind(request, response)
        for column in ExchangeColumn.ofEnd { statements.exchange.bindNull(column) }
        try insert(exchange, outcomeIsFailure: false)
        try finish(request, response, of: exchange)
        return exchange
    }

    private func insert(_ exchange: borrowing OpenExchange, outcomeIsFailure: Bool) throws {
        let hasFailed = exchange.figures.hasFailed(outcomeIsFailure: outcomeIsFailure)
        statements.exchange.bind(.failed, hasFailed ? 1 : 0)
        try statements.exchange.runOnce()
    }

    private func finish(
        _ request: UnsafePointer<RequestRecord>, _ response: UnsafePointer<ResponseRecord>?,
        of exchange: borrowing OpenExchange
    ) throws {
        if let response {
            transaction.rows += 1
            if let body = response.pointee.capturedBody { try write(body, exchange: exchange.row, isResponse: true) }
        }
        try finish(request, of: exchange.row)
    }

    /// Binds the columns of a new exchange, all but those of its end.
    ///
    /// Until the statement has run, nothing may be appended to the sink, because that may move bound memory.
    private func bind(
        _ request: UnsafePointer<RequestRecord>, _ response: UnsafePointer<ResponseRecord>?
    ) throws -> OpenExchange {
        let route = try dictionaries.route(of: request)
        var exchange = OpenExchange(
            row: transaction.nextExchange, route: route.id, startedAt: request.pointee.startedAt,
            up: request.pointee.size)
        transaction.nextExchange += 1
        let statement = statements.exchange
        sink.cut(to: 0)
        let texts = try append(request, route)
        exchange.keepsDetail = request.pointee.keepsDetail
        var lines = 0..<0
        if let response {
            exchange.take(response, try dictionaries.answer(of: response))
            lines = try append(response, route: exchange.route, answer: exchange.answer)
        }
        statement.bind(.id, exchange.row)
        bind(request, texts, to: statement)
        if let response {
            bind(response, lines, answer: exchange.answer, startedAt: request.pointee.startedAt, to: statement)
        } else {
            for column in ExchangeColumn.ofResponse { statement.bindNull(column) }
        }
        return exchange
    }

    /// Writes a later record of a request into its row.
    func write(_ request: UnsafePointer<RequestRecord>, into exchange: inout OpenExchange) throws {
        let route = try dictionaries.route(of: request)
        let statement = statements.requestAgain
        sink.cut(to: 0)
        let texts = try append(request, route)
        statement.bind(.id, exchange.row)
        bind(request, texts, to: statement)
        // The time of the first byte is relative to the start.
        statement.bind(.firstByte, exchange.startedAt.microseconds &- request.pointee.startedAt.microseconds)
        try statement.runOnce()
        exchange.route = route.id
        exchange.figures.startedAt = request.pointee.startedAt
        exchange.figures.up = request.pointee.size
        exchange.keepsDetail = request.pointee.keepsDetail
        try finish(request, of: exchange.row)
    }

    /// Writes a response, or a later record of it, into the row of its exchange.
    func write(_ response: UnsafePointer<ResponseRecord>, into exchange: inout OpenExchange) throws {
        exchange.take(response, try dictionaries.answer(of: response))
        let statement = statements.response
        sink.cut(to: 0)
        let lines = try append(response, route: exchange.route, answer: exchange.answer)
        statement.bind(.id, exchange.row)
        bind(response, lines, answer: exchange.answer, startedAt: exchange.startedAt, to: statement)
        statement.bind(.failed, exchange.figures.hasFailed(nil) ? 1 : 0)
        try statement.runOnce()
        transaction.rows += 1
        if let body = response.pointee.capturedBody { try write(body, exchange: exchange.row, isResponse: true) }
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
        _ request: UnsafePointer<RequestRecord>, _ route: StoreDictionaries.KnownRoute
    ) throws -> RequestTexts {
        var texts = RequestTexts(lines: 0..<0, route: route.id)
        sink.append(request.pointee.path)
        if !sink.holds(route.path.bytes) {
            let start = route.path.startLength
            if start > 0, sink.begins(with: route.path.bytes, start) {
                texts.pathRest = start..<sink.count
            } else {
                texts.path = 0..<sink.count
            }
        }
        var position = sink.count
        if let query = request.pointee.query {
            texts.queryRow = try Self.withBytes(query) { bytes in
                let known = try dictionaries.query(bytes, of: route)
                if known == nil { sink.append(bytes) }
                return known
            }
            if texts.queryRow == nil { texts.query = position..<sink.count }
        }
        position = sink.count
        try dictionaries.fields.encode(
            request.pointee.fields, moment: request.pointee.startedAt, kin: route.id << 1, to: sink)
        texts.lines = position..<sink.count
        return texts
    }

    private func bind(
        _ request: UnsafePointer<RequestRecord>, _ texts: RequestTexts, to statement: PreparedStatement
    ) {
        let started = request.pointee.startedAt.microseconds
        statement.bind(.route, texts.route)
        statement.bind(.started, started)
        statement.bind(.sent, request.pointee.sentAt.map { $0.microseconds &- started })
        statement.bind(.requestStartLine, request.pointee.size, PackedEvidence(request.pointee.size))
        statement.bind(.task, taskRow(task: request.pointee.task, exchange: request.pointee.exchange))
        statement.bind(.resendCount, Int64(request.pointee.resendCount))
        statement.bind(.requestDigest, request.pointee.bodyDigest.map { Int64(bitPattern: $0) })
        bindText(.path, texts.path, to: statement)
        bindText(.pathRest, texts.pathRest, to: statement)
        statement.bind(.queryID, texts.queryRow)
        bindText(.query, texts.query, to: statement)
        bindLines(.requestLines, texts.lines, to: statement)
    }

    // Similar sections have the same route and the same answer.
    private func append(
        _ response: UnsafePointer<ResponseRecord>, route: Int64, answer: Int64
    ) throws -> Range<Int> {
        let position = sink.count
        try dictionaries.fields.encode(
            response.pointee.fields, moment: response.pointee.firstByteAt, kin: (route &+ answer &* 61) << 1 | 1,
            to: sink)
        return position..<sink.count
    }

    private func bind(
        _ response: UnsafePointer<ResponseRecord>, _ lines: Range<Int>, answer: Int64, startedAt: Timestamp,
        to statement: PreparedStatement
    ) {
        statement.bind(.answer, answer)
        statement.bind(.firstByte, response.pointee.firstByteAt.microseconds &- startedAt.microseconds)
        statement.bind(response.pointee.size, decodedBody: response.pointee.decodedBody)
        statement.bind(.responseDigest, response.pointee.bodyDigest.map { Int64(bitPattern: $0) })
        bindLines(.responseLines, lines, to: statement)
    }

    private func bindText(_ column: ExchangeColumn, _ range: Range<Int>?, to statement: PreparedStatement) {
        if let range { statement.bindText(column.parameter, sink, range) } else { statement.bindNull(column) }
    }

    private func bindLines(_ column: ExchangeColumn, _ range: Range<Int>, to statement: PreparedStatement) {
        if range.isEmpty { statement.bindNull(column) } else { statement.bind(column.parameter, sink, range) }
    }

    private func finish(_ request: UnsafePointer<RequestRecord>, of row: Int64) throws {
        transaction.rows += 1
        if let body = request.pointee.capturedBody { try write(body, exchange: row, isResponse: false) }
        transaction.add(row: row, minute: TimeSlot.minute(of: request.pointee.startedAt))
    }

    /// Adds an exchange whose end has been written to the sums.
    func settle(_ exchange: borrowing OpenExchange, end: borrowing ExchangeEnd) throws {
        transaction.rows += 1
        if exchange.isListed {
            statements.unlist.bind(1, exchange.row)
            try statements.unlist.run()
        }
        try statements.tiers.add(exchange, endedBy: EndFigures(end, since: exchange.startedAt))
        if end.hasServerLeg, let leg = end.serverLeg { try write(leg, ofExchange: exchange.row) }
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

    func rows(of end: borrowing ExchangeEnd, of exchange: Int64) throws -> EndReferences {
        EndReferences(
            address: try dictionaries.address(end.remoteAddress),
            connection: end.connection.map { row(of: $0, carrying: exchange) }, failure: try failure(of: end))
    }

    private func row(of connection: ConnectionID, carrying exchange: Int64) -> Int64 {
        let index = Self.cacheIndex(of: connection)
        if connectionCache[index].local != connection.rawValue {
            transaction.keep(connectionCache[index])
            connectionCache[index] = CachedConnection(local: connection.rawValue, row: row(of: connection))
        }
        connectionCache[index].first = min(connectionCache[index].first, exchange)
        connectionCache[index].last = max(connectionCache[index].last, exchange)
        return connectionCache[index].row
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

    func failure(of record: borrowing ExchangeEnd) throws -> Int64? {
        guard let failure = record.outcome.failure else { return nil }
        return try dictionaries.failures.id(of: failure)
    }
}

extension WriterStatements {
    /// Writes an end into the row of its exchange.
    func write(
        _ record: borrowing ExchangeEnd, of exchange: borrowing OpenExchange, references: EndReferences
    ) throws {
        end.bind(.id, exchange.row)
        end.bind(record, startedAt: exchange.startedAt, references: references)
        end.bind(.failed, exchange.figures.hasFailed(outcomeIsFailure: record.outcome.isFailure) ? 1 : 0)
        try end.runOnce()
    }
}
