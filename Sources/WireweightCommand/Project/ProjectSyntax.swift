/// Reads the part of TOML that a project file needs: keys with a string or an array of strings, and comments.
struct ProjectSyntax {
    /// What a key has, and where.
    struct Entry: Equatable {
        var key: String
        /// The text, or those of the array.
        var values: [String]
        var line: Int
    }

    /// Where the text is wrong, and why.
    struct Fault: Error, Equatable {
        var line: Int
        var reason: String
    }

    private var rest: Substring
    private var line = 1

    private init(_ text: String) { rest = text[...] }

    /// The entries of a text, in its order.
    static func entries(of text: String) throws(Fault) -> [Entry] {
        var syntax = ProjectSyntax(text)
        var entries: [Entry] = []
        while true {
            syntax.skip(lines: true)
            guard let first = syntax.rest.first else { return entries }
            if first == "[" {
                throw syntax.fault("tables such as '[name]' are not read here; write the keys without one")
            }
            let entry = try syntax.entry()
            if entries.contains(where: { $0.key == entry.key }) {
                throw Fault(line: entry.line, reason: "'\(entry.key)' is given twice; join the two")
            }
            entries.append(entry)
        }
    }

    private mutating func entry() throws(Fault) -> Entry {
        let start = line
        let key = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard !key.isEmpty else { throw fault("a key belongs here, such as 'templates = [\"/shops/{shop}\"]'") }
        rest = rest.dropFirst(key.count)
        skip(lines: false)
        guard take("=") else { throw fault("a '=' belongs after '\(key)'") }
        skip(lines: false)
        let values = rest.first == "[" ? try list() : [try string()]
        skip(lines: false)
        guard rest.isEmpty || rest.first?.isNewline == true else {
            throw fault("the line goes on after the value of '\(key)'; begin a new line")
        }
        return Entry(key: String(key), values: values, line: start)
    }

    private mutating func list() throws(Fault) -> [String] {
        let start = line
        _ = take("[")
        var values: [String] = []
        while true {
            skip(lines: true)
            if take("]") { return values }
            if rest.isEmpty { throw Fault(line: start, reason: "the array has no ']'") }
            values.append(try string())
            skip(lines: true)
            guard take(",") || rest.first == "]" else { throw fault("a ',' or ']' belongs after a value of an array") }
        }
    }

    private mutating func string() throws(Fault) -> String {
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            throw fault("a text in quotation marks belongs here, such as \"api.example.com\"")
        }
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == quote { return text }
            if character.isNewline { break }
            guard character == "\\", quote == "\"" else {
                text.append(character)
                continue
            }
            switch rest.popFirst() {
            case "\"": text.append("\"")
            case "\\": text.append("\\")
            case "n": text.append("\n")
            case "t": text.append("\t")
            default: throw fault("only \\\", \\\\, \\n and \\t are read after a backslash; '…' needs none")
            }
        }
        throw fault("the text has no quotation mark at its end")
    }

    /// Skips blanks and comments, and line ends if requested.
    private mutating func skip(lines: Bool) {
        while let next = rest.first {
            if next == "#" {
                rest = rest.drop { !$0.isNewline }
            } else if next.isNewline {
                guard lines else { return }
                line += 1
                rest.removeFirst()
            } else if next == " " || next == "\t" || next == "\u{FEFF}" {
                rest.removeFirst()
            } else {
                return
            }
        }
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    private func fault(_ reason: String) -> Fault { Fault(line: line, reason: reason) }
}
