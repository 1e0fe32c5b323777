import ArgumentParser
import TextFormats

/// Recognizes commands that were misspelled.
enum Spelling {
    /// What to say about the first word after `wireweight`; nil if it is a command or an option.
    static func complaint(about word: String) -> String? {
        let commands = WireweightCommand.configuration.subcommands
        guard !word.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
        // Most names are made of those of types, each of which takes a million instructions.
        guard !commands.contains(where: { $0._commandName == word }) else { return nil }
        let shown = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        guard let near = Misspelling.nearest(to: word, among: shown) else {
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
        if parts.count == 5, Misspelling.isLikely(parts[1], for: parts[3]) { text += "; did you mean '\(parts[3])'?" }
        return lines.count == 1 ? text : "\(text)\n\(lines[1])"
    }

    private static func lowercasingFirst(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
