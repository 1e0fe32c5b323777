import ArgumentParser
import TextFormats

/// Recognizes commands that were misspelled.
enum Spelling {
    /// What to say about the words after `wireweight`; nil if those that should be commands are.
    static func complaint(about words: some Sequence<String>) -> String? {
        var command: any ParsableCommand.Type = WireweightCommand.self
        var path = ""
        // 'help report' names the command second.
        for word in words where !(path.isEmpty && word == "help") {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            // Most names are made of those of types, each of which takes a million instructions.
            if let next = commands.first(where: { $0._commandName == word }) {
                command = next
                path += word + " "
                continue
            }
            let complaint = "there is no command '\(path)\(word)'; "
            let shown = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
            let topics = path.isEmpty ? [ExitStatusText.topic] : []
            guard let near = Misspelling.nearest(to: word, among: shown + topics) else {
                return complaint + "'wireweight \(path)--help' lists them"
                    + (path.isEmpty ? ", and 'wireweight run -- \(word)' meters a program" : "")
            }
            return complaint + "did you mean '\(topics.contains(near) ? "wireweight help " : path)\(near)'?"
        }
        return nil
    }

    /// The parser's message with its suggestion only if that is a likely misspelling, in the words of our own messages.
    ///
    /// The parser suggests an option for almost any short word, such as '--sort' for '--json'.
    static func corrected(_ message: String) -> String {
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = lines[0].split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3, parts[0] == "Unknown option " else { return lowercasingFirst(message) }
        var text = "there is no option '\(parts[1])'"
        let suggestion = parts.count == 5 && Misspelling.isLikely(parts[1], for: parts[3]) ? parts[3] : nil
        // The parser does not suggest the options that it adds itself.
        let own =
            ["-v", "-V"].contains(parts[1])
            ? "--version" : Misspelling.nearest(to: parts[1], among: ["--help", "--version"])
        let near = suggestion ?? own
        if let near { text += "; did you mean '\(near)'?" }
        return lines.count == 1 ? text : "\(text)\n\(lines[1])"
    }

    private static func lowercasingFirst(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
