/// Identifies the sums of one kind of exchange over one slot of time.
struct RollupKey: Hashable {
    /// The kind's row: see ``KindTable``.
    var kind: Int64
    /// A minute, hour or day since the epoch; 0 for all time.
    var slot: Int64
}
