extension ExchangeEnd {
    /// What came of an exchange.
    public struct Outcome: Hashable, Sendable {
        /// The word for it in machine formats.
        public let name: String
        /// Why it failed; nil for every other outcome.
        public let failure: ExchangeFailure?

        private init(_ name: String, _ failure: ExchangeFailure? = nil) {
            self.name = name
            self.failure = failure
        }

        /// The response arrived whole, whether or not the program asked for the result.
        public static let completed = Outcome("completed")
        /// The program took the request back before it was done.
        public static let cancelled = Outcome("cancelled")
        /// The time that the program had set was over.
        public static let timedOut = Outcome("timedOut")
        /// The process, or the metering of it, ended before the exchange did.
        public static let abandoned = Outcome("abandoned")
        /// The meter lost a part of it: what came of it is not known, and neither are the sizes of what is missing.
        public static let incomplete = Outcome("incomplete")

        /// It failed, for that reason.
        public static func failed(_ failure: ExchangeFailure) -> Outcome { Outcome("failed", failure) }

        /// Whether it says that the exchange failed, whatever its status is.
        ///
        /// A cancel is what the program wanted. Of an exchange that was abandoned, or that the meter lost a part of,
        /// nobody knows whether it failed.
        public var isFailure: Bool { failure != nil || self == .timedOut }
    }
}

extension ExchangeEnd {
    /// Whether the end was not seen, so that the moment beside it is not the exchange's own.
    package var isEndUnseen: Bool { outcome == .abandoned || outcome == .incomplete }
}

/// What counts as failed: the one definition that reports, roll-ups, filters, the audit and the page use.
///
/// An exchange has failed when it was answered with a status of 400 or more, or ended as failed or timed out. One that
/// was cancelled or abandoned, and one that the meter lost a part of, has not.
package enum FailedExchange {
    /// The lowest status that says so: a client error (RFC 9110, section 15.5) or a server error (section 15.6).
    package static let lowestStatus = 400

    /// Whether an exchange with that status and that outcome has failed.
    ///
    /// - Parameters:
    ///   - status: of the response; 0 where none came.
    ///   - outcome: nil while it runs.
    /// - Returns: whether it counts as failed.
    package static func isIt(status: Int, outcome: ExchangeEnd.Outcome?) -> Bool {
        status >= lowestStatus || outcome?.isFailure == true
    }
}

extension Exchange {
    /// Whether it was answered with a status of 400 or more, or ended as failed or timed out.
    ///
    /// Reports count these as failures. A cancel is none, and neither is what nobody saw the end of.
    public var hasFailed: Bool {
        FailedExchange.isIt(status: response?.status ?? 0, outcome: end?.outcome)
    }
}
