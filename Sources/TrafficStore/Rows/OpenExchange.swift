internal import TrafficModel

/// The state of an exchange that the writer keeps until its end, so that the end needs no reading.
struct OpenExchange {
    /// The exchange's row.
    var row: Int64
    /// The row of its route, which selects the kind of its sums and similar header sections for its response.
    var route: Int64
    /// When it began, its sizes, and its status.
    var figures: ExchangeFigures
    /// The row of the response's status, type, coding, reason and version; 0 until there is a response.
    var answer: Int64 = 0
    /// Whether the rows stay after the exchange has ended; the sums include it either way.
    var keepsDetail = true
    /// Whether the exchange is in the table `running`.
    var isListed = false

    /// The columns that ``init(row:first:)`` reads.
    static let columns =
        "e.id, e.route, e.started, e.request, r.answer, a.status, a.coding <> '', r.details, a.version = '0.9'"
    /// The number of these columns.
    static let columnCount: Int32 = 9
    /// The tables of these columns, for the exchanges that are running.
    static let tables = """
        FROM running n JOIN exchange e ON e.id = n.id JOIN route t ON t.id = e.route
            LEFT JOIN response r ON r.id = e.id LEFT JOIN answer a ON a.id = r.answer
        """

    /// When the exchange began.
    var startedAt: Timestamp { figures.startedAt }
    /// Whether there is a response.
    var hasResponse: Bool { figures.hasResponse }

    /// An exchange that has just begun.
    init(row: Int64, route: Int64, startedAt: Timestamp, up: WireSize) {
        self.row = row
        self.route = route
        figures = ExchangeFigures(startedAt: startedAt, up: up)
    }

    /// The exchange of a row with ``columns``, from the column `first` on.
    init(row: PreparedStatement, first: Int32) {
        var request = ByteReader(row.bytes(first + 3))
        self.init(
            row: row.int(first), route: row.int(first + 1),
            startedAt: Timestamp(nanoseconds: Plausible.moment(row.int(first + 2))),
            up: MessageCoding(request: &request).size)
        guard let answer = row.optionalInt(first + 4) else { return }
        var response = ByteReader(row.bytes(first + 7))
        let packed = MessageCoding(response: &response)
        let status = Int(row.int(first + 5))
        self.answer = answer
        figures.take(
            packed.size, status: status, isAnswer: status > 0 || row.int(first + 8) != 0,
            decodedBody: row.int(first + 6) != 0 ? packed.decodedBody : nil)
    }

    /// Takes the size, the status and the body sizes from a response.
    mutating func take(_ response: borrowing ResponseRecord, answer: Int64) {
        self.answer = answer
        figures.take(response)
    }
}
