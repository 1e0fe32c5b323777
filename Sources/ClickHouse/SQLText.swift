/// SQL for ClickHouse, in which values can only be literals.
///
/// It is written as a string literal: `"SELECT host FROM exchange WHERE host = \(host)"`. Text that is interpolated
/// becomes a quoted literal, whatever its characters are, so no value can become SQL.
package struct SQLText: ExpressibleByStringInterpolation, Hashable, Sendable, CustomStringConvertible {
    /// The SQL.
    package let description: String

    /// The SQL of this program's own text.
    package init(stringLiteral value: String) { description = value }

    /// The SQL with its values.
    package init(stringInterpolation: StringInterpolation) { description = stringInterpolation.text }

    /// SQL that this program has made of its own words, such as a list of columns.
    package init(ownWords text: String) { description = text }

    /// Parts of SQL with a separator between them.
    package static func joined(_ parts: [SQLText], by separator: SQLText) -> SQLText {
        SQLText(ownWords: parts.map(\.description).joined(separator: separator.description))
    }

    /// A text as a literal of ClickHouse.
    package static func literal(_ value: String) -> String { quoted(value, by: "'") }

    /// The name of a table or a column as an identifier of ClickHouse.
    package static func identifier(_ name: String) -> String { quoted(name, by: "`") }

    private static func quoted(_ value: String, by quote: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView([quote])
        for scalar in value.unicodeScalars {
            if scalar == "\0" {
                result.append(contentsOf: "\\0".unicodeScalars)
                continue
            }
            if scalar == quote || scalar == "\\" { result.append("\\") }
            result.append(scalar)
        }
        result.append(quote)
        return String(result)
    }

    /// Takes the parts of a literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// A text as a quoted literal.
        package mutating func appendInterpolation(_ value: String) { text += SQLText.literal(value) }

        /// A number in digits.
        package mutating func appendInterpolation(_ value: some BinaryInteger) { text += String(value) }

        /// A part of SQL.
        package mutating func appendInterpolation(_ part: SQLText) { text += part.description }

        /// The name of a table or a column.
        package mutating func appendInterpolation(name: String) { text += SQLText.identifier(name) }
    }
}
