import ArgumentParser

/// Recognizes commands that were misspelled.
enum Spelling {
    /// What to say about the first word after `wireweight`; nil if it is a command or an option.
    static func complaint(about word: String) -> String? {
        let commands = WireweightCommand.configuration.subcommands
        let names = commands.map { $0._commandName } + ["help"]
        guard !word.isEmpty, !word.hasPrefix("-"), !names.contains(word) else { return nil }
        let shown = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        let nearest = shown.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, word.count / 3) else {
            return "there is no command '\(word)'; 'wireweight --help' lists them, and 'wireweight run -- \(word)' "
                + "meters a program"
        }
        return "there is no command '\(word)'; did you mean '\(nearest.name)'?"
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
