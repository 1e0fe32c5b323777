/// Counts and dates of the contents of a store.
public struct StoreOverview: Hashable, Sendable {
    /// How many exchanges still have their rows.
    public var exchanges: Int64
    /// How many of them have not ended.
    public var running: Int64
    /// When the first request began; nil in an empty store.
    public var firstSeen: Timestamp?
    /// When the last request began.
    public var lastSeen: Timestamp?
    /// What could not be recorded, by reason.
    public var losses: [TrafficLoss]
    /// Whether the file is open for writing in a process that still exists.
    package var isBeingWritten = false

    /// An overview of these figures.
    public init(
        exchanges: Int64, running: Int64, firstSeen: Timestamp?, lastSeen: Timestamp?, losses: [TrafficLoss]
    ) {
        self.exchanges = exchanges
        self.running = running
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.losses = losses
    }
}
