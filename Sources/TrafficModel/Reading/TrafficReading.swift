/// The queries that a store answers.
///
/// Reports, exports and the inspector read a store only through this.
///
/// Another process may be writing at the same time; each call sees one consistent state.
public protocol TrafficReading: Sendable {
    /// The totals of the exchanges in a range of time, one item for each value of the grouping
    /// in each direction.
    ///
    /// The totals include everything that was metered, and the range is widened to whole minutes. By
    /// ``TrafficGrouping/path`` they include only the exchanges whose rows are still kept.
    func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal]

    /// The traffic of a range over time in one direction, in at most `limit` slots; it includes everything that was
    /// metered.
    func timeline(of direction: TrafficDirection, in range: TimeRange, limit: Int) throws -> TrafficTimeline

    /// The same of what was called.
    func timeline(in range: TimeRange, limit: Int) throws -> TrafficTimeline

    /// What could not be recorded, by reason.
    func losses() throws -> [TrafficLoss]

    /// Visits the matching exchanges one by one, in bounded memory, until `body` returns false.
    ///
    /// - Parameters:
    ///   - filter: which exchanges.
    ///   - order: from the oldest or from the newest.
    ///   - after: start after this exchange, in that order; nil for the first page.
    ///   - body: takes one exchange and returns whether to go on.
    /// - Throws: the errors of the store and of `body`.
    func forEachExchange(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws

    /// One exchange; nil if there is none with that number.
    func exchange(_ id: StoredExchange.ID) throws -> StoredExchange?

    /// Visits the connections one by one, in bounded memory, until `body` returns false.
    ///
    /// - Parameters:
    ///   - order: from the connection whose first event came first, or from the last.
    ///   - after: start after this connection, in that order; nil for the first page.
    ///   - body: takes one connection and returns whether to go on.
    /// - Throws: the errors of the store and of `body`.
    func forEachConnection(
        order: ExchangeOrder, after: StoredConnection.ID?, _ body: (StoredConnection) throws -> Bool
    ) throws

    /// One connection; nil if there is none with that number.
    func connection(_ id: StoredConnection.ID) throws -> StoredConnection?

    /// The coverage of the ledgers of all connections of a direction that were open in a range of time.
    func ledgerCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> LedgerCoverage

    /// The same of what was called.
    func ledgerCoverage(in range: TimeRange) throws -> LedgerCoverage

    /// Counts and dates of the contents of the store.
    func overview() throws -> StoreOverview
}
