extension ExchangeEnd {
    /// How an exchange ended.
    public struct Outcome: Hashable, Sendable {
        // Outcomes are compared for each exchange, which takes longer with texts.
        private enum Kind: String {
            case completed, cancelled, timedOut, abandoned, incomplete, failed
        }

        private let kind: Kind
        /// The outcome's name in machine formats.
        public var name: String { kind.rawValue }
        /// The reason of a failure; nil for every other outcome.
        public let failure: ExchangeFailure?

        private init(_ kind: Kind, _ failure: ExchangeFailure? = nil) {
            self.kind = kind
            self.failure = failure
        }

        /// The whole response arrived, whether or not the program used the result.
        public static let completed = Outcome(.completed)
        /// The program cancelled the request before it was done.
        public static let cancelled = Outcome(.cancelled)
        /// The time limit of the program passed.
        public static let timedOut = Outcome(.timedOut)
        /// The process ended, or metering stopped, before the exchange ended.
        public static let abandoned = Outcome(.abandoned)
        /// The meter lost a part of the exchange: its outcome and the sizes of the missing parts are not known.
        public static let incomplete = Outcome(.incomplete)

        /// The exchange failed for that reason.
        public static func failed(_ failure: ExchangeFailure) -> Outcome { Outcome(.failed, failure) }

        /// Whether the outcome says that the exchange failed, whatever its status is.
        ///
        /// A cancelled exchange did not fail, because the program wanted it. Whether an abandoned or incomplete
        /// exchange failed is not known.
        public var isFailure: Bool { kind == .failed || kind == .timedOut }
    }
}

extension ExchangeEnd {
    /// Whether the meter did not see the end; then the recorded time is not that of the exchange's end.
    package var isEndUnseen: Bool { outcome == .abandoned || outcome == .incomplete }
}

/// The one definition of a failed exchange, for reports, roll-ups, filters, the audit and the page.
///
/// An exchange failed if its response has a status of 400 or more, or if it ended as failed or timed out. Cancelled,
/// abandoned and incomplete exchanges did not fail.
package enum FailedExchange {
    /// The lowest status of a failure: client errors (RFC 9110, section 15.5) and server errors (section 15.6).
    package static let lowestStatus = 400

    /// Whether an exchange with that status and that outcome has failed.
    ///
    /// - Parameters:
    ///   - status: of the response; 0 if none came.
    ///   - outcome: nil while the exchange runs.
    /// - Returns: whether it counts as failed.
    package static func isIt(status: Int, outcome: ExchangeEnd.Outcome?) -> Bool {
        status >= lowestStatus || outcome?.isFailure == true
    }
}

extension Exchange {
    /// Whether the response has a status of 400 or more, or the exchange ended as failed or timed out.
    ///
    /// Reports count these as failures. Cancelled exchanges are none, nor are those whose end the meter did not see.
    public var hasFailed: Bool {
        FailedExchange.isIt(status: response?.status ?? 0, outcome: end?.outcome)
    }
}
