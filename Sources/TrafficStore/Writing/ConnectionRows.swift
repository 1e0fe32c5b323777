/// A cache of the rows of recently used connections, by the connections' numbers.
///
/// It has two generations; when the newer is full, the older is dropped. This bounds the cache even if closed
/// connections are never reported.
struct ConnectionRows {
    /// The size of a generation: the cache has at least this number of the last used connections, at most twice as
    /// many.
    static let generation = 16_384
    private var young: [Int64: Int64] = [:]
    private var old: [Int64: Int64] = [:]

    /// The number of connections in the cache.
    var count: Int { young.count + old.count }

    /// The row of a connection, which is then recently used; nil if it is unknown or was dropped.
    mutating func row(of connection: Int64) -> Int64? {
        if let row = young[connection] { return row }
        guard let row = old.removeValue(forKey: connection) else { return nil }
        remember(row, of: connection)
        return row
    }

    /// Adds the row of a connection that is not in the cache.
    mutating func remember(_ row: Int64, of connection: Int64) {
        if young.count >= Self.generation {
            swap(&young, &old)
            young.removeAll(keepingCapacity: true)
        }
        young[connection] = row
    }

    /// Removes a connection whose row was rolled back.
    mutating func forget(_ connection: Int64) {
        young[connection] = nil
        old[connection] = nil
    }
}
