internal import TrafficModel

/// Decides when to log what could not be recorded: at once, and then no more than once a minute for each reason.
struct LossNotices {
    /// Losses to log.
    struct Notice: Equatable {
        /// The reason and the number since the last notice.
        var loss: TrafficLoss
        /// The number since the start.
        var sum: Int64
    }

    private static let pause = Duration.seconds(60)
    private var noticed: [TrafficLoss.Reason: (sum: Int64, at: ContinuousClock.Instant)] = [:]

    init() {}

    /// What to log now.
    ///
    /// - Parameters:
    ///   - sums: the losses since the start.
    ///   - now: the time.
    ///   - isLast: whether no call follows, so that nothing may wait for a minute to pass.
    /// - Returns: the losses by reason, in the order of their names.
    mutating func due(
        _ sums: [TrafficLoss.Reason: Int64], at now: ContinuousClock.Instant, isLast: Bool = false
    ) -> [Notice] {
        sums.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { reason, sum in
            let before = noticed[reason]
            guard sum > before?.sum ?? 0, isLast || before.map({ now - $0.at >= Self.pause }) ?? true else {
                return nil
            }
            noticed[reason] = (sum, now)
            return Notice(loss: TrafficLoss(reason: reason, count: sum - (before?.sum ?? 0)), sum: sum)
        }
    }
}

extension TrafficLoss.Reason {
    /// What became of what was lost, and what to do.
    var explanation: String {
        switch self {
        case .untapped:
            "transfers are not metered: their libcurl handles were made before metering started, or are used in a way "
                + "that cannot be metered; start the service before the first request"
        case .bufferFull:
            "traffic is not recorded, because the file is written more slowly than traffic comes; raise "
                + "'bufferedEvents' of the configuration, or use a faster disk"
        case .storeFailed: "traffic is not recorded, because the file cannot be written; check its disk"
        default: "traffic is not recorded: \(rawValue)"
        }
    }
}
