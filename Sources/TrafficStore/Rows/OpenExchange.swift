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
    static let columns = columnsOfExchange + ", a.status, a.coding <> '', a.version = '0.9'"
    /// The same columns, without status and coding.
    static let columnsWithoutAnswer = columnsOfExchange + ", 0, 0, 0"
    private static let columnsOfExchange = ExchangeColumn.selection(
        [.id, .route, .started, .answer] + ExchangeColumn.range(.requestStartLine, .decodedBody))
    private static let request: Int32 = 4
    private static let response = request + 7
    private static let status = response + 8
    /// The number of these columns.
    static let columnCount = status + 3
    /// The tables of these columns, for the exchanges that are running.
    static let tables = """
        FROM running n JOIN exchange e ON e.id = n.id JOIN route t ON t.id = e.route
            LEFT JOIN answer a ON a.id = e.answer
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
        self.init(
            row: row.int(first), route: row.int(first + 1), startedAt: Timestamp(microseconds: row.int(first + 2)),
            up: row.size(first + Self.request))
        guard let answer = row.optionalInt(first + 3) else { return }
        let size = row.size(first + Self.response)
        let status = Int(clamping: row.int(first + Self.status))
        self.answer = answer
        figures.take(
            size, status: status, isAnswer: status > 0 || row.int(first + Self.status + 2) != 0,
            decodedBody: row.int(first + Self.status + 1) != 0
                ? row.decodedBody(first + Self.response, of: size) : nil)
    }

    /// Takes the size and the body sizes from a response, and the rest from its answer.
    mutating func take(_ response: UnsafePointer<ResponseRecord>, _ answer: StoreDictionaries.KnownAnswer) {
        self.answer = answer.id
        figures.take(
            response.pointee.size, status: answer.figures.status, isAnswer: answer.figures.isAnswer,
            decodedBody: answer.figures.isCoded ? response.pointee.decodedBody : nil)
    }
}
