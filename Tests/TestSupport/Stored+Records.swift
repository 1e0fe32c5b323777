package import TrafficModel

extension StoredExchange {
    /// The exchange as a store has it that gave it the same numbers as its observer.
    package init(_ exchange: Exchange) {
        var request = exchange.request
        var response = exchange.response
        var end = exchange.end
        request.exchange = .notKept
        request.task = .notKept
        response?.exchange = .notKept
        end?.exchange = .notKept
        if end?.connection != nil { end?.connection = .notKept }
        self.init(
            id: ID(exchange.request.exchange.rawValue), task: ID(exchange.request.task.rawValue),
            connection: exchange.end?.connection.map { StoredConnection.ID($0.rawValue) }, request: request,
            response: response, end: end)
    }
}

extension StoredConnection {
    /// The connection as a store has it that gave it the same number as its observer.
    package init(_ record: ConnectionRecord) {
        var kept = record
        kept.connection = .notKept
        self.init(id: ID(record.connection.rawValue), record: kept)
    }
}
