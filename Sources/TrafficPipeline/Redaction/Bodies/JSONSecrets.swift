internal import ASCIIBytes
import TrafficModel

/// Finds JSON values whose name is secret; all that such a value contains is secret, too.
///
/// It accepts any bytes that begin like JSON: bodies may be cut, have several lines of JSON, or be no JSON after all.
struct JSONSecrets {
    let names: SecretNames

    // How deep JSON may be nested in strings of JSON.
    private static let deepest = 4

    /// Covers the secrets of a text.
    ///
    /// - Parameters:
    ///   - text: the JSON.
    ///   - places: the index in the body of each byte of the text, and of its end; nil if the text is the body.
    ///   - cover: the body.
    ///   - depth: how many strings the text is inside of.
    func scan(_ text: [UInt8], places: [Int]?, into cover: inout SecretCover, depth: Int = 0) {
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "\"") else {
                index += 1
                continue
            }
            let content = Self.string(at: index, in: text)
            index = min(content.upperBound + 1, text.count)
            guard let colon = Self.colon(after: index, in: text) else {
                look(into: content, of: text, places, &cover, depth)
                continue
            }
            index = colon + 1
            let name = Self.unescaped(text, content).text
            if names.contains(name[...]) { index = hideValue(at: index, in: text, places, &cover) }
        }
    }

    /// Covers the value that begins at `start`; returns the index after it.
    private func hideValue(at start: Int, in text: [UInt8], _ places: [Int]?, _ cover: inout SecretCover) -> Int {
        var index = start
        var open = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                let content = Self.string(at: index, in: text)
                index = min(content.upperBound + 1, text.count)
                // Names inside a secret stay, because they show what it was.
                if open == 0 || Self.colon(after: index, in: text) == nil { cover.hide(content, of: places) }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                index += 1
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open == 0 { return index }
                open -= 1
                index += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let begin = index
                while index < text.count, Self.isNumber(text[index]) { index += 1 }
                // The value remains a number.
                cover.hide(begin..<index, of: places, as: UInt8(ascii: "1"))
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                if open == 0 { return index }
                index += 1
                continue
            default:
                index += 1
                continue
            }
            if open == 0 { return index }
        }
        return index
    }

    /// Searches a value whose name is not secret: it may contain a URL, or JSON again.
    private func look(
        into content: Range<Int>, of text: [UInt8], _ places: [Int]?, _ cover: inout SecretCover, _ depth: Int
    ) {
        guard content.count > 3, depth < Self.deepest else { return }
        let inner = Self.unescaped(text, content)
        let innerPlaces = inner.places.map { places?[$0] ?? $0 }
        let first = inner.text.first { !ASCII.isSpaceOrControl($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            scan(inner.text, places: innerPlaces, into: &cover, depth: depth + 1)
        }
        TextSecrets(names: names).scan(inner.text, places: innerPlaces, into: &cover)
    }

    /// The content of the string whose quote is at that index, up to the end of the text if the string does not end.
    static func string(at quote: Int, in text: [UInt8]) -> Range<Int> {
        var index = quote + 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return (quote + 1)..<max(quote + 1, min(index, text.count))
    }

    private static func colon(after index: Int, in text: [UInt8]) -> Int? {
        var index = index
        while index < text.count, ASCII.isSpaceOrControl(text[index]) { index += 1 }
        return index < text.count && text[index] == UInt8(ascii: ":") ? index : nil
    }

    private static func isNumber(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || "+-.eE".utf8.contains(byte)
    }

    /// The content of a JSON string without its escapes, and the index in the text of each of its bytes and of its end.
    private static func unescaped(_ text: [UInt8], _ range: Range<Int>) -> (text: [UInt8], places: [Int]) {
        var (bytes, places): ([UInt8], [Int]) = ([], [])
        bytes.reserveCapacity(range.count)
        places.reserveCapacity(range.count + 1)
        var index = range.lowerBound
        while index < range.upperBound {
            places.append(index)
            guard text[index] == UInt8(ascii: "\\"), index + 1 < range.upperBound else {
                bytes.append(text[index])
                index += 1
                continue
            }
            switch text[index + 1] {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"):
                let digits = text[(index + 2)..<min(index + 6, range.upperBound)]
                // Names of secrets are ASCII, so any other character becomes a byte that matches none.
                let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
                bytes.append(code < 0x80 ? UInt8(code) : 0xFF)
                index = min(index + 4, range.upperBound - 2)
            case let other: bytes.append(other)
            }
            index += 2
        }
        places.append(range.upperBound)
        return (bytes, places)
    }
}
