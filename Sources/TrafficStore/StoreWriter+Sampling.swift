internal import TrafficModel

// Sampling thins out rows, never sums: an exchange that is not kept is counted like any other.
extension StoreWriter {
    /// Counts an exchange that came whole in one batch and is not kept: it never gets rows.
    func count(_ slot: WriteTransaction.Slot, of batch: EventBatch, end: ExchangeEnd) throws {
        let api = try dictionaries.route(of: batch.requests[slot.request]).key.api
        var exchange = OpenExchange(
            row: transaction.nextExchange, api: api, startedAt: batch.requests[slot.request].startedAt,
            up: batch.requests[slot.request].size)
        // The number is used up all the same: exchanges of its task refer to it.
        transaction.nextExchange += 1
        if slot.response >= 0 {
            exchange.down = batch.responses[slot.response].size
            exchange.hasResponse = true
            exchange.status = batch.responses[slot.response].status
        }
        try settle(exchange, end: end)
        ended[slot.exchange] = exchange.row
        transaction.endedNow.append(slot.exchange)
    }

    /// Takes out the rows that an exchange needed while it ran, so that a crash would not have lost its count.
    func forgetRows(of exchange: OpenExchange) throws {
        for statement in statements.forget {
            statement.bind(1, exchange.row)
            try statement.run()
        }
    }
}
