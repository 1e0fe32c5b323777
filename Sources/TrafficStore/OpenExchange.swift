internal import TrafficModel

/// What the writer remembers of an exchange until its end, so that the end needs no reading.
struct OpenExchange {
    /// The row.
    var row: Int64
    /// The API's row.
    var api: Int64
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
    /// The route's row, by which its response finds others like it; 0 where it is not known.
    var kin: Int64 = 0
    /// Whether its rows stay once it has ended; the sums count it either way.
    var keepsDetail = true
    /// Whether the table `running` has it.
    var isListed = false

    /// The columns that ``init(row:)`` reads.
    static let columns = "e.id, t.api, e.started, e.request, a.status, r.details"
    /// The tables of these columns, from those that run.
    static let tables = """
        FROM running n JOIN exchange e ON e.id = n.id JOIN route t ON t.id = e.route
            LEFT JOIN response r ON r.id = e.id LEFT JOIN answer a ON a.id = r.answer
        """

    /// An exchange that has just begun.
    init(row: Int64, api: Int64, startedAt: Timestamp, up: WireSize) {
        self.row = row
        self.api = api
        self.startedAt = startedAt
        self.up = up
    }

    /// The exchange of a row.
    init(row: PreparedStatement) {
        var request = ByteReader(row.bytes(3))
        self.init(
            row: row.int(0), api: row.int(1), startedAt: Timestamp(nanoseconds: row.int(2)),
            up: MessageCoding(request: &request).size)
        guard let status = row.optionalInt(4) else { return }
        var response = ByteReader(row.bytes(5))
        down = MessageCoding(response: &response).size
        hasResponse = true
        self.status = Int(status)
    }
}
