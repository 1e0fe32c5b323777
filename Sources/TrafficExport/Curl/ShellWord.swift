import ASCIIBytes

/// Quoting of words for a POSIX shell.
enum ShellWord {
    /// Quotes a text so that the shell takes it literally.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            ASCII.isAlphanumeric($0) || "-_./:@%+=,".utf8.contains($0)
        }
        guard text.isEmpty || !isPlain else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Quotes text and variables as one word; the shell expands the variables.
    static func quoted(_ pieces: [SecretPieces.Piece]) -> String {
        if pieces.isEmpty { return "''" }
        return pieces.map { piece in
            switch piece {
            case .text(let text): quoted(text)
            case .secret(let name): "\"$\(name)\""
            }
        }.joined()
    }
}
