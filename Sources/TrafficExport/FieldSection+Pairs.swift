import TrafficModel

extension FieldSection {
    /// Each field as a name and a value, in order; a folded value becomes one line (RFC 9112, section 5.2).
    ///
    /// A line without a colon becomes a name without a value, so that nothing is left out.
    var pairs: [(name: String, value: String)] {
        lines.map { line in
            // The name of a pseudo-field starts with a colon.
            let colon = line.dropFirst().firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            let name = Self.text(line[..<colon])
            return (name, colon == line.endIndex ? "" : Self.text(line[(colon + 1)...]))
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let trimmed = FieldSection.trimmed(bytes)
        guard trimmed.contains(where: { $0 == 0x0D || $0 == 0x0A }) else {
            return String(decoding: trimmed, as: UTF8.self)
        }
        return String(decoding: trimmed, as: UTF8.self).split { $0.isNewline }
            .map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: " ")
    }

    /// The name-value pairs of all Cookie lines (RFC 6265, section 4.2.1).
    var cookiePairs: [(name: String, value: String)] {
        values(of: "cookie").flatMap { $0.split(separator: ";") }.map { Self.pair($0) }
    }

    /// The cookies of all Set-Cookie lines, each with its attributes (RFC 6265, section 4.1.1).
    var setCookies: [[(name: String, value: String)]] {
        values(of: "set-cookie").map { $0.split(separator: ";").map { Self.pair($0) } }
    }

    private static func pair(_ text: Substring) -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        func trimmed(_ part: Substring) -> String {
            String(decoding: FieldSection.trimmed(Array(part.utf8)[...]), as: UTF8.self)
        }
        return (trimmed(parts[0]), parts.count > 1 ? trimmed(parts[1]) : "")
    }
}
