internal import TrafficModel

extension Timestamp {
    /// The nanoseconds until another time; 0 if that is earlier, because the clock may have been set back in between.
    func span(to other: Timestamp) -> Int64 {
        let (span, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return overflow ? (other > self ? .max : 0) : max(0, span)
    }
}
