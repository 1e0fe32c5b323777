/// A small cache with a cheap hash; a `Dictionary` would hash every byte of every text.
struct KnownTable<Entry: AnyObject> {
    private static var limit: Int { 1_024 }
    private var entries = [Entry?](repeating: nil, count: 4 * limit)
    private var hashes = [UInt64](repeating: 0, count: 4 * limit)
    private var count = 0

    init() {}

    /// The entry with that hash that matches; nil if there is none.
    @inline(__always)
    func find(_ hash: UInt64, _ matches: (Entry) -> Bool) -> Entry? {
        var place = Int(truncatingIfNeeded: hash) & (entries.count - 1)
        while let entry = entries[place] {
            if hashes[place] == hash, matches(entry) { return entry }
            place = (place + 1) & (entries.count - 1)
        }
        return nil
    }

    /// Adds an entry; if there are too many, all others are removed first.
    mutating func add(_ entry: Entry, hash: UInt64) {
        if count >= Self.limit { removeAll() }
        var place = Int(truncatingIfNeeded: hash) & (entries.count - 1)
        while entries[place] != nil { place = (place + 1) & (entries.count - 1) }
        entries[place] = entry
        hashes[place] = hash
        count += 1
    }

    mutating func removeAll() {
        guard count > 0 else { return }
        self = KnownTable()
    }
}

extension String {
    /// A hash of the bytes, the same in every process.
    @inline(__always)
    var cheapHash: UInt64 {
        if let hash = utf8.withContiguousStorageIfAvailable({ BlobDictionary.hash(UnsafeRawBufferPointer($0)) }) {
            return hash
        }
        return BlobDictionary.hash(of: Array(utf8))
    }
}
