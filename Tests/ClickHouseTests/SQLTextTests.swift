import TestSupport
import Testing

@testable import ClickHouse

@Suite("SQL") struct SQLTextTests {
    @Test("has texts as quoted literals, and numbers as digits")
    func values() {
        let host = #"a' OR 1=1 -- \' "#
        let sql: SQLText = "SELECT \(name: "ho`st") FROM t WHERE host = \(host) AND id > \(-5)"
        #expect(sql.description == #"SELECT `ho\`st` FROM t WHERE host = 'a\' OR 1=1 -- \\\' ' AND id > -5"#)
        #expect(SQLText.literal("a\0b") == #"'a\0b'"#)
        #expect(SQLText.joined(["a", "b"], by: ", ").description == "a, b")
    }

    @Test("ends a literal only at its end, whatever the text is")
    func random() {
        var random = SeededGenerator(seed: 21)
        let scalars: [Unicode.Scalar] = ["'", "\\", "\0", "n", "`", "é", "\u{301}", "\n", "0"]
        for _ in 0..<2_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                text.append(scalars.randomElement(using: &random) ?? "'")
            }
            #expect(LiteralParser.text(of: SQLText.literal(String(text))) == String(text))
        }
    }
}

/// Reads a literal as ClickHouse does.
enum LiteralParser {
    /// The text of a literal that has nothing before or after it; nil if it is none.
    static func text(of literal: String) -> String? {
        var rest = Array(literal.unicodeScalars)[...]
        guard rest.popFirst() == "'" else { return nil }
        var result = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "'": return rest.isEmpty ? String(result) : nil
            case "\\":
                guard let next = rest.popFirst() else { return nil }
                result.append(next == "0" ? "\0" : next)
            default: result.append(scalar)
            }
        }
        return nil
    }
}
