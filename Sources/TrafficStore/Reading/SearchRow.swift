internal import TrafficModel

/// The columns of an exchange's row that a search reads; SQLite takes its time by the column.
struct SearchRow {
    /// Selects these columns; conditions may follow.
    static let selection = "SELECT \(ExchangeColumn.selection(columns)) FROM exchange e"

    private static let columns: [ExchangeColumn] = [
        .id, .route, .answer, .started, .firstByte, .path, .pathRest, .queryID, .query, .requestLines, .responseLines,
    ]

    let row: PreparedStatement

    var id: Int64 { row.int(0) }
    var route: Int64 { row.int(1) }
    var hasResponse: Bool { row.optionalInt(2) != nil }
    var startedAt: Timestamp { Timestamp(microseconds: row.int(3)) }
    var firstByteAt: Timestamp { ExchangeRow.moment(startedAt, row.int(4)) }
    var requestLines: UnsafeRawBufferPointer { row.bytes(9) }
    var responseLines: UnsafeRawBufferPointer { row.bytes(10) }

    /// Its number and its start.
    var moment: ExchangeMoment { ExchangeMoment(exchange: StoredExchange.ID(id), startedAt: startedAt) }

    /// Whether its URL is that of each such row of the route: with the template as its path, and without a query.
    var hasCommonURL: Bool { row.isNull(5) && row.isNull(6) && row.isNull(7) && row.isNull(8) }

    /// The bytes of its path, or of what comes after the start of the template: see ``PathColumns``.
    var pathBytes: (own: UnsafeRawBufferPointer?, rest: UnsafeRawBufferPointer?) {
        (row.isNull(5) ? nil : row.bytes(5), row.isNull(6) ? nil : row.bytes(6))
    }

    /// The number of its query in the dictionary, or its bytes; neither if it has none.
    var query: (id: Int64?, bytes: UnsafeRawBufferPointer?) {
        if let id = row.optionalInt(7) { return (id, nil) }
        return (nil, row.isNull(8) ? nil : row.bytes(8))
    }
}
