@_exported public import TrafficModel
internal import TrafficReports

/// What metered exchanges weigh: of all that was metered, or of one API.
public protocol MeteredFigures: CustomStringConvertible {
    /// The sums, as reports have them.
    var figures: TrafficTotal { get }
}

extension MeteredFigures {
    /// How many requests were made.
    public var requests: Int { Int(figures.requests) }

    /// How many of them were answered.
    public var responses: Int { Int(figures.responses) }

    /// How many of them have no answer: refused, cut, cancelled, or running at the end.
    public var unanswered: Int { Int(figures.unanswered) }

    /// How many failed or timed out, or were answered with a status of 400 or more.
    public var failures: Int { Int(figures.failures) }

    /// Bytes of the requests on the wire, all parts.
    public var up: ByteCount { figures.up.total }

    /// Bytes of the responses on the wire, all parts.
    public var down: ByteCount { figures.down.total }

    /// Bytes in both directions.
    public var total: ByteCount { up + down }

    /// Bytes by direction and part: `parts.up.cookies`, `parts.down.body`.
    public var parts: (up: PartTotals, down: PartTotals) { (figures.up, figures.down) }

    /// The sums in words: `2 requests (1 unanswered), 312 B up, 40,117 B down`.
    var summary: String {
        let remarks = [(unanswered, "unanswered"), (failures, "failed")].filter { $0.0 > 0 }
            .map { "\(Units.count(Int64($0.0))) \($0.1)" }
        return "\(Units.count(figures.requests)) \(requests == 1 ? "request" : "requests")"
            + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")
            + ", \(Units.count(up.bytes)) B up, \(Units.count(down.bytes)) B down"
    }
}
