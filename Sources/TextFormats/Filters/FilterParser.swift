package import TrafficModel

/// Reads a filter: see docs/filter.md for the language.
package struct FilterParser {
    /// The most characters of a filter.
    package static let longest = 2_000

    private let text: [Unicode.Scalar]
    private let now: Timestamp
    private let zone: ClockZone
    private var offset = 0

    private init(_ text: String, now: Timestamp, in zone: ClockZone = .utc) {
        // SQLite's functions end a text at U+0000, which no message has in its text.
        self.text = text.unicodeScalars.map { $0 == "\0" ? " " : $0 }
        self.now = now
        self.zone = zone
    }

    /// Reads a filter.
    ///
    /// - Parameters:
    ///   - text: the filter as a person wrote it.
    ///   - now: the moment from which `since:2h` is counted.
    ///   - zone: of times that name none.
    /// - Returns: its terms.
    /// - Throws: ``FilterMistake``, with the place.
    package static func parse(
        _ text: String, now: Timestamp, in zone: ClockZone = .utc
    ) throws(FilterMistake) -> FilterExpression {
        var parser = FilterParser(text, now: now, in: zone)
        guard parser.text.count <= longest else {
            throw FilterMistake(reason: .long, offset: longest, values: ["count": "\(longest)"])
        }
        var terms: [FilterTerm] = []
        while parser.skipSpaces() { terms.append(try parser.term()) }
        return FilterExpression(terms)
    }

    /// Reads the values of one key, as an option of the command has them.
    ///
    /// Commas separate values; quotes and patterns are those of the language.
    package static func term(
        _ key: FilterKey, _ text: String, now: Timestamp
    ) throws(FilterMistake) -> FilterTerm {
        var parser = FilterParser(text, now: now)
        let values = try parser.values(of: key, spacesEnd: false)
        return FilterTerm(key, values)
    }

    // MARK: Terms

    private var next: Unicode.Scalar? { offset < text.count ? text[offset] : nil }

    private mutating func skipSpaces() -> Bool {
        while let scalar = next, scalar.properties.isWhitespace { offset += 1 }
        return next != nil
    }

    private mutating func term() throws(FilterMistake) -> FilterTerm {
        let begin = offset
        let isNegated = next == "-"
        if isNegated {
            offset += 1
            guard let scalar = next, !scalar.properties.isWhitespace else {
                throw FilterMistake(reason: .nothing, offset: begin)
            }
        }
        var term: FilterTerm
        if let keyed = try keyed() {
            term = keyed
        } else {
            term = FilterTerm(.text, [.text(try pattern(of: .text, isWord: true))])
        }
        term.isNegated = isNegated
        return term
    }

    // A term with a key, or a key that needs no value; nil if the word is a text to search for.
    private mutating func keyed() throws(FilterMistake) -> FilterTerm? {
        var end = offset
        while end < text.count, Self.isOfKey(text[end], isFirst: end == offset) { end += 1 }
        guard end > offset else { return nil }
        let word = string(offset..<end)
        let key = FilterKey(rawValue: word.lowercased())
        if end == text.count || text[end].properties.isWhitespace {
            guard let key, key.values == .flag else { return nil }
            offset = end
            return FilterTerm(key, [.flag(true)])
        }
        guard text[end] == ":" else { return nil }
        guard let key else {
            // The start of a URL is a text, not a key.
            if end + 2 < text.count, text[end + 1] == "/", text[end + 2] == "/" { return nil }
            throw FilterMistake(unknownKey: word, offset: offset)
        }
        offset = end + 1
        return FilterTerm(key, try values(of: key, spacesEnd: true))
    }

    // A key that we do not know, such as 'larger-than' of another tool or 'x-request-id' of a header, must not be taken
    // for a word: then nothing would be found, and nothing said.
    private static func isOfKey(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        guard scalar.isASCII else { return false }
        return scalar.properties.isAlphabetic || !isFirst && ("0"..."9" ~= scalar || scalar == "-" || scalar == "_")
    }

    // MARK: Values

    private mutating func values(of key: FilterKey, spacesEnd: Bool) throws(FilterMistake) -> [FilterValue] {
        var values: [FilterValue] = []
        repeat {
            if !values.isEmpty { offset += 1 }
            values.append(try value(of: key, spacesEnd: spacesEnd))
        } while next == ","
        return values
    }

    private mutating func value(of key: FilterKey, spacesEnd: Bool) throws(FilterMistake) -> FilterValue {
        let begin = offset
        switch key.values {
        case .pattern, .text, .word:
            let pattern = try pattern(of: key, isWord: false, spacesEnd: spacesEnd)
            if key.values == .word, pattern.plain == nil {
                throw FilterMistake(reason: .word, offset: begin, values: ["word": key.rawValue])
            }
            return .text(Self.usual(pattern, of: key))
        default:
            let pattern = try pattern(of: key, isWord: false, spacesEnd: spacesEnd)
            let word = pattern.description
            guard pattern.plain != nil, let value = plainValue(word, of: key.values) else {
                let reason = FilterMistake.Reason(rawValue: Self.reasons[key.values] ?? "word") ?? .word
                throw FilterMistake(reason: reason, offset: begin, values: ["word": word])
            }
            return value
        }
    }

    private static let reasons: [FilterKey.Values: String] = [
        .statuses: "status", .size: "size", .duration: "duration", .moment: "moment", .number: "number",
        .direction: "direction", .flag: "flag",
    ]

    private func plainValue(_ word: String, of values: FilterKey.Values) -> FilterValue? {
        switch values {
        case .statuses: word.lowercased() == "none" ? .noResponse : FilterWords.statuses(word).map(FilterValue.statuses)
        case .size: FilterWords.size(word).map(FilterValue.number)
        case .duration: TimeExpression.duration(word).map(FilterValue.number)
        // Stores have microseconds, as texts of times do.
        case .moment:
            TimeExpression.moment(word, now: now, in: zone).map {
                .moment(Timestamp(nanoseconds: ($0.nanoseconds / 1_000) * 1_000))
            }
        case .number: Int64(word).flatMap { $0 > 0 ? .number($0) : nil }
        case .direction: TrafficDirection(rawValue: word.lowercased()).map(FilterValue.direction)
        default: ["yes": true, "no": false][word.lowercased()].map(FilterValue.flag)
        }
    }

    // A pattern in the spelling that stores have.
    private static func usual(_ pattern: TextPattern, of key: FilterKey) -> TextPattern {
        guard let text = pattern.plain else { return pattern }
        switch key {
        case .host, .type: return TextPattern(text.lowercased(), foldsCase: true)
        case .method: return TextPattern(text.uppercased(), foldsCase: true)
        case .api: return TextPattern(FilterWords.api(text), foldsCase: false)
        default: return pattern
        }
    }

    // MARK: Texts and patterns

    private mutating func pattern(
        of key: FilterKey, isWord: Bool, spacesEnd: Bool = true
    ) throws(FilterMistake) -> TextPattern {
        let begin = offset
        let isRegular = next == "~"
        if isRegular { offset += 1 }
        let patternBegin = offset
        var pieces = [""]
        if next == "\"" {
            pieces = [try quoted(isRegular: isRegular)]
        } else {
            pieces = bare(
                isRegular: isRegular, commasEnd: !isWord, spacesEnd: spacesEnd,
                hasWildcards: key.values == .pattern)
        }
        guard pieces != [""] else {
            if isWord, !isRegular { throw FilterMistake(reason: .emptyText, offset: begin) }
            throw FilterMistake(reason: .empty, offset: begin, values: ["word": isWord ? "~" : key.rawValue])
        }
        guard isRegular else {
            return TextPattern(pieces.count == 1 ? .plain(pieces[0]) : .wildcard(pieces), foldsCase: key.foldsCase)
        }
        do {
            return TextPattern(
                .regular(try RegularPattern(pieces[0], foldsCase: key.foldsCase)), foldsCase: key.foldsCase)
        } catch {
            throw FilterMistake(
                reason: .regular, offset: patternBegin + (text[patternBegin] == "\"" ? 1 : 0) + error.offset,
                values: ["why": FilterWords.why(error.reason)])
        }
    }

    private mutating func quoted(isRegular: Bool) throws(FilterMistake) -> String {
        let begin = offset
        var result = String.UnicodeScalarView()
        offset += 1
        while let scalar = next {
            offset += 1
            if scalar == "\"" {
                guard next.map({ $0.properties.isWhitespace || $0 == "," }) ?? true else {
                    throw FilterMistake(reason: .afterQuote, offset: offset)
                }
                return String(result)
            }
            if scalar == "\\", let escaped = next {
                offset += 1
                // Within a regular expression, a backslash is its own unless it is before a quote.
                if escaped != "\"", isRegular || escaped != "\\" { result.append(scalar) }
                result.append(escaped)
            } else {
                result.append(scalar)
            }
        }
        throw FilterMistake(reason: .quote, offset: begin)
    }

    private mutating func bare(
        isRegular: Bool, commasEnd: Bool, spacesEnd: Bool, hasWildcards: Bool
    ) -> [String] {
        var pieces = [String.UnicodeScalarView()]
        while let scalar = next, !(spacesEnd && scalar.properties.isWhitespace), !(commasEnd && scalar == ",") {
            offset += 1
            if scalar == "\\", let escaped = next {
                offset += 1
                if isRegular, escaped != "\"" { pieces[pieces.count - 1].append(scalar) }
                pieces[pieces.count - 1].append(escaped)
            } else if scalar == "*", hasWildcards, !isRegular {
                pieces.append(String.UnicodeScalarView())
            } else {
                pieces[pieces.count - 1].append(scalar)
            }
        }
        return pieces.map { String($0) }
    }

    private func string(_ range: Range<Int>) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text[range])
        return String(result)
    }
}
