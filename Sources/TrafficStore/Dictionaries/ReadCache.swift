/// A cache of rows that were read, by their numbers.
///
/// It is emptied when it is full: a reader may run as long as there is traffic, and some values occur only once.
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
