package import TrafficModel

/// A size computed from what an API shows, and how far it may be off.
package struct Estimate: Hashable, Sendable {
    /// The most by which each part can be off, up or down, in bytes; nil where nothing bounds it.
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

        /// The most by which the total can be off; nil where a part of it is not bounded.
        package var total: Int64? {
            [startLine, fields, interim, body, framing].reduce(Int64?.some(0)) { sum, part in
                guard let sum, let part else { return nil }
                return sum.addingClamped(part)
            }
        }

        static let unbounded = Bound(startLine: nil, fields: nil, cookies: nil, interim: nil, body: nil, framing: nil)
    }

    /// The parts, each `reconstructed`, or `unknown` where nothing tells it; without a margin.
    package var size: WireSize
    /// The parts, and by how much their sum may be off.
    package var sizeWithMargin: WireSize {
        var size = size
        size.margin = size.total == nil ? nil : usualBound.total.map { ByteCount($0) }
        return size
    }
    /// Holds whatever the other end wrote.
    package var bound: Bound
    /// Holds where the other end writes as the RFCs advise: one space behind the colon and none behind the value, a
    /// name in one spelling, the status's own phrase or none, no unasked interim response, no chunk extensions,
    /// leading zeros or trailers, a compressor at its usual level.
    package var usualBound: Bound

    package init(size: WireSize, bound: Bound, usualBound: Bound) {
        self.size = size
        self.bound = bound
        self.usualBound = usualBound
    }
}
