internal import TrafficModel

/// What is wrong in the text of a filter, and where.
package struct FilterMistake: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of mistakes; the page has each sentence in its own languages.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case key, nearKey, headerKey, status, size, duration, moment, number, direction, flag, word, empty, emptyText,
            quote, afterQuote, nothing, long
        case regular

        /// The sentence in English, with `{names}` for values.
        package var english: String {
            switch self {
            case .key: "there is no key '{word}'; choose from {keys}, or put the text in quotes to search for it"
            case .nearKey:
                "there is no key '{word}'; did you mean '{near}'? Put the text in quotes to search for it"
            case .headerKey:
                "there is no key '{word}'; for a header write header:\"{word}: …\", or put the text in quotes to search "
                    + "for it"
            case .status: "'{word}' is not a status; write 404, 4xx, 400-499 or none"
            case .size: "'{word}' is not a size; write bytes, such as 500, 10k or 1.5M"
            case .duration: "'{word}' is not a duration; write 500ms, 2s or 1m"
            case .moment:
                "'{word}' is not a time; write 2026-11-21T10:00, or how long ago, such as 10m, 2h or 3d"
            case .number: "'{word}' is not a number; write one such as 17"
            case .direction: "'{word}' is not a direction; choose from called, served"
            case .flag: "'{word}' is neither yes nor no"
            case .word: "'{word}' has no regular expressions; write a name"
            case .empty: "'{word}' needs a value; write one after the colon"
            case .emptyText: "there is nothing to search for between these quotes; write a text"
            case .quote: "this quote has no end; write \" after the text"
            case .afterQuote: "after the end of a quote, write a space, or a comma and another value"
            case .nothing: "there is nothing to exclude after '-'"
            case .long: "the filter is too long; at most {count} characters are allowed"
            case .regular: "this regular expression is not supported here: {why}"
            }
        }
    }

    /// What is wrong.
    package let reason: Reason
    /// The number of Unicode scalars before the place of the mistake.
    package let offset: Int
    /// The values in the sentence.
    package var values: [String: String] = [:]

    /// The sentence in English, without the place.
    package var message: String {
        values.reduce(reason.english) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// The place, counted from 1, and the sentence.
    package var description: String { "at character \(offset + 1): \(message)" }

    /// The text of the filter with a mark under the place, in two lines; of a long text, the part around the place.
    package func caret(in text: String) -> String {
        let shown = 100
        let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        let begin = max(0, min(offset - shown / 2, scalars.count - shown))
        var line = String.UnicodeScalarView()
        line.append(contentsOf: scalars[begin..<min(scalars.count, begin + shown)])
        return "  \(String(line))\n  \(String(repeating: " ", count: max(0, offset - begin)))^"
    }
}

extension FilterMistake {
    /// The mistake of a word before a colon that is no key.
    init(unknownKey word: String, offset: Int) {
        let keys = FilterKey.allCases.map(\.rawValue)
        let name = word.lowercased()
        // Other tools name a key at more length: larger-than, status-code, has-response-header.
        let near =
            Misspelling.nearest(to: name, among: keys) ?? Self.otherNames[name]
            ?? keys.first { name.hasPrefix("\($0)-") || name.hasPrefix("\($0)_") }
        if let near {
            self.init(reason: .nearKey, offset: offset, values: ["word": word, "near": near])
        } else if name.contains("-") {
            self.init(reason: .headerKey, offset: offset, values: ["word": word])
        } else {
            self.init(reason: .key, offset: offset, values: ["word": word, "keys": keys.joined(separator: ", ")])
        }
    }

    /// Keys of browsers' network panels whose names are others here.
    private static let otherNames = ["domain": "host", "mime-type": "type", "url": "text", "code": "status"]
}
