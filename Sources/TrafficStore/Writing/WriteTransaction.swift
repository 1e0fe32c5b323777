internal import TrafficModel

/// The data that one transaction gathers before it is committed, and that a rollback needs.
struct WriteTransaction {
    /// One exchange of a batch: the indices of its last request, response and end in the arrays of the batch; -1 for
    /// none.
    struct BatchedExchange {
        var exchange: Int64
        var request = -1
        var response = -1
        var end = -1
        var late: Int64 = 0
    }

    /// The exchanges of the batch, in the order in which they came.
    var exchanges: [BatchedExchange] = []
    var indices = BatchIndices()
    /// The index of the last record of each connection.
    var connections: [Int64: Int] = [:]
    /// The carriers that were named, each with the index of the first exchange after that.
    var carriers: [(name: String, first: Int)] = []
    /// The first and the last exchange that began in each minute.
    var spans: [Int64: (first: Int64, last: Int64)] = [:]
    /// The span of the current minute, which is not yet in ``spans``.
    var span = (minute: Int64.min, first: Int64(0), last: Int64(0))
    /// The first and the last exchange that ended on each connection, without those that the connection cache holds.
    var carried: [Int64: (first: Int64, last: Int64)] = [:]
    var nextExchange: Int64 = 0
    var nextConnection: Int64 = 0
    var rows: Int64 = 0
    /// How many exchange numbers, new or earlier ones, have no row because of this transaction.
    var unkept: Int64 = 0

    /// Open exchanges as they were before the transaction.
    var runningBefore: [Int64: OpenExchange?] = [:]
    var endedNow: [Int64] = []
    var connectionsNow: [Int64] = []

    /// Clears the data of the previous transaction.
    mutating func begin() {
        beginBatch()
        spans.removeAll(keepingCapacity: true)
        carried.removeAll(keepingCapacity: true)
        runningBefore.removeAll(keepingCapacity: true)
        endedNow.removeAll(keepingCapacity: true)
        connectionsNow.removeAll(keepingCapacity: true)
        span.minute = .min
        rows = 0
        unkept = 0
    }

    /// Clears the data of the previous batch; the data of the transaction stays.
    mutating func beginBatch() {
        exchanges.removeAll(keepingCapacity: true)
        indices.removeAll()
        connections.removeAll(keepingCapacity: true)
        carriers.removeAll(keepingCapacity: true)
    }

    /// Adds an exchange to the span of its minute.
    mutating func add(row: Int64, minute: Int64) {
        if minute != span.minute {
            keepSpan()
            let before = spans[minute]
            span = (minute, before?.first ?? row, before?.last ?? row)
        }
        span.first = min(span.first, row)
        span.last = max(span.last, row)
    }

    /// Adds the exchanges of a cached connection to ``carried``.
    mutating func keep(_ cached: StoreWriter.CachedConnection) {
        guard cached.first <= cached.last else { return }
        let before = carried[cached.row]
        carried[cached.row] = (
            min(before?.first ?? .max, cached.first), max(before?.last ?? .min, cached.last)
        )
    }

    /// Moves the current span to ``spans``.
    mutating func keepSpan() {
        if span.minute != .min { spans[span.minute] = (span.first, span.last) }
    }
}
