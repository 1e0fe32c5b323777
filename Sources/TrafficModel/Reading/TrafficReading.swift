/// What a store can be asked.
///
/// Reports, exports and the inspector see a store only through this.
///
/// Another process may be writing meanwhile; each call sees one consistent state.
public protocol TrafficReading: Sendable {
    /// The totals of the exchanges in a range of time, one item for each value of the grouping.
    ///
    /// Everything that was metered counts, and the range is widened to whole minutes; but by ``TrafficGrouping/path``
    /// only the exchanges count whose rows are still kept.
    func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal]

    /// The traffic of a range over time, in at most that many slots; everything that was metered counts.
    func timeline(in range: TimeRange, limit: Int) throws -> TrafficTimeline

    /// What could not be recorded, by reason.
    func losses() throws -> [TrafficLoss]

    /// Hands over the exchanges that match, one by one and in bounded memory, until the body says stop.
    ///
    /// - Parameters:
    ///   - filter: which exchanges.
    ///   - order: from the oldest or from the newest.
    ///   - after: begin behind this exchange, in that order; nil for the first page.
    ///   - body: takes one exchange and says whether to go on.
    /// - Throws: what the store or the body throws.
    func forEachExchange(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?,
        _ body: (Exchange) throws -> Bool
    ) throws

    /// One exchange; nil where there is none of that number.
    func exchange(_ id: ExchangeID) throws -> Exchange?

    /// Hands over the connections one by one, in bounded memory, until the body says stop.
    ///
    /// - Parameters:
    ///   - order: from the one that was told of first, or from the last.
    ///   - after: begin behind this connection, in that order; nil for the first page.
    ///   - body: takes one connection and says whether to go on.
    /// - Throws: what the store or the body throws.
    func forEachConnection(
        order: ExchangeOrder, after: ConnectionID?, _ body: (ConnectionRecord) throws -> Bool
    ) throws

    /// One connection; nil where there is none of that number.
    func connection(_ id: ConnectionID) throws -> ConnectionRecord?

    /// What the ledgers of the connections leave open that were there in a range of time.
    func ledgerCoverage(in range: TimeRange) throws -> LedgerCoverage

    /// What the store holds.
    func overview() throws -> StoreOverview
}
