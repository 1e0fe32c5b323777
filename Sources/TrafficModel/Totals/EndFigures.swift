/// The part of an end that ``TrafficSums`` count.
package struct EndFigures: Sendable {
    /// Whether the outcome says that the exchange failed, whatever its status is.
    package var isFailure: Bool
    /// Whether the meter lost a part of the exchange.
    package var isIncomplete: Bool
    /// Whether the meter did not see the end.
    package var isUnseen: Bool
    /// The phases, and as their total the duration that counts: see ``ExchangeEnd/duration(since:)``.
    package var timings: ExchangeTimings
    /// Whether an earlier exchange had opened its connection; nil if no connection was made.
    package var reusedConnection: Bool?
    /// What the connection carried in addition; nil if that is not known.
    package var share: ConnectionShare?

    /// The figures with those values.
    package init(
        isFailure: Bool, isIncomplete: Bool, isUnseen: Bool, timings: ExchangeTimings, reusedConnection: Bool?,
        share: ConnectionShare?
    ) {
        self.isFailure = isFailure
        self.isIncomplete = isIncomplete
        self.isUnseen = isUnseen
        self.timings = timings
        self.reusedConnection = reusedConnection
        self.share = share
    }

    /// The figures of an exchange that began at that moment.
    package init(_ end: borrowing ExchangeEnd, since startedAt: Timestamp) {
        isIncomplete = end.outcome == .incomplete
        isUnseen = isIncomplete || end.outcome == .abandoned
        isFailure = end.outcome.isFailure
        timings = end.timings
        timings.total = end.duration(since: startedAt)
        reusedConnection = end.connection == nil ? nil : end.reusedConnection
        share = end.share
    }
}
