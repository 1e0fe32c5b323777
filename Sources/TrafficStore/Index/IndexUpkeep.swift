/// Makes the search index of a store while it is written, on a thread that gives way to others.
///
/// Only the writer's thread may use it.
final class IndexUpkeep {
    private let path: String
    private let index: SearchIndex
    // Opened when the first chunk can be made.
    private var reader: StoreReader?
    // The last exchange for which the index was made.
    private var made: Int64 = 0

    init(_ path: String, _ limits: SearchIndex.Limits) {
        self.path = path
        index = SearchIndex(limits)
    }

    /// Begins to make a chunk if there are enough exchanges for another one.
    func note(lastExchange: Int64) {
        guard lastExchange - made >= index.limits.chunk, lastExchange >= index.limits.chunk + index.limits.recent else {
            return
        }
        made = lastExchange
        // Without an index, searches only take longer.
        reader = reader ?? (try? StoreReader.open(path, index))
        if let reader { index.growInBackground(reader) }
    }

    /// Waits until the work in the background has ended; nothing has the store open afterwards.
    func stop() {
        index.stop()
        reader = nil
    }
}
