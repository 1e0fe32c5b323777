internal import TrafficModel

/// The events that wait to be written, as a bounded queue of batches.
///
/// Appending never moves earlier events, so the caller's lock is short even if many events wait.
struct EventQueue {
    /// The largest number of events, including those that are being written.
    let capacity: Int
    /// The number of events in a full batch.
    let batchSize: Int

    private var batches: [EventBatch] = []
    private var filling = EventBatch()
    /// The number of events that wait or are being written.
    private(set) var count = 0

    /// An empty queue.
    init(capacity: Int, batchSize: Int) {
        self.capacity = max(1, capacity)
        self.batchSize = max(1, min(batchSize, capacity))
        filling = EventBatch(capacity: self.batchSize)
    }

    /// Whether there is a full batch.
    var hasFullBatch: Bool { !batches.isEmpty }

    /// Whether the last event completed a batch.
    var hasJustFilledBatch: Bool { filling.isEmpty && !batches.isEmpty }

    /// Whether no events wait.
    var isEmpty: Bool { batches.isEmpty && filling.isEmpty }

    /// Appends an event; returns false if there is no room.
    mutating func append(_ event: TrafficEvent) -> Bool { append { $0.append(event) } }

    /// Appends a request; returns false if there is no room.
    mutating func append(_ request: RequestRecord) -> Bool { append { $0.append(request) } }

    /// Appends a response; returns false if there is no room.
    mutating func append(_ response: ResponseRecord) -> Bool { append { $0.append(response) } }

    /// Appends the end of an exchange; returns false if there is no room.
    mutating func append(_ end: ExchangeEnd) -> Bool { append { $0.append(end) } }

    private mutating func append(_ add: (inout EventBatch) -> Void) -> Bool {
        guard count < capacity else { return false }
        add(&filling)
        count += 1
        if filling.count == batchSize {
            batches.append(filling)
            filling = EventBatch(capacity: batchSize)
        }
        return true
    }

    /// The oldest batches, at most `most`; if no batch is full, the partial one.
    ///
    /// They stay in the queue, and their events count, until they are ``remove(_:)``d. So a caller that could not write
    /// them gets them again.
    mutating func oldest(_ most: Int) -> [EventBatch] {
        if batches.isEmpty, !filling.isEmpty {
            batches.append(filling)
            filling = EventBatch(capacity: batchSize)
        }
        return Array(batches.prefix(max(1, most)))
    }

    /// Removes that number of the oldest batches, which are written or given up.
    ///
    /// - Returns: the number of their events.
    mutating func remove(_ written: Int) -> Int {
        let events = batches.prefix(written).reduce(0) { $0 + $1.count }
        batches.removeFirst(min(written, batches.count))
        count -= events
        return events
    }

    /// Removes all events.
    ///
    /// - Returns: the number of removed events.
    mutating func removeAll() -> Int {
        defer { self = EventQueue(capacity: capacity, batchSize: batchSize) }
        return count
    }
}
