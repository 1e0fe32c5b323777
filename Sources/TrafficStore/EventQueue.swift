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

    /// Takes the oldest batch, full or not.
    ///
    /// Its events count until they are ``remove(_:)``d.
    mutating func take() -> EventBatch {
        guard batches.isEmpty else { return batches.removeFirst() }
        let batch = filling
        filling = EventBatch(capacity: batchSize)
        return batch
    }

    /// Makes room for that many events: they are written, or given up.
    mutating func remove(_ written: Int) { count -= written }
}
