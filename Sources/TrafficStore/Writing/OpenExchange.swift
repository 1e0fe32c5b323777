internal import TrafficModel

/// What the writer remembers of an exchange until its end, so that the end needs no reading.
struct OpenExchange {
    /// The row.
    var row: Int64
    /// The route's row, by which its response finds others like it and its sums their kind.
    var route: Int64
    /// When it began.
    var startedAt: Timestamp
    /// What the request weighs.
    var up: WireSize
    /// What the response weighs; nothing while there is none.
    var down = WireSize.nothing
    /// Whether a response has come.
    var hasResponse = false
    /// The status; 0 while there is no response.
    var status = 0
    /// Whether that response is an answer: see ``ResponseRecord/isAnswer``.
    var isAnswered = false
    /// The row of what the response says of itself; 0 while there is none.
    var answer: Int64 = 0
    /// The body of the response as sent where its decoded size is known, too; else 0.
    var encodedBody = ByteCount.zero
    /// The same body once decoded.
    var decodedBody = ByteCount.zero
    /// Whether its rows stay once it has ended; the sums count it either way.
    var keepsDetail = true
    /// Whether the table `running` has it.
    var isListed = false

    /// The columns that ``init(row:first:)`` reads.
    static let columns =
        "e.id, e.route, e.started, e.request, r.answer, a.status, a.coding <> '', r.details, a.version = '0.9'"
    /// How many columns these are.
    static let columnCount: Int32 = 9
    /// The tables of these columns, from those that run.
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

    /// The exchange of a row.
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

    /// Takes what a response tells.
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

    /// As ``Exchange/hasFailed`` says it.
    func hasFailed(_ end: ExchangeEnd?) -> Bool { FailedExchange.isIt(status: status, outcome: end?.outcome) }

    // As ``ResponseRecord/codedBody`` says it.
    private mutating func setCodedBody(_ decoded: WireSize.Part) {
        guard decoded.evidence != .unknown, down.body.evidence != .unknown, down.body.bytes > 0 else { return }
        encodedBody = down.body.bytes
        decodedBody = decoded.bytes
    }
}
