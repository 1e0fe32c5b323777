internal import TrafficModel

/// The traffic added to each minute since the last write.
struct TimelineGrowth {
    private var minutes: [Int64: TrafficTimeline.Slot] = [:]
    // The current minute, which is not yet in `minutes`.
    private var current = TrafficTimeline.Slot(minute: 0)
    private var minute = Int64.min

    /// Adds an exchange that began in that minute.
    mutating func add(_ exchange: borrowing ExchangeFigures, hasFailed: Bool, minute: Int64) {
        if minute != self.minute {
            keepCurrent()
            self.minute = minute
            current = minutes[minute] ?? TrafficTimeline.Slot(minute: minute)
        }
        current.add(exchange, hasFailed: hasFailed)
    }

    /// Returns the sums of all minutes, and clears them.
    mutating func takeMinutes() -> [Int64: TrafficTimeline.Slot] {
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

extension TrafficTimeline.Slot {
    /// The slot that begins with a minute since the epoch.
    init(minute: Int64) { self.init(begin: Timestamp(nanoseconds: minute &* TimeSlot.minute)) }
}
