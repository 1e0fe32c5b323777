internal import TrafficModel

// Sampling thins out rows, never sums: an exchange that is not kept is counted like any other.
extension StoreWriter {
    /// Counts an exchange that came whole in one batch and is not kept: it never gets rows.
    func count(
        _ request: borrowing RequestRecord, _ slot: WriteTransaction.Slot,
        of events: UnsafeBufferPointer<TrafficEvent>, end: ExchangeEnd
    ) throws {
        var exchange = OpenExchange(
            row: transaction.nextExchange, api: try dictionaries.route(of: request).key.api,
            startedAt: request.startedAt, up: request.size)
        // The number is used up all the same: exchanges of its task refer to it.
        transaction.nextExchange += 1
        if slot.response >= 0, case .response(let response) = events[slot.response] {
            exchange.down = response.size
            exchange.hasResponse = true
            exchange.status = response.status
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
