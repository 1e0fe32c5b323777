internal import TrafficModel

/// The traffic added to each minute since the last write.
struct TimelineGrowth {
    struct Sum {
        var requests: Int64 = 0
        var failures: Int64 = 0
        var up: Int64 = 0
        var down: Int64 = 0

        /// Adds an exchange that has ended, or, without an end, one that is still running.
        mutating func add(_ exchange: borrowing OpenExchange, end: ExchangeEnd?) {
            requests += 1
            if exchange.hasFailed(end) { failures += 1 }
            up &+= exchange.up.known.bytes
            if exchange.hasResponse { down &+= exchange.down.known.bytes }
        }
    }

    private var minutes: [Int64: Sum] = [:]
    // The current minute, which is not yet in `minutes`.
    private var current = Sum()
    private var minute = Int64.min

    /// Adds an exchange that began in that minute.
    mutating func add(_ exchange: borrowing OpenExchange, end: ExchangeEnd?, minute: Int64) {
        if minute != self.minute {
            keepCurrent()
            self.minute = minute
            current = minutes[minute] ?? Sum()
        }
        current.add(exchange, end: end)
    }

    /// Returns the sums of all minutes, and clears them.
    mutating func takeMinutes() -> [Int64: Sum] {
        keepCurrent()
        defer { removeAll() }
        return minutes
    }

    mutating func removeAll() {
        minutes.removeAll(keepingCapacity: true)
        minute = .min
    }

    private mutating func keepCurrent() {
        if minute != .min { minutes[minute] = current }
    }
}
