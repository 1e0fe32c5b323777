internal import TrafficModel

// Sampling reduces rows, never sums: an exchange that is not kept is counted like any other.
extension StoreWriter {
    /// Gives a number to an exchange that came completely in one batch and is not kept; it never gets rows.
    func count(
        _ request: UnsafePointer<RequestRecord>, _ response: UnsafePointer<ResponseRecord>?
    ) throws -> OpenExchange {
        let route = try dictionaries.route(of: request).id
        var exchange = OpenExchange(
            row: transaction.nextExchange, route: route, startedAt: request.pointee.startedAt,
            up: request.pointee.size)
        // The number is used up even so, because exchanges of the same task may refer to it.
        transaction.nextExchange += 1
        transaction.unkept += 1
        exchange.keepsDetail = false
        if let response { exchange.take(response, try dictionaries.answer(of: response)) }
        return exchange
    }

    /// Deletes the rows of an exchange that is not kept; it had them while it ran, so that a crash would not lose its
    /// count.
    func forgetRows(of exchange: borrowing OpenExchange) throws {
        for statement in statements.forget {
            statement.bind(1, exchange.row)
            try statement.run()
        }
        transaction.unkept += 1
    }
}
