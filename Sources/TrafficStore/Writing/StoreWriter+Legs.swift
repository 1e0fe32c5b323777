internal import TrafficModel

extension StoreWriter {
    /// Writes the server's leg of an exchange that a proxy passed on.
    func write(_ leg: ServerLeg, ofExchange row: Int64) throws {
        var end = leg.end
        end.round(since: leg.startedAt)
        let started = leg.startedAt.microseconds
        let references = EndReferences(
            address: try dictionaries.address(end.remoteAddress),
            connection: end.connection.map { self.row(of: $0) }, failure: try failure(of: end))
        let statement = statements.leg
        statement.bind(.id, row)
        statement.bind(.started, started)
        statement.bind(.sent, leg.sentAt.map { $0.microseconds &- started })
        statement.bind(.requestStartLine, leg.request, PackedEvidence(leg.request))
        if let response = leg.response {
            statement.bind(.firstByte, response.firstByteAt.microseconds &- started)
            statement.bind(.responseStartLine, response.size, PackedEvidence(response.size))
        } else {
            for column in [.firstByte] + ExchangeColumn.range(.responseStartLine, .responseEvidence) {
                statement.bindNull(column)
            }
        }
        statement.bind(end, startedAt: leg.startedAt, references: references)
        statement.bind(ExchangeColumn.legStatus, Int64(leg.response?.status ?? 0))
        try statement.run()
    }
}
