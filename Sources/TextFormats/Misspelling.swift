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

    /// How many letters have to be inserted, removed or replaced to make one word of the other (Levenshtein's distance).
    static func distance(_ left: String, _ right: String) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
