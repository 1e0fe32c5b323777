internal import TrafficAudit
internal import TrafficReports

/// The English sentences of the server, as a module of the page.
///
/// So each sentence is written once, in Swift; the page's `messages-server.js` has the other language.
enum ServerEnglish {
    /// Each sentence by its key in the page's message table.
    static let sentences: [(key: String, english: String)] =
        AuditPhrase.allCases.map { ("audit.say.\($0.rawValue)", $0.english) }
        + CompletenessPhrase.allCases.map { ("complete.say.\($0.rawValue)", $0.english) }
        + RefusalPhrase.allCases.map { ("refusal.\($0.rawValue)", $0.english) }

    /// The module `server-english.js`.
    static var module: String {
        let lines = sentences.map { "  \(quoted($0.key)): \(quoted($0.english)),\n" }
        return "export const serverEnglish = {\n\(lines.joined())};\n"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }
        return "\"\(escaped.joined())\""
    }
}
