internal import TrafficModel

/// What one transaction gathers before it is committed, and what is needed to forget it.
struct WriteTransaction {
    /// The parts of one exchange in a batch: indices of its last request, response and end among the events.
    struct Slot {
        var exchange: Int64
        var request = -1
        var response = -1
        var end = -1
        var late: Int64 = 0
    }

    /// The exchanges of the batch in the order in which they came.
    var slots: [Slot] = []
    var slotOf = SlotTable()
    /// The last word on each connection.
    var connections: [Int64: Int] = [:]
    /// The first and last exchange that began in a minute.
    var spans: [Int64: (first: Int64, last: Int64)] = [:]
    /// The span that grows at present; not among ``spans`` until another begins.
    var span = (minute: Int64.min, first: Int64(0), last: Int64(0))
    /// The first and the last exchange that ended on each connection; not those of the carriers in memory.
    var carried: [Int64: (first: Int64, last: Int64)] = [:]
    var nextExchange: Int64 = 0
    var nextConnection: Int64 = 0
    var rows: Int64 = 0
    /// How many numbers were given out, now or earlier, that have no row any more.
    var unkept: Int64 = 0

    /// Open exchanges as they were.
    var runningBefore: [Int64: OpenExchange?] = [:]
    var endedNow: [Int64] = []
    var connectionsNow: [Int64] = []

    /// Forgets the transaction before.
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

    /// Forgets the batch before; what the transaction has gathered stays.
    mutating func beginBatch() {
        slots.removeAll(keepingCapacity: true)
        slotOf.removeAll()
        connections.removeAll(keepingCapacity: true)
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

    /// Adds what a carrier has seen to what its connection has carried.
    mutating func keep(_ carrier: StoreWriter.Carrier) {
        guard carrier.first <= carrier.last else { return }
        let before = carried[carrier.row]
        carried[carrier.row] = (
            min(before?.first ?? .max, carrier.first), max(before?.last ?? .min, carrier.last)
        )
    }

    /// Puts the span that grows at present among the others.
    mutating func keepSpan() {
        if span.minute != .min { spans[span.minute] = (span.first, span.last) }
    }
}
