internal import TrafficModel

// Sampling reduces rows, never sums: an exchange that is not kept is counted like any other.
extension StoreWriter {
    /// Counts an exchange that came completely in one batch and is not kept; it never gets rows.
    func count(_ slot: WriteTransaction.Slot, of batch: EventBatch, end: ExchangeEnd) throws {
        let route = try dictionaries.route(of: batch.requests[slot.request]).id
        var exchange = OpenExchange(
            row: transaction.nextExchange, route: route, startedAt: batch.requests[slot.request].startedAt,
            up: batch.requests[slot.request].size)
        // The number is used up even so, because exchanges of the same task may refer to it.
        transaction.nextExchange += 1
        transaction.unkept += 1
        if slot.response >= 0 {
            let answer = try dictionaries.answer(of: batch.responses[slot.response])
            exchange.take(batch.responses[slot.response], answer: answer)
        }
        try settle(exchange, end: end)
        ended[slot.exchange] = exchange.row
        transaction.endedNow.append(slot.exchange)
    }

    /// Deletes the rows of an exchange that is not kept; it had them while it ran, so that a crash would not lose its
    /// count.
    func forgetRows(of exchange: OpenExchange) throws {
        for statement in statements.forget {
            statement.bind(1, exchange.row)
            try statement.run()
        }
        transaction.unkept += 1
    }
}
