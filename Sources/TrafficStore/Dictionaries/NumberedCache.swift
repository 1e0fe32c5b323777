/// A cache of what is known of rows with small numbers, such as those of dictionaries; faster than a hash table.
struct NumberedCache<Value> {
    // A damaged file may have any number.
    private static var limit: Int { 1 << 20 }
    private var values: [Value?] = []

    subscript(id: Int64) -> Value? {
        get { id >= 0 && id < values.count ? values[Int(id)] : nil }
        set {
            guard id >= 0, id < Self.limit else { return }
            if id >= values.count {
                let count = min(Self.limit, max(Int(id) + 1, 2 * values.count))
                values.append(contentsOf: repeatElement(nil, count: count - values.count))
            }
            values[Int(id)] = newValue
        }
    }

    /// The value of that number; made, and kept for the next time, if there is none yet.
    mutating func value(_ id: Int64, _ make: () throws -> Value) rethrows -> Value {
        if let known = self[id] { return known }
        let made = try make()
        self[id] = made
        return made
    }
}
