internal import TextFormats
@_exported public import TrafficModel

/// The sums of metered exchanges: of all, or of one API.
public protocol MeteredFigures: CustomStringConvertible {
    /// The sums in the form that reports use.
    var figures: TrafficTotal { get }
}

extension MeteredFigures {
    /// The number of requests.
    public var requests: Int { Int(figures.requests) }

    /// The number of requests that got a response.
    public var responses: Int { Int(figures.responses) }

    /// The number of requests without a response: refused, cut off, cancelled, or still running at the end.
    public var unanswered: Int { Int(figures.unanswered) }

    /// The number of requests that failed, timed out, or got a status of 400 or more.
    public var failures: Int { Int(figures.failures) }

    /// The bytes of the requests on the wire, all parts.
    public var up: ByteCount { figures.up.total }

    /// The bytes of the responses on the wire, all parts.
    public var down: ByteCount { figures.down.total }

    /// The bytes in both directions.
    public var total: ByteCount { up + down }

    /// The bytes by direction and part, such as `parts.up.cookies` or `parts.down.body`.
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
