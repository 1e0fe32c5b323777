internal import ASCIIBytes
import TrafficModel

/// Finds secrets in a text of any kind: forms and URLs, elements and fields of XML and HTML, and `name: value`.
struct TextSecrets {
    let names: SecretNames

    /// Covers the secrets of a text; the parameters are those of ``JSONSecrets/scan(_:places:into:depth:)``.
    func scan(_ text: [UInt8], places: [Int]?, into cover: inout SecretCover) {
        var redactions = Redactions()
        SecretScanner(names: names, context: .text).scan(text, in: 0..<text.count, into: &redactions)
        for range in redactions.ranges { cover.hide(range, of: places) }
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: ":"): index = value(behind: index, in: text, places, &cover)
            case UInt8(ascii: "<"): index = element(at: index, in: text, places, &cover)
            default: index += 1
            }
        }
    }

    /// Covers the value in `password: "…"`, as in GraphQL and scripts, and in `password: …` up to the end of the line.
    private func value(behind colon: Int, in text: [UInt8], _ places: [Int]?, _ cover: inout SecretCover) -> Int {
        var end = colon
        while end > 0, ASCII.isSpaceOrControl(text[end - 1]) { end -= 1 }
        if end > 0, Self.isQuote(text[end - 1]) { end -= 1 }
        var start = end
        while start > 0, Self.isWord(text[start - 1]) { start -= 1 }
        guard start < end, end - start <= 64, names.contains(text[start..<end]) else { return colon + 1 }
        var index = colon + 1
        while index < text.count, ASCII.isSpaceOrControl(text[index]) { index += 1 }
        guard index < text.count else { return index }
        let close: Int
        if Self.isQuote(text[index]) {
            let quote = text[index]
            index += 1
            close = text[index...].firstIndex(of: quote) ?? text.count
        } else {
            close = text[index...].firstIndex { $0 == 0x0A || $0 == 0x0D || ",)}".utf8.contains($0) } ?? text.count
        }
        cover.hide(index..<close, of: places)
        return max(close, colon + 1)
    }

    /// Covers the content of `<password>…</password>`, and the value of `<input name="csrf_token" value="…">`.
    private func element(at start: Int, in text: [UInt8], _ places: [Int]?, _ cover: inout SecretCover) -> Int {
        guard let end = text[start...].prefix(4_096).firstIndex(of: UInt8(ascii: ">")) else { return start + 1 }
        let tag = (start + 1)..<end
        let nameEnd = text[tag].firstIndex { !Self.isWord($0) && $0 != UInt8(ascii: ":") } ?? end
        if start + 1 < nameEnd, names.contains(text[(start + 1)..<nameEnd]), end > start,
            text[end - 1] != UInt8(ascii: "/")
        {
            let close = text[(end + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? text.count
            cover.hide((end + 1)..<close, of: places)
            return close
        }
        if let name = attribute("name", of: tag, in: text) ?? attribute("id", of: tag, in: text),
            names.contains(text[name])
        {
            for word in ["value", "content"] {
                if let value = attribute(word, of: tag, in: text) { cover.hide(value, of: places) }
            }
        }
        return start + 1
    }

    /// The range of an attribute's value between its quotes.
    private func attribute(_ name: String, of tag: Range<Int>, in text: [UInt8]) -> Range<Int>? {
        let name = Array(name.utf8)
        var index = tag.lowerBound
        while index + name.count + 2 < tag.upperBound {
            defer { index += 1 }
            guard ASCII.isSpaceOrControl(text[index]),
                ASCII.equalsIgnoringCase(text[(index + 1)..<(index + 1 + name.count)], name),
                text[index + 1 + name.count] == UInt8(ascii: "=")
            else { continue }
            let quote = index + 2 + name.count
            guard Self.isQuote(text[quote]) else { continue }
            guard let close = text[(quote + 1)..<tag.upperBound].firstIndex(of: text[quote]) else { return nil }
            return (quote + 1)..<close
        }
        return nil
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
    private static func isWord(_ byte: UInt8) -> Bool { FieldName.isTokenByte(byte) && byte != UInt8(ascii: "'") }
}
