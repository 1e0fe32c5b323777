/// A JSON value whose members keep their order, so that lines read the same way every time.
///
/// Written by hand because encoders sort or shuffle members, and because a million lines go through it.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number as its digits.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name with its value.
    package struct Member: Hashable, Sendable {
        let name: String
        let value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The text, on one line.
    package var compact: String {
        var text = ""
        write(to: &text, indentation: nil)
        return text
    }

    /// The text, one member a line.
    package var pretty: String {
        var text = ""
        write(to: &text, indentation: 0)
        return text
    }

    private func write(to text: inout String, indentation: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let digits): text += digits
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            Self.write(values, "[", "]", to: &text, indentation) { value, text, inner in
                value.write(to: &text, indentation: inner)
            }
        case .object(let members):
            Self.write(members, "{", "}", to: &text, indentation) { member, text, inner in
                Self.write(member.name, to: &text)
                text += inner == nil ? ":" : ": "
                member.value.write(to: &text, indentation: inner)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item], _ open: String, _ close: String, to text: inout String, _ indentation: Int?,
        _ writeItem: (Item, inout String, Int?) -> Void
    ) {
        text += open
        let inner = indentation.map { $0 + 2 }
        for (offset, item) in items.enumerated() {
            if offset > 0 { text += "," }
            if let inner { breakLine(inner, &text) }
            writeItem(item, &text, inner)
        }
        if let indentation, !items.isEmpty { breakLine(indentation, &text) }
        text += close
    }

    // Without a new string for each line: a report of a thousand APIs has a hundred thousand.
    private static func breakLine(_ indentation: Int, _ text: inout String) {
        text += "\n"
        for _ in 0..<(indentation / 2) { text += "  " }
    }

    /// Writes a string (RFC 8259, section 7).
    ///
    /// DEL, the C1 controls and marks that turn the reading direction are escaped,
    /// too: terminals obey some of them.
    private static func write(_ string: String, to text: inout String) {
        text += "\""
        if string.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
            text += string
        } else {
            for scalar in string.unicodeScalars {
                switch scalar.value {
                case 0x22: text += "\\\""
                case 0x5C: text += "\\\\"
                case 0x0A: text += "\\n"
                case 0x0D: text += "\\r"
                case 0x09: text += "\\t"
                case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF:
                    let digits = String(scalar.value, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }
}

extension JSONValue {
    /// A string, or null where it is empty or missing.
    package static func text(_ value: String?) -> JSONValue {
        value.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
    }

    /// Milliseconds with the precision of microseconds.
    package static func milliseconds(_ nanoseconds: Int64?) -> JSONValue {
        guard let nanoseconds else { return .null }
        let micros = (nanoseconds / 100 + (nanoseconds < 0 ? -5 : 5)) / 10
        let (whole, part) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000)
        var digits = (micros < 0 ? "-" : "") + String(whole)
        if part > 0 {
            var fraction = String(part + 1_000).dropFirst()
            while fraction.last == "0" { fraction.removeLast() }
            digits += "." + fraction
        }
        return .number(digits)
    }

    /// A share from 0 to 1.
    package static func share(_ share: Double) -> JSONValue {
        share == share.rounded() ? .integer(Int64(share)) : .number(String(share))
    }
}
