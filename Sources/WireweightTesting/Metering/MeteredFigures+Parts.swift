internal import TextFormats

extension MeteredFigures {
    /// Whether the bytes of both directions are within a budget.
    ///
    /// ```swift
    /// let traffic = try await metering { try await client.loadFeed() }
    /// #expect(traffic.fits(.kilobytes(40)))
    /// ```
    ///
    /// If it fails, the test's message has the three heaviest APIs and the largest part of each.
    ///
    /// - Parameter budget: the most bytes, up and down together.
    /// - Returns: whether there were not more.
    public func fits(_ budget: ByteCount) -> Bool { total <= budget }

    /// Whether the bytes of each direction are within a budget.
    ///
    /// - Parameters:
    ///   - up: the most bytes of the requests.
    ///   - down: the most bytes of the responses.
    /// - Returns: whether there were not more.
    public func fits(up: ByteCount, down: ByteCount) -> Bool { self.up <= up && self.down <= down }

    /// The largest part in words, such as `mostly response bodies: 1,900 B`; nil if there are no bytes.
    var largestPart: String? {
        let parts: [(name: String, bytes: ByteCount)] = [
            ("request lines", figures.up.startLine), ("request headers", figures.up.fields),
            ("request bodies", figures.up.body), ("framing of requests", figures.up.framing),
            ("status lines", figures.down.startLine), ("response headers", figures.down.fields),
            ("interim responses", figures.down.interim), ("response bodies", figures.down.body),
            ("framing of responses", figures.down.framing),
        ]
        guard let largest = parts.max(by: { $0.bytes < $1.bytes }), largest.bytes > .zero else { return nil }
        return "mostly \(largest.name): \(Units.count(largest.bytes.bytes)) B"
    }
}
