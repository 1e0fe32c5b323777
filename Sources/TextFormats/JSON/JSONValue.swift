/// A JSON value whose members keep their order, so that lines look the same every time.
///
/// It is written by hand because encoders sort or shuffle members, and because an export may write a million lines.
package enum JSONValue: Hashable, Sendable {
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
        package let name: String
        package let value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The text on one line.
    package var compact: String { String(decoding: compactBytes, as: UTF8.self) }

    /// The text on one line, in UTF-8.
    package var compactBytes: [UInt8] {
        var text: [UInt8] = []
        write(to: &text, indentation: nil)
        return text
    }

    /// The text, one member a line.
    package var pretty: String {
        var text: [UInt8] = []
        write(to: &text, indentation: 0)
        return String(decoding: text, as: UTF8.self)
    }

    // Writes bytes, because appending to a string takes three times as long.
    private func write(to text: inout [UInt8], indentation: Int?) {
        switch self {
        case .null: text.append("null")
        case .bool(let value): text.append(value ? "true" : "false")
        case .integer(let value): text.append(contentsOf: String(value).utf8)
        case .number(let digits): text.append(contentsOf: digits.utf8)
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            Self.write(values, "[", "]", to: &text, indentation) { value, text, inner in
                value.write(to: &text, indentation: inner)
            }
        case .object(let members):
            Self.write(members, "{", "}", to: &text, indentation) { member, text, inner in
                Self.write(member.name, to: &text)
                text.append(inner == nil ? ":" : ": ")
                member.value.write(to: &text, indentation: inner)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item], _ open: StaticString, _ close: StaticString, to text: inout [UInt8], _ indentation: Int?,
        _ writeItem: (Item, inout [UInt8], Int?) -> Void
    ) {
        text.append(open)
        let inner = indentation.map { $0 + 2 }
        for (offset, item) in items.enumerated() {
            if offset > 0 { text.append(",") }
            if let inner { breakLine(inner, &text) }
            writeItem(item, &text, inner)
        }
        if let indentation, !items.isEmpty { breakLine(indentation, &text) }
        text.append(close)
    }

    private static func breakLine(_ indentation: Int, _ text: inout [UInt8]) {
        text.append("\n")
        text.append(contentsOf: repeatElement(0x20, count: indentation))
    }

    /// Writes a string (RFC 8259, section 7).
    ///
    /// It also escapes DEL, the C1 controls and marks that change the reading direction, because terminals obey some of
    /// them.
    private static func write(_ string: String, to text: inout [UInt8]) {
        text.append("\"")
        if !writePlain(string, to: &text) {
            for scalar in string.unicodeScalars {
                switch scalar.value {
                case 0x22: text.append("\\\"")
                case 0x5C: text.append("\\\\")
                case 0x0A: text.append("\\n")
                case 0x0D: text.append("\\r")
                case 0x09: text.append("\\t")
                case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF:
                    let digits = String(scalar.value, radix: 16)
                    text.append("\\u")
                    text.append(contentsOf: repeatElement(0x30, count: 4 - digits.count))
                    text.append(contentsOf: digits.utf8)
                default: text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                }
            }
        }
        text.append("\"")
    }
}

extension JSONValue {
    /// Writes a text in which nothing is escaped, as most are; returns false if there is something to escape.
    private static func writePlain(_ string: String, to text: inout [UInt8]) -> Bool {
        string.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) else { return false }
            text.append(contentsOf: bytes)
            return true
        } ?? false
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}

extension JSONValue {
    /// A string; null if the text is empty or nil.
    package static func text(_ value: String?) -> JSONValue {
        value.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
    }

    /// Milliseconds with the precision of microseconds; null for nil.
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
        if let whole = Int64(exactly: share) { return .integer(whole) }
        return share.isFinite ? .number(String(share)) : .null
    }
}
