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
    /// What the response weighs; nil while there is none.
    var down: WireSize?
    /// The status; 0 while there is no response.
    var status: Int
    /// Whether the table `running` has it.
    var isListed = false
}
