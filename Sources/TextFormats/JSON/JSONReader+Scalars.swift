import ASCIIBytes

extension JSONReader {
    // MARK: Words and numbers

    /// Reads `true` or `false`; nil for `null`.
    func word() throws -> Bool? {
        let words: [(text: StaticString, value: Bool?)] = [("true", true), ("false", false), ("null", nil)]
        let first = try token("where a value belongs")
        for word in words where word.text.utf8Start.pointee == first {
            for place in 0..<word.text.utf8CodeUnitCount
            where try next("within a word") != word.text.utf8Start[place] {
                throw fault("a word other than true, false and null")
            }
            return word.value
        }
        throw fault("a word other than true, false and null")
    }

    func number() throws -> Double {
        var text: [UInt8] = []
        while let byte = try peek(), ASCII.isDigit(byte) || "+-.eE".utf8.contains(byte) {
            text.append(byte)
            index += 1
            if text.count > 64 { throw fault("a number of more than 64 digits") }
        }
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        let isWellFormed =
            digits.first.map(ASCII.isDigit) ?? false
            && !(digits.count > 1 && digits.first == 0x30 && ASCII.isDigit(digits[digits.startIndex + 1]))
            && ASCII.isDigit(digits.last ?? 0)
        guard isWellFormed, let value = Double(String(decoding: text, as: UTF8.self)) else {
            throw fault("'\(String(decoding: text, as: UTF8.self))' is no number")
        }
        return value
    }

    // MARK: Strings

    func keep(_ count: Int) throws {
        guard entry != nil else { return }
        kept += count
        if kept > limits.entry { throw fault("one entry has more than \(limits.entry) bytes beside its content") }
    }

    func string() throws -> String {
        var bytes: [UInt8] = []
        try forEachRun(limit: limits.string) { bytes.append(contentsOf: $0) }
        try keep(bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    func passString() throws { try forEachRun(limit: limits.passedString) { _ in } }

    /// Passes the string's bytes to the body in pieces, with escapes decoded.
    func forEachRun(limit: Int, _ body: (ArraySlice<UInt8>) -> Void) throws {
        index += 1
        var count = 0
        func add(_ run: ArraySlice<UInt8>) throws {
            count += run.count
            if count > limit { throw fault("a string of more than \(limit) bytes") }
            body(run)
        }
        while true {
            guard let first = try peek() else { throw endedEarly("within a string") }
            let end = endOfRun()
            if end > index {
                let run = buffer[index..<end]
                index = end
                try add(run)
                continue
            }
            index += 1
            switch first {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try add(escape()[...])
            default:
                index -= 1
                throw fault("\(Self.shown(first)) within a string; control characters must be escaped")
            }
        }
    }

    /// The index of the next quote, backslash or control character; the buffer's end if there is none.
    private func endOfRun() -> Int {
        buffer.withUnsafeBufferPointer { buffer in
            var end = index
            while end < buffer.count, buffer[end] >= 0x20, buffer[end] != 0x22, buffer[end] != 0x5C { end += 1 }
            return end
        }
    }

    /// Decodes an escape (RFC 8259, section 7); a surrogate without its partner becomes U+FFFD.
    private func escape() throws -> [UInt8] {
        switch try next("within a string") {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "\""): return [0x22]
        case UInt8(ascii: "\\"): return [0x5C]
        case UInt8(ascii: "/"): return [0x2F]
        case UInt8(ascii: "u"): return try unicode()
        default: throw fault("an escape that JSON does not know")
        }
    }

    private func unicode() throws -> [UInt8] {
        let high = try fourDigits()
        guard (0xD800..<0xDC00).contains(high) else { return Self.utf8(high) }
        guard try peek() == UInt8(ascii: "\\") else { return Self.utf8(0xFFFD) }
        index += 1
        guard try peek() == UInt8(ascii: "u") else { return Self.utf8(0xFFFD) + (try escape()) }
        index += 1
        let low = try fourDigits()
        guard (0xDC00..<0xE000).contains(low) else { return Self.utf8(0xFFFD) + Self.utf8(low) }
        return Self.utf8(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private func fourDigits() throws -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = try next("within a string")
            guard let digit = ASCII.hexValue(byte) else { throw fault("an escape that JSON does not know") }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private static func utf8(_ scalar: UInt32) -> [UInt8] {
        Array(String(UnicodeScalar(scalar) ?? "\u{FFFD}").utf8)
    }
}
