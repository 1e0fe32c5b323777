/// A cache of the rows of the last observed numbers, in bounded memory.
///
/// It is a ring. Observers count upwards, so a number replaces the one that came a whole ring before it. The ring is
/// small until there are many numbers.
struct RecentRows {
    private static let mostPlaces = 16_384
    private var keys = [Int64](repeating: .min, count: 256)
    private var rows = [Int64](repeating: 0, count: 256)

    /// The row of a number; nil if it is unknown or was replaced.
    ///
    /// Setting a row stores it; setting nil removes it.
    subscript(key: Int64) -> Int64? {
        get {
            let place = place(of: key)
            return keys[place] == key ? rows[place] : nil
        }
        set {
            guard let newValue else { return forget(key) }
            var place = place(of: key)
            while keys.count < Self.mostPlaces, keys[place] != .min, keys[place] != key {
                grow()
                place = self.place(of: key)
            }
            keys[place] = key
            rows[place] = newValue
        }
    }

    private mutating func forget(_ key: Int64) {
        let place = place(of: key)
        if keys[place] == key { keys[place] = .min }
    }

    private mutating func grow() {
        let before = zip(keys, rows).filter { $0.0 != .min }
        keys = [Int64](repeating: .min, count: keys.count * 4)
        rows = [Int64](repeating: 0, count: keys.count)
        for (key, row) in before {
            keys[place(of: key)] = key
            rows[place(of: key)] = row
        }
    }

    private func place(of key: Int64) -> Int { Int(truncatingIfNeeded: key) & (keys.count - 1) }
}
