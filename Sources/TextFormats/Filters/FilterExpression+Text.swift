package import TrafficModel

extension FilterExpression {
    /// The filter as a text that ``FilterParser`` reads as the same filter.
    package var text: String { terms.map(\.text).joined(separator: " ") }
}

extension FilterTerm {
    /// The term as a text.
    package var text: String {
        let sign = isNegated ? "-" : ""
        if key.values == .flag, values == [.flag(true)] { return sign + key.rawValue }
        if key == .text, values.count == 1, case .text(let pattern) = values[0] {
            return sign + Self.text(pattern, isWord: true)
        }
        return "\(sign)\(key.rawValue):" + values.map { Self.text($0, of: key) }.joined(separator: ",")
    }

    private static func text(_ value: FilterValue, of key: FilterKey) -> String {
        switch value {
        case .text(let pattern): text(pattern, isWord: false)
        case .statuses(let range):
            range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        case .noResponse: "none"
        case .number(let number): key.values == .duration ? duration(number) : "\(number)"
        case .moment(let moment): moment.iso8601
        case .direction(let direction): direction.rawValue
        case .flag(let isSet): isSet ? "yes" : "no"
        }
    }

    private static func duration(_ nanoseconds: Int64) -> String {
        let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        if rest == 0 { return "\(milliseconds)ms" }
        return "\(nanoseconds / 1_000).\(Units.padded(nanoseconds % 1_000, to: 3))us"
    }

    private static func text(_ pattern: TextPattern, isWord: Bool) -> String {
        switch pattern.form {
        case .plain(let text): isBare(text, isWord: isWord) ? text : quoted(text)
        case .wildcard(let pieces): pieces.map(escaped).joined(separator: "*")
        case .regular(let pattern): "~" + quotedPattern(pattern.source)
        }
    }

    // A word alone must not look like a term with a key, a key, a negation or a pattern.
    private static func isBare(_ text: String, isWord: Bool) -> Bool {
        guard let first = text.unicodeScalars.first, first != "~", first != "-" else { return false }
        let isSpecial = text.unicodeScalars.contains {
            $0.properties.isWhitespace || "\",\\*".unicodeScalars.contains($0) || isWord && $0 == ":"
        }
        return !isSpecial && !(isWord && FilterKey(rawValue: text.lowercased()) != nil)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }

    private static func quotedPattern(_ source: String) -> String {
        var result = "\""
        var isEscaped = false
        for scalar in source.unicodeScalars {
            if scalar == "\"", !isEscaped { result += "\\" }
            result.unicodeScalars.append(scalar)
            isEscaped = scalar == "\\" && !isEscaped
        }
        return result + "\""
    }

    private static func escaped(_ piece: String) -> String {
        var result = ""
        for scalar in piece.unicodeScalars {
            if scalar.properties.isWhitespace || "\",\\*~".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
