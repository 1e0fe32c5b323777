internal import TrafficModel

// The table of exchanges has whole microseconds, as machine formats write them: times rounded down, durations to the
// nearest.
extension Timestamp {
    /// Microseconds since the epoch, rounded down.
    @inline(__always)
    var microseconds: Int64 { TimeSlot.floor(nanoseconds, 1_000) }

    /// The first moment of a microsecond as read from a file.
    init(microseconds: Int64) {
        self.init(nanoseconds: Plausible.moment(microseconds.multipliedReportingOverflow(by: 1_000)))
    }

    /// The first whole microsecond that is not before this moment.
    var microsecondsUp: Int64 { -TimeSlot.floor(-max(nanoseconds, -.max), 1_000) }
}

extension Plausible {
    fileprivate static func moment(_ product: (partialValue: Int64, overflow: Bool)) -> Int64 {
        moment(product.overflow ? .max : product.partialValue)
    }

    /// Nanoseconds of a duration in microseconds.
    static func microseconds(_ value: Int64) -> Int64 {
        let (product, overflow) = value.multipliedReportingOverflow(by: 1_000)
        return duration(overflow ? .max : product)
    }
}
