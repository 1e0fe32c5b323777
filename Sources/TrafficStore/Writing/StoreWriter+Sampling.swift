internal import TrafficModel

// Sampling reduces rows, never sums: an exchange that is not kept is counted like any other.
extension StoreWriter {
    /// Counts an exchange that came completely in one batch and is not kept; it never gets rows.
    func count(_ batched: WriteTransaction.BatchedExchange, of batch: EventBatch.Records, end: ExchangeEnd)
        throws
    {
        let route = try dictionaries.route(of: batch.requests[batched.request]).id
        var exchange = OpenExchange(
            row: transaction.nextExchange, route: route, startedAt: batch.requests[batched.request].startedAt,
            up: batch.requests[batched.request].size)
        // The number is used up even so, because exchanges of the same task may refer to it.
        transaction.nextExchange += 1
        transaction.unkept += 1
        if batched.response >= 0 {
            let answer = try dictionaries.answer(of: batch.responses[batched.response])
            exchange.take(batch.responses[batched.response], answer: answer)
        }
        try settle(exchange, end: end)
        ended[batched.exchange] = exchange.row
        transaction.endedNow.append(batched.exchange)
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
