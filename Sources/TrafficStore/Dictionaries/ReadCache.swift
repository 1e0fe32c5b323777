/// A cache of rows that were read, by their numbers.
///
/// Each number has one place, that of its lowest bits, so that nothing is hashed. A value that comes to a place that is
/// taken makes the cache larger, until it has its largest size, and then replaces the value there: a reader may run as long
/// as there is traffic, and some values occur only once.
struct ReadCache<Value> {
    private static var most: Int { 4_096 }
    // As many as a power of two.
    private var places: [(id: Int64, value: Value)?] = []

    subscript(id: Int64) -> Value? {
        get {
            guard !places.isEmpty, let known = places[place(id)], known.id == id else { return nil }
            return known.value
        }
        set {
            if places.isEmpty { places = Array(repeating: nil, count: 16) }
            while let other = places[place(id)], other.id != id, places.count < Self.most { grow() }
            if let newValue {
                places[place(id)] = (id, newValue)
            } else if places[place(id)]?.id == id {
                places[place(id)] = nil
            }
        }
    }

    mutating func removeAll() { places = [] }

    private func place(_ id: Int64) -> Int { Int(truncatingIfNeeded: id) & (places.count - 1) }

    // Values with different places have different ones in twice as many, too.
    private mutating func grow() {
        let before = places
        places = Array(repeating: nil, count: 2 * before.count)
        for entry in before {
            if let entry { places[place(entry.id)] = entry }
        }
    }
}
