import ArgumentParser

/// Recognizes commands that were misspelled.
enum Spelling {
    /// What to say about the first word after `wireweight`; nil if it is a command or an option.
    static func complaint(about word: String) -> String? {
        let commands = WireweightCommand.configuration.subcommands
        let names = commands.map { $0._commandName } + ["help"]
        guard !word.isEmpty, !word.hasPrefix("-"), !names.contains(word) else { return nil }
        let shown = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        guard let near = nearest(to: word, among: shown) else {
            return "there is no command '\(word)'; 'wireweight --help' lists them, and 'wireweight run -- \(word)' "
                + "meters a program"
        }
        return "there is no command '\(word)'; did you mean '\(near)'?"
    }

    /// The parser's message with its suggestion only if that is a likely misspelling, in the words of our own messages.
    ///
    /// The parser suggests an option for almost any short word, such as '--sort' for '--json'.
    static func corrected(_ message: String) -> String {
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = lines[0].split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3, parts[0] == "Unknown option " else { return lowercasingFirst(message) }
        var text = "there is no option '\(parts[1])'"
        if parts.count == 5, isLikely(parts[1], for: parts[3]) { text += "; did you mean '\(parts[3])'?" }
        return lines.count == 1 ? text : "\(text)\n\(lines[1])"
    }

    /// The name of which the word is a likely misspelling; nil if there is none.
    static func nearest(to word: String, among names: [String]) -> String? {
        let nearest = names.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        return nearest.flatMap { isLikely(word, for: $0.name) ? $0.name : nil }
    }

    /// Whether one word may be a misspelling of the other.
    static func isLikely(_ word: String, for name: String) -> Bool {
        let letters = word.drop { $0 == "-" }
        return distance(String(letters), String(name.drop { $0 == "-" })) <= max(1, letters.count / 3)
    }

    private static func lowercasingFirst(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }

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
