/// Maps exchanges to their indices in a batch: a hash table for numbers that count upwards, emptied after each batch.
struct BatchIndices {
    private var keys = [Int64](repeating: 0, count: 4_096)
    // The index plus 1; 0 if the place is free.
    private var indices = [Int32](repeating: 0, count: 4_096)
    private var taken: [Int32] = []

    init() {}

    /// The index of an exchange; `next` if it has none yet.
    @inline(__always)
    mutating func index(of key: Int64, orNew next: Int) -> Int {
        var place = place(of: key)
        while indices[place] != 0 {
            if keys[place] == key { return Int(indices[place]) - 1 }
            place = (place + 1) & (indices.count - 1)
        }
        keys[place] = key
        indices[place] = Int32(next + 1)
        taken.append(Int32(place))
        if taken.count * 2 > indices.count { grow() }
        return next
    }

    mutating func removeAll() {
        for place in taken { indices[Int(place)] = 0 }
        taken.removeAll(keepingCapacity: true)
    }

    private func place(of key: Int64) -> Int {
        Int(truncatingIfNeeded: UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15 >> 32) & (indices.count - 1)
    }

    private mutating func grow() {
        let before = taken.map { (keys[Int($0)], indices[Int($0)]) }
        keys = [Int64](repeating: 0, count: keys.count * 2)
        indices = [Int32](repeating: 0, count: keys.count)
        taken.removeAll(keepingCapacity: true)
        for (key, index) in before {
            var place = place(of: key)
            while indices[place] != 0 { place = (place + 1) & (indices.count - 1) }
            keys[place] = key
            indices[place] = index
            taken.append(Int32(place))
        }
    }
}
