import Foundation
package import TrafficModel

/// The system's clock.
package enum SystemClock {
    /// Returns the present time (CLOCK_REALTIME).
    package static let now: @Sendable () -> Timestamp = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
