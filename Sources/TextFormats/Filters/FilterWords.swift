internal import TrafficModel

/// Reads the words that values of a filter are made of.
package enum FilterWords {
    /// A status or a range: `404`, `5xx` or `400-499`; nil if the text is neither.
    package static func statuses(_ text: String) -> ClosedRange<Int>? {
        let text = text.lowercased()
        if text.utf8.count == 3, text.hasSuffix("xx"), let hundreds = Int(text.prefix(1)), (1...5).contains(hundreds) {
            return (hundreds * 100)...(hundreds * 100 + 99)
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard let first = parts.first ?? nil, let last = parts.last ?? nil, parts.count <= 2, first >= 100,
            first <= last, last <= 999
        else { return nil }
        return first...last
    }

    /// A number of bytes: `500`, `10k`, `1.5M` or `2GB`, in decimal units; nil if the text is none.
    package static func size(_ text: String) -> Int64? {
        if let bytes = Int64(text) { return bytes >= 0 ? bytes : nil }
        let number = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
        guard let value = Double(number), value.isFinite else { return nil }
        var unit = text.dropFirst(number.count).lowercased()
        if unit.hasSuffix("b") { unit.removeLast() }
        guard let factor = ["": 1.0, "k": 1e3, "m": 1e6, "g": 1e9][unit] else { return nil }
        return Int64(exactly: (value * factor).rounded())
    }

    /// An API as stores name it: `GET api.test/users` is `GET api.test /users`.
    package static func api(_ text: String) -> String {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let slash = parts[1].firstIndex(of: "/"), slash > parts[1].startIndex,
            parts[1][..<slash].last != " "
        else { return text }
        return "\(parts[0]) \(parts[1][..<slash]) \(parts[1][slash...])"
    }

    /// Why a text is not a regular expression.
    static func why(_ reason: RegularPattern.Mistake.Reason) -> String {
        switch reason {
        case .openGroup: "'(' without ')'"
        case .openBrace: "'{' without '}'; a pattern with a comma needs quotes"
        case .closedGroup: "')' without '('"
        case .openClass: "'[' without ']'"
        case .range: "a range such as 'z-a'"
        case .nothingToRepeat: "nothing to repeat"
        case .count: "more than 100 times, or the larger number first"
        case .escape: "a backslash at the end"
        case .unsupported: "only . [a-z] \\d \\w \\s (a|b) * + ? {2,5} ^ $"
        case .tooLarge: "too large"
        }
    }
}
