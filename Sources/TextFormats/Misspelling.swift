/// Finds the name that a misspelled word was meant to be.
package enum Misspelling {
    /// The name of which the word is a likely misspelling; nil if there is none.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let nearest = names.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        return nearest.flatMap { isLikely(word, for: $0.name) ? $0.name : nil }
    }

    /// Whether one word may be a misspelling of the other.
    package static func isLikely(_ word: String, for name: String) -> Bool {
        let letters = word.drop { $0 == "-" }
        return distance(String(letters), String(name.drop { $0 == "-" })) <= max(1, letters.count / 3)
    }

    /// How many letters have to be inserted, removed, replaced or swapped with the next one to make one word of the
    /// other (the optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var (before, above) = ([Int](), Array(0...right.count))
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var least = min(above[j + 1] + 1, row[j] + 1, above[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    least = min(least, before[j - 1] + 1)
                }
                row.append(least)
            }
            (before, above) = (above, row)
        }
        return above[right.count]
    }
}
