package import TrafficModel

/// Decides what to do after each attempt to send; it reads no clock and sends nothing itself.
package struct ShippingSchedule: Sendable {
    /// How an attempt ended.
    package enum Outcome: Hashable, Sendable {
        /// The destination has the rows.
        case accepted
        /// The batch is too large.
        case tooLarge
        /// It may be accepted later, at the earliest after that number of seconds if there is one.
        case later(after: Int?)
        /// It will never be accepted.
        case refused
        /// Nothing will be accepted until somebody changes something, such as the password or a table.
        case blocked
    }

    /// What to do.
    package enum Action: Hashable, Sendable {
        /// Forget the batch, it is done.
        case acknowledge
        /// Send its halves instead.
        case halve
        /// Send the same again at that time.
        case wait(until: Timestamp)
        /// Never send it again, and count its rows as lost.
        case setAside
        /// Give up; the batch stays.
        case stop
    }

    /// The first pause and the longest, in nanoseconds; before the first retry at least half of the first.
    static let firstPause: Int64 = 1_000_000_000
    static let longestPause: Int64 = 300_000_000_000
    private static let longestRequested = 3_600

    /// How many attempts in a row may fail before it gives up; nil if it never does.
    private let mostAttempts: Int?
    /// How many attempts in a row have failed.
    package private(set) var failures = 0

    /// A schedule that gives up after a number of attempts.
    package init(mostAttempts: Int?) { self.mostAttempts = mostAttempts }

    /// Takes the outcome of an attempt, and says what to do.
    ///
    /// - Parameters:
    ///   - outcome: how it ended.
    ///   - now: the time.
    ///   - random: a number from 0 to 1, so that many installations that failed together do not try again together.
    /// - Returns: what to do.
    package mutating func take(_ outcome: Outcome, now: Timestamp, random: Double) -> Action {
        switch outcome {
        case .accepted:
            failures = 0
            return .acknowledge
        case .tooLarge:
            failures = 0
            return .halve
        case .refused:
            failures = 0
            return .setAside
        case .later(let seconds): return retry(after: seconds, now: now, random: random)
        case .blocked:
            guard mostAttempts == nil else { return .stop }
            return retry(after: nil, now: now, random: random)
        }
    }

    private mutating func retry(after seconds: Int?, now: Timestamp, random: Double) -> Action {
        failures += 1
        if let mostAttempts, failures >= mostAttempts { return .stop }
        let ceiling = min(Self.longestPause, Self.firstPause << Int64(min(failures - 1, 20)))
        let half = ceiling / 2
        var pause = half + Int64(Double(half) * min(1, max(0, random)))
        if let seconds { pause = max(pause, Int64(min(max(0, seconds), Self.longestRequested)) * 1_000_000_000) }
        return .wait(until: Timestamp(nanoseconds: now.nanoseconds &+ pause))
    }

    /// The hour of a moment, by which the budget is counted.
    package static func hour(of moment: Timestamp) -> Int64 { moment.nanoseconds / 3_600_000_000_000 }

    /// When the next batch may be sent under a budget; nil if now.
    ///
    /// A batch that is larger than the budget of a whole hour is sent when the hour is new.
    package static func start(
        of bytes: Int, after sent: Int64, in hour: Int64, budget: Int64?, now: Timestamp
    ) -> Timestamp? {
        guard let budget, Self.hour(of: now) == hour, sent > 0, sent + Int64(bytes) > budget else { return nil }
        return Timestamp(nanoseconds: (hour + 1) * 3_600_000_000_000)
    }
}
