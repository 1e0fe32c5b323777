/// Which rows connections became, of those that were spoken of last.
///
/// Two generations, the older of which is forgotten when the newer is full: nobody may ever tell that a connection was closed.
struct ConnectionRows {
    /// So many are known at least, and twice as many at most.
    static let generation = 16_384
    private var young: [Int64: Int64] = [:]
    private var old: [Int64: Int64] = [:]

    /// How many are known.
    var count: Int { young.count + old.count }

    /// The row of a connection, which counts as spoken of; nil where it is unknown or long gone.
    mutating func row(of connection: Int64) -> Int64? {
        if let row = young[connection] { return row }
        guard let row = old.removeValue(forKey: connection) else { return nil }
        remember(row, of: connection)
        return row
    }

    /// The row of a connection that is spoken of for the first time.
    mutating func remember(_ row: Int64, of connection: Int64) {
        if young.count >= Self.generation {
            swap(&young, &old)
            young.removeAll(keepingCapacity: true)
        }
        young[connection] = row
    }

    /// Forgets a connection whose row was not kept.
    mutating func forget(_ connection: Int64) {
        young[connection] = nil
        old[connection] = nil
    }
}
