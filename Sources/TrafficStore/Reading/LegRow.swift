import GRDB
internal import TrafficModel

/// The row of a server's leg.
struct LegRow {
    /// Selects the columns that ``leg(_:_:)`` reads, of one exchange.
    static let selection =
        "SELECT \(ExchangeColumn.selection(ExchangeColumn.ofLeg)), e.status FROM leg e WHERE e.id = ?"

    private static let request: Int32 = 4
    private static let response = request + 7
    private static let end = response + 7
    private static let status = end + Int32(EndColumns.columns.count)

    let row: PreparedStatement

    /// The leg of the current row; nil if its end is missing, which the writer always writes.
    func leg(_ database: Database, _ connection: ReadConnection) throws -> ServerLeg? {
        let startedAt = Timestamp(microseconds: row.int(1))
        guard let columns = EndColumns(row, first: Self.end, startedAt: startedAt) else { return nil }
        return ServerLeg(
            startedAt: startedAt, sentAt: row.optionalInt(2).map { ExchangeRow.moment(startedAt, $0) },
            request: row.size(Self.request),
            response: row.optionalInt(3).map {
                ServerLeg.Response(
                    firstByteAt: ExchangeRow.moment(startedAt, $0),
                    status: Int(clamping: row.int(Self.status)), size: row.size(Self.response))
            },
            end: try columns.end(database, connection), connection: columns.connection)
    }
}
