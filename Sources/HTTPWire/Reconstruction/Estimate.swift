package import TrafficModel

/// A size computed from what an API shows, and its largest possible error.
package struct Estimate: Hashable, Sendable {
    /// The largest error of each part, up or down, in bytes; nil if it has no bound.
    package struct Bound: Hashable, Sendable {
        package var startLine: Int64?
        package var fields: Int64?
        package var cookies: Int64?
        package var interim: Int64?
        package var body: Int64?
        package var framing: Int64?

        package init(
            startLine: Int64? = 0, fields: Int64? = 0, cookies: Int64? = 0, interim: Int64? = 0, body: Int64? = 0,
            framing: Int64? = 0
        ) {
            self.startLine = startLine
            self.fields = fields
            self.cookies = cookies
            self.interim = interim
            self.body = body
            self.framing = framing
        }

        /// The largest error of the total; nil if a part of it has no bound.
        package var total: Int64? {
            [startLine, fields, interim, body, framing].reduce(Int64?.some(0)) { sum, part in
                guard let sum, let part else { return nil }
                return sum.addingClamped(part)
            }
        }

        static let unbounded = Bound(startLine: nil, fields: nil, cookies: nil, interim: nil, body: nil, framing: nil)
    }

    /// The parts, each `reconstructed`, or `unknown` if nothing shows it; without a margin.
    package var size: WireSize
    /// The parts, and the largest error of their sum as the margin.
    package var sizeWithMargin: WireSize {
        var size = size
        size.margin = size.total == nil ? nil : usualBound.total.map { ByteCount($0) }
        return size
    }
    /// Holds whatever the other end writes.
    package var bound: Bound
    /// Holds if the other end writes as the RFCs advise.
    ///
    /// That is: one space after the colon and none after the value, a name in one spelling, the status's own phrase or
    /// none, no unrequested interim response, no chunk extensions, leading zeros or trailers, a compressor at its usual
    /// level.
    package var usualBound: Bound

    package init(size: WireSize, bound: Bound, usualBound: Bound) {
        self.size = size
        self.bound = bound
        self.usualBound = usualBound
    }
}
