internal import ASCIIBytes
import TrafficModel

/// A fast test that a name has none of some words, in one pass and without allocating.
///
/// Nearly all names of fields and query items are no secrets.
///
/// A name with a word in it also has the first three letters of that word. So the filter looks up the three-letter
/// sequences of a name in a bit table of those with which words begin.
struct NameFilter: Hashable, Sendable {
    private var begins = [UInt64](repeating: 0, count: 26 * 26 * 26 / 64 + 1)
    /// Whether every name may have a word, because a word does not begin with three letters.
    private var matchesAll = false
    /// The words of two letters, as bits in a table of pairs.
    private var pairs = [UInt64](repeating: 0, count: 26 * 26 / 64 + 1)

    /// A filter for words, which are in lower case.
    init(_ words: [[UInt8]]) {
        for word in words {
            let letters = word.prefix(3).compactMap(Self.letter)
            switch (word.count, letters.count) {
            case (2, 2): Self.set(letters[0] * 26 + letters[1], in: &pairs)
            case (3..., 3): Self.set((letters[0] * 26 + letters[1]) * 26 + letters[2], in: &begins)
            default: matchesAll = true
            }
        }
    }

    /// Whether a name may have one of the words; a result of false is certain.
    func mayMatch(_ name: ArraySlice<UInt8>) -> Bool {
        if matchesAll { return true }
        return name.withUnsafeBufferPointer { name in
            var run = 0
            var last = 0
            var lastTwo = 0
            for byte in name {
                guard let letter = Self.letter(byte) else {
                    run = 0
                    continue
                }
                run += 1
                let two = last * 26 + letter
                if run >= 2 && Self.isSet(two, in: pairs) { return true }
                if run >= 3 && Self.isSet(lastTwo * 26 + letter, in: begins) { return true }
                last = letter
                lastTwo = two
            }
            return false
        }
    }

    private static func letter(_ byte: UInt8) -> Int? {
        ASCII.isLetter(byte) ? Int(byte | 0x20) - 0x61 : nil
    }

    private static func set(_ bit: Int, in table: inout [UInt64]) { table[bit >> 6] |= 1 << UInt64(bit & 63) }
    private static func isSet(_ bit: Int, in table: [UInt64]) -> Bool { table[bit >> 6] >> UInt64(bit & 63) & 1 != 0 }
}
