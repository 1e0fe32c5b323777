// What was read of a file or a network may be any number, and computing with it must not end the program.
extension Int64 {
    /// The sum, or the largest or least number.
    package func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    /// The product, or the largest or least number.
    package func multipliedClamped(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// The distance between the two.
    package func distanceClamped(to other: Int64) -> Int64 {
        let (difference, overflow) = other.subtractingReportingOverflow(self)
        return overflow || difference == .min ? .max : abs(difference)
    }
}
