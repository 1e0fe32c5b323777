internal import TrafficModel

/// The state of an exchange that the writer keeps until its end, so that the end needs no reading.
struct OpenExchange {
    /// The exchange's row.
    var row: Int64
    /// The row of its route, which selects the kind of its sums and similar header sections for its response.
    var route: Int64
    /// When the exchange began.
    var startedAt: Timestamp
    /// The size of the request.
    var up: WireSize
    /// The size of the response; `nothing` until there is one.
    var down = WireSize.nothing
    /// Whether there is a response.
    var hasResponse = false
    /// The status; 0 until there is a response.
    var status = 0
    /// Whether the response is one to the request: see ``ResponseRecord/isAnswer``.
    var isAnswered = false
    /// The row of the response's status, type, coding, reason and version; 0 until there is a response.
    var answer: Int64 = 0
    /// The size as sent of the response's body if it has a content coding and a known decoded size; else 0.
    var encodedBody = ByteCount.zero
    /// The size of the same body after decoding.
    var decodedBody = ByteCount.zero
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

    /// An exchange that has just begun.
    init(row: Int64, route: Int64, startedAt: Timestamp, up: WireSize) {
        self.row = row
        self.route = route
        self.startedAt = startedAt
        self.up = up
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
        down = packed.size
        hasResponse = true
        self.answer = answer
        status = Int(row.int(first + 5))
        isAnswered = status > 0 || row.int(first + 8) != 0
        if row.int(first + 6) != 0 { setCodedBody(packed.decodedBody) }
    }

    /// Takes the size, status and body sizes from a response.
    mutating func take(_ response: borrowing ResponseRecord, answer: Int64) {
        down = response.size
        hasResponse = true
        self.answer = answer
        status = response.status
        isAnswered = response.isAnswer
        encodedBody = .zero
        decodedBody = .zero
        if !response.contentEncoding.isEmpty { setCodedBody(response.decodedBody) }
    }

    /// The same as ``Exchange/hasFailed``.
    func hasFailed(_ end: ExchangeEnd?) -> Bool { FailedExchange.isIt(status: status, outcome: end?.outcome) }

    // The same condition as ``ResponseRecord/codedBody``.
    private mutating func setCodedBody(_ decoded: WireSize.Part) {
        guard decoded.evidence != .unknown, down.body.evidence != .unknown, down.body.bytes > 0 else { return }
        encodedBody = down.body.bytes
        decodedBody = decoded.bytes
    }
}
