/// Rows of a table that were read, by their numbers.
///
/// Emptied when it is full: a reader may look on for as long as there is traffic, and some values never come twice.
struct ReadCache<Value> {
    private static var limit: Int { 4_096 }
    private var values: [Int64: Value] = [:]

    subscript(id: Int64) -> Value? {
        get { values[id] }
        set {
            if values.count >= Self.limit { values.removeAll(keepingCapacity: true) }
            values[id] = newValue
        }
    }

    mutating func removeAll() { values.removeAll() }
}
