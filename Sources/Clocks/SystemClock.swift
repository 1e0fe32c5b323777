#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

package import TrafficModel

/// The system's clocks.
package enum SystemClock {
    /// Returns the time of the wall clock (CLOCK_REALTIME).
    @Sendable package static func now() -> Timestamp { Timestamp(nanoseconds: read(CLOCK_REALTIME)) }

    /// Returns the nanoseconds of the monotonic clock (CLOCK_MONOTONIC), with which the tap stamps its frames.
    package static func monotonic() -> UInt64 { UInt64(read(CLOCK_MONOTONIC)) }

    /// Returns wall clock minus monotonic clock, in nanoseconds.
    package static func wallOffset() -> Int64 { read(CLOCK_REALTIME) - read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}

extension Timestamp {
    /// The wall-clock time of a moment of the monotonic clock.
    ///
    /// The moment may be any number that a frame has: if the sum overflows, the result is the latest timestamp.
    package init(monotonic: UInt64, wallOffset: Int64) {
        let (sum, isTooLate) = Int64(clamping: monotonic).addingReportingOverflow(wallOffset)
        self.init(nanoseconds: isTooLate ? .max : sum)
    }
}
