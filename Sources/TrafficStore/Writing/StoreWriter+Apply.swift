import GRDB
internal import TrafficModel

extension StoreWriter {
    /// Writes batches, and the changes of the sums for all of them, into the open transaction.
    ///
    /// An exchange with several events in one batch is written once, with the last record of each of its parts.
    func apply(_ batches: [EventBatch], to database: Database) throws {
        try statements.tiers.check()
        try dictionaries.begin()
        let startOfExchanges = try meta("next_exchange")
        let startOfConnections = try meta("next_connection")
        transaction.nextExchange = startOfExchanges
        transaction.nextConnection = startOfConnections
        for batch in batches {
            transaction.beginBatch()
            gather(batch)
            try batch.withRecords { records in
                var first = 0
                for (carrier, next) in transaction.carriers {
                    for index in first..<next { try write(transaction.exchanges[index], of: records) }
                    try begin(carrier, in: database)
                    first = next
                }
                for index in first..<transaction.exchanges.count {
                    try write(transaction.exchanges[index], of: records)
                }
            }
            for index in transaction.connections.values.sorted() { try write(batch.connections[index]) }
            for device in batch.devices { try write(device) }
            for lookup in batch.lookups { try write(lookup) }
        }
        try writeSums()
        if transaction.nextExchange != startOfExchanges { try setMeta("next_exchange", transaction.nextExchange) }
        if transaction.unkept > 0 { try statements.addUnkept(transaction.unkept) }
        if transaction.nextConnection != startOfConnections {
            try setMeta("next_connection", transaction.nextConnection)
        }
        statements.seen.bind(1, run)
        statements.seen.bind(2, now().nanoseconds)
        try statements.seen.run()
        if running.count > Self.openLimit { forgetOldest() }
    }

    private func gather(_ batch: EventBatch) {
        var (request, response, end, connection, carrier) = (0, 0, 0, 0, 0)
        for kind in batch.kinds {
            switch kind {
            case .request:
                place(batch.requests[request].exchange.rawValue) { $0.request = request }
                request += 1
            case .response:
                place(batch.responses[response].exchange.rawValue) { $0.response = response }
                response += 1
            case .end:
                place(batch.ends[end].exchange.rawValue) { $0.end = end }
                end += 1
            case .connection:
                transaction.connections[batch.connections[connection].connection.rawValue] = connection
                connection += 1
            case .carrier:
                transaction.carriers.append((batch.carriers[carrier], transaction.exchanges.count))
                carrier += 1
            case .loss, .device, .lookup: continue
            }
        }
        for loss in batch.losses { add(loss) }
    }

    @inline(__always)
    private func place(_ exchange: Int64, _ change: (inout WriteTransaction.BatchedExchange) -> Void) {
        let next = transaction.exchanges.count
        let index = transaction.indices.index(of: exchange, orNew: next)
        if index == next { transaction.exchanges.append(WriteTransaction.BatchedExchange(exchange: exchange)) }
        // Events after an exchange's end are invalid; they are counted as lost.
        if transaction.exchanges[index].end >= 0 {
            transaction.exchanges[index].late += 1
        } else {
            change(&transaction.exchanges[index])
        }
    }

    private func write(_ batched: WriteTransaction.BatchedExchange, of batch: EventBatch.Records) throws {
        if batched.late > 0 { countLost(batched.late) }
        if !running.isEmpty, let before = running[batched.exchange] {
            return try write(batched, of: batch, before: before)
        }
        guard let request = batch.request(batched), ended[batched.exchange] == nil else {
            return countLost([batched.request, batched.response, batched.end].reduce(0) { $0 + ($1 >= 0 ? 1 : 0) })
        }
        guard let record = batch.end(batched) else {
            var exchange = try write(request, batch.response(batched))
            return try list(&exchange, batched.exchange, before: nil)
        }
        var end = record.pointee
        end.round(since: request.pointee.startedAt)
        let exchange =
            request.pointee.keepsDetail
            ? try write(request, batch.response(batched), end) : try count(request, batch.response(batched))
        try settle(exchange, end: end)
        note(batched.exchange, endedAs: exchange.row)
    }

    /// Writes what a batch has of an exchange that an earlier batch began.
    private func write(
        _ batched: WriteTransaction.BatchedExchange, of batch: EventBatch.Records, before: OpenExchange
    ) throws {
        var exchange = before
        if let request = batch.request(batched) { try write(request, into: &exchange) }
        if let response = batch.response(batched) { try write(response, into: &exchange) }
        guard let record = batch.end(batched) else { return try list(&exchange, batched.exchange, before: before) }
        var end = record.pointee
        end.round(since: exchange.startedAt)
        try statements.write(end, of: exchange, references: rows(of: end, of: exchange.row))
        try settle(exchange, end: end)
        if !exchange.keepsDetail { try forgetRows(of: exchange) }
        setRunning(batched.exchange, to: nil, before: before)
        note(batched.exchange, endedAs: exchange.row)
    }

    /// Lists an exchange as running.
    private func list(_ exchange: inout OpenExchange, _ local: Int64, before: OpenExchange?) throws {
        if !exchange.isListed {
            statements.list.bind(1, exchange.row)
            statements.list.bind(2, run)
            try statements.list.run()
            exchange.isListed = true
        }
        setRunning(local, to: exchange, before: before)
    }

    /// Begins the exchanges of another carrier.
    private func begin(_ carrier: String, in database: Database) throws {
        var resource = resource
        resource.carrier = carrier
        let next = StoredResource(firstExchange: transaction.nextExchange, run: run, resource: resource)
        let last = try StoredResource.all(database).last
        if last?.run != run || last?.resource != resource { try next.write(to: database) }
    }

    private func write(_ device: DeviceName) throws {
        statements.device.bind(1, device.address)
        statements.device.bind(2, device.source.rawValue)
        statements.device.bind(3, device.name)
        try statements.device.run()
        transaction.rows += 1
    }

    private func write(_ lookup: LookupRecord) throws {
        statements.lookup.bind(1, run)
        statements.lookup.bind(2, try dictionaries.processes.id(of: lookup.process))
        LookupRow.bind(lookup, to: statements.lookup)
        try statements.lookup.run()
        transaction.rows += 1
    }

    private func note(_ local: Int64, endedAs row: Int64) {
        ended[local] = row
        transaction.endedNow.append(local)
    }

    private func setRunning(_ local: Int64, to exchange: OpenExchange?, before: OpenExchange?) {
        // Keeps the state before the transaction, which several batches may share.
        if transaction.runningBefore[local] == nil { transaction.runningBefore[local] = .some(before) }
        running[local] = exchange
    }

    /// Counts events as lost whose exchange has no request, or has ended already.
    private func countLost(_ count: Int64) {
        guard count > 0 else { return }
        let reason: TrafficLoss.Reason = hasLostEvents ? .bufferFull : .malformed
        losses[reason, default: 0] += count
    }

    // The rows of these exchanges stay open until the run is closed; only their ends can no longer be assigned.
    private func forgetOldest() {
        for local in running.keys.sorted().prefix(Self.openLimit / 10) {
            transaction.runningBefore[local] = .some(transaction.runningBefore[local] ?? running[local])
            running[local] = nil
        }
    }

    private func writeSums() throws {
        transaction.keepSpan()
        for (minute, span) in transaction.spans {
            statements.span.bind(1, minute)
            statements.span.bind(2, span.first)
            statements.span.bind(3, span.last)
            try statements.span.run()
        }
        for index in connectionCache.indices where connectionCache[index].first <= connectionCache[index].last {
            transaction.keep(connectionCache[index])
            connectionCache[index].first = .max
            connectionCache[index].last = .min
        }
        for (connection, exchanges) in transaction.carried {
            statements.carried.bind(1, connection)
            statements.carried.bind(2, exchanges.first)
            statements.carried.bind(3, exchanges.last)
            try statements.carried.runOnce()
        }
        try statements.tiers.write()
    }

    private func meta(_ key: String) throws -> Int64 {
        statements.readMeta.bind(1, key)
        defer { statements.readMeta.reset() }
        return Plausible.number(try statements.readMeta.step() ? statements.readMeta.int(0) : 0)
    }

    private func setMeta(_ key: String, _ value: Int64) throws {
        statements.writeMeta.bind(1, key)
        statements.writeMeta.bind(2, value)
        try statements.writeMeta.run()
    }
}
