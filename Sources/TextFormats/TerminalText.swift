/// Makes text from the wire safe for a terminal.
package enum TerminalText {
    /// Escapes every character that a terminal would obey or that would reorder the text beside it: controls,
    /// bidirectional marks and line separators.
    package static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result += escape(scalar)
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return scalar.value < 0x80 ? (digits.count < 2 ? "\\x0" : "\\x") + digits : "\\u{\(digits)}"
        }
    }

    /// The number of the terminal's columns that the text takes.
    package static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    /// The text in at most that many columns; a longer one loses its middle, because the ends distinguish it.
    package static func elided(_ text: String, to limit: Int) -> String {
        guard width(text) > limit else { return text }
        guard limit > 1 else { return limit == 1 ? "…" : "" }
        let tail = (limit - 1) / 2
        let head = limit - 1 - tail
        var end = String.UnicodeScalarView()
        end.append(contentsOf: prefix(of: text.unicodeScalars.reversed(), columns: tail).unicodeScalars.reversed())
        return prefix(of: text.unicodeScalars, columns: head) + "…" + String(end)
    }

    private static func prefix(of scalars: some Sequence<Unicode.Scalar>, columns: Int) -> String {
        var result = ""
        var taken = 0
        for scalar in scalars {
            taken += width(scalar)
            if taken > columns { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    /// The text in lines of at most that many columns, broken between words.
    package static func wrapped(_ text: String, to limit: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, width(last) + 1 + width(String(word)) <= limit {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// The text padded with spaces to that many columns.
    package static func padded(_ text: String, to columns: Int, right: Bool) -> String {
        let spaces = String(repeating: " ", count: max(0, columns - width(text)))
        return right ? spaces + text : text + spaces
    }
}
