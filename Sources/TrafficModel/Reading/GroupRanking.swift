/// What decides which groups come first.
package enum GroupOrder: Sendable {
    /// A sum that depends on sizes alone.
    package enum Size: Sendable {
        /// Known bytes in both directions.
        case total
        /// Known bytes of the requests.
        case up
        /// Known bytes of the responses.
        case down
        /// Known bytes of header sections.
        case fields
        /// Known bytes of Cookie and Set-Cookie lines.
        case cookies
        /// The number of requests.
        case requests
    }

    /// The group with the largest sum of a size of its exchanges.
    case size(Size)
    /// The group with the largest sum of a value of its exchanges.
    case sum(@Sendable (ExchangeFigures, EndFigures?) -> Int64)
    /// The group whose percentile of a duration is the longest; the share is from 0 to 1.
    ///
    /// Groups without such a duration come last. An exchange that is still running has none.
    case percentile(Double, @Sendable (ExchangeTimings) -> Int64?)
    /// The group whose percentile of a size of its calls is the largest; the share is from 0 to 1.
    ///
    /// Groups without such a call come last.
    case weight(Double, @Sendable (ByteFlow) -> ByteCount)
    /// The group with the most recent exchange.
    case latest
    /// The group whose name comes first, by host, path and method.
    case name
}

/// The first groups in an order, and the sum of all others.
package struct LeadingTotals: Sendable {
    /// The first groups, in no particular order.
    package var rows: [TrafficTotal]
    /// The number of groups that are not in ``rows``.
    package var otherGroups: Int
    /// The sum of these.
    package var others: TrafficSums

    /// The totals of those groups.
    package init(rows: [TrafficTotal], otherGroups: Int, others: TrafficSums) {
        self.rows = rows
        self.otherGroups = otherGroups
        self.others = others
    }
}

/// A store that finds the first of any number of groups in memory that grows only with the groups that it returns.
package protocol GroupRanking: TrafficReading {
    /// The totals of the first paths of a range, and the sum of the others.
    ///
    /// - Parameters:
    ///   - most: the largest number of groups. Which groups of equal weight are the last ones is arbitrary, but the same
    ///     each time.
    ///   - direction: whether those that were called count, or those that were served.
    ///   - range: which exchanges count.
    ///   - order: which groups are the first.
    ///   - naming: the name under which an authority counts.
    /// - Returns: the totals; together they have all exchanges of the direction and the range.
    /// - Throws: the errors of the store.
    func leadingPaths(
        _ most: Int, of direction: TrafficDirection, in range: TimeRange, order: GroupOrder,
        naming: @escaping @Sendable (String) -> String
    ) throws -> LeadingTotals
}
