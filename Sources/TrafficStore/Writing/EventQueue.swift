internal import TrafficModel

/// Events that wait to be written: a bounded row of batches.
///
/// Appending never moves what is there already, so that the lock around it is short however much waits.
struct EventQueue {
    /// How many events may wait, those included that are just being written.
    let capacity: Int
    /// How many make a batch.
    let batchSize: Int

    private var batches: [EventBatch] = []
    private var filling = EventBatch()
    /// How many events wait or are being written.
    private(set) var count = 0

    /// An empty queue.
    init(capacity: Int, batchSize: Int) {
        self.capacity = max(1, capacity)
        self.batchSize = max(1, min(batchSize, capacity))
        filling = EventBatch(capacity: self.batchSize)
    }

    /// Whether a batch is full.
    var hasFullBatch: Bool { !batches.isEmpty }

    /// Whether the last event made a batch full.
    var hasJustFilledBatch: Bool { filling.isEmpty && !batches.isEmpty }

    /// Whether anything can be taken.
    var isEmpty: Bool { batches.isEmpty && filling.isEmpty }

    /// Appends an event; false where there is no room.
    mutating func append(_ event: TrafficEvent) -> Bool {
        guard count < capacity else { return false }
        filling.append(event)
        count += 1
        if filling.count == batchSize {
            batches.append(filling)
            filling = EventBatch(capacity: batchSize)
        }
        return true
    }

    /// The oldest batches, at most that many; where none is full, what has gathered is one.
    ///
    /// They stay, and their events count, until they are ``remove(_:)``d: who could not write them asks again.
    mutating func oldest(_ most: Int) -> [EventBatch] {
        if batches.isEmpty, !filling.isEmpty {
            batches.append(filling)
            filling = EventBatch(capacity: batchSize)
        }
        return Array(batches.prefix(max(1, most)))
    }

    /// Makes room: so many of the oldest batches are written, or given up.
    ///
    /// - Returns: how many events they held.
    mutating func remove(_ written: Int) -> Int {
        let events = batches.prefix(written).reduce(0) { $0 + $1.count }
        batches.removeFirst(min(written, batches.count))
        count -= events
        return events
    }

    /// Gives up all that waits.
    ///
    /// - Returns: how many events that were.
    mutating func removeAll() -> Int {
        defer { self = EventQueue(capacity: capacity, batchSize: batchSize) }
        return count
    }
}
