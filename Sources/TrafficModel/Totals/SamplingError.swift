/// How far a total may be off that was estimated from a part of its exchanges.
package struct SamplingError: Hashable, Sendable {
    /// The exchanges that were counted.
    package var counted: Int64
    /// The variance of the number of requests.
    package var requestVariance: Double
    /// The variance of the bytes.
    package var byteVariance: Double

    /// An error with those variances.
    package init(counted: Int64, requestVariance: Double, byteVariance: Double) {
        self.counted = counted
        self.requestVariance = requestVariance
        self.byteVariance = byteVariance
    }

    /// One standard deviation of the number of requests.
    package var requests: Int64 { Int64(clamping: requestVariance.squareRoot().rounded()) }

    /// One standard deviation of the bytes.
    package var bytes: ByteCount { ByteCount(Int64(clamping: byteVariance.squareRoot().rounded())) }

    /// The error of the sum of two totals that were drawn independently.
    package static func + (left: SamplingError, right: SamplingError) -> SamplingError {
        SamplingError(
            counted: left.counted + right.counted, requestVariance: left.requestVariance + right.requestVariance,
            byteVariance: left.byteVariance + right.byteVariance)
    }
}
