internal import TrafficModel

/// Outcomes as numbers, which are part of the file format and never change; the table `outcome` has their names.
enum OutcomeNumber {
    // 0 is the most common outcome, because SQLite stores 0 without bytes. 1 are the failures.
    private static let numbers: [(outcome: ExchangeEnd.Outcome, number: Int64)] = [
        (.completed, 0), (.cancelled, 2), (.timedOut, 3), (.abandoned, 4), (.incomplete, 5),
    ]

    /// The number of an outcome.
    static func of(_ outcome: ExchangeEnd.Outcome) -> Int64 {
        if outcome.failure != nil { return 1 }
        return numbers.first { $0.outcome == outcome }?.number ?? 4
    }

    /// The outcome with that number; `failure` is used if the number is that of a failure.
    static func outcome(_ number: Int64, failure: ExchangeFailure?) -> ExchangeEnd.Outcome {
        if number == 1 { return .failed(failure ?? ExchangeFailure(ExchangeFailure.Domain(""), code: 0)) }
        return numbers.first { $0.number == number }?.outcome ?? .abandoned
    }

    /// Whether the outcome of that number is one of a failure: see ``ExchangeEnd/Outcome/isFailure``.
    static func isFailure(_ number: Int64) -> Bool { number == 1 || number == 3 }

    /// Whether it is `incomplete`.
    static func isIncomplete(_ number: Int64) -> Bool { number == 5 }

    /// Whether it is `incomplete` or `abandoned`, as which any unknown number is read.
    static func isUnseen(_ number: Int64) -> Bool { !(0...3 ~= number) }
}
