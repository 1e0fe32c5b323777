/// Reads JSON (RFC 8259) piece by piece: who asks says what comes next, and what nobody asks for is passed over.
///
/// Foundation's parsers want the whole text and build the whole tree, without a bound on either; here the memory is that
/// of one string, and depth and lengths have limits.
package final class JSONReader {
    /// What is too much.
    package struct Limits: Sendable {
        /// Objects and arrays within each other.
        package var depth = 64
        /// Bytes of a string that is kept.
        package var string = 16 << 20
        /// Bytes of a string that is passed over.
        package var passedString = 256 << 20
        /// Bytes of all that is kept of one ``JSONReader/entry``.
        package var entry = 64 << 20

        /// The usual.
        package init() {}
    }

    package let limits: Limits
    private let source: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var index = 0
    /// What stood before the buffer.
    private var passed = 0
    /// The line, counted from 1.
    package private(set) var line = 1
    private var depth = 0
    private var isAtEnd = false
    /// What has been kept since the last entry began.
    private var kept = 0
    /// Which of many alike values is read, counted from 1, where the file is a list of such.
    package var entry: Int? {
        didSet { kept = 0 }
    }

    /// A reader.
    ///
    /// - Parameters:
    ///   - limits: what is too much.
    ///   - source: gives the next bytes; none at the end.
    package init(limits: Limits = Limits(), source: @escaping () throws -> [UInt8]) {
        self.limits = limits
        self.source = source
    }

    /// The error that says what is wrong here.
    package func fault(_ reason: String) -> JSONFault {
        JSONFault(line: line, offset: passed + index, entry: entry, reason: reason)
    }

    // MARK: Bytes

    /// The next byte; nil at the end.
    private func peek() throws -> UInt8? {
        while index == buffer.count {
            if isAtEnd { return nil }
            passed += buffer.count
            buffer = try source()
            index = 0
            isAtEnd = buffer.isEmpty
        }
        return buffer[index]
    }

    private func next(_ place: String) throws -> UInt8 {
        guard let byte = try peek() else { throw fault("the file ends \(place); it was cut, so make it again") }
        index += 1
        return byte
    }

    /// Passes over white space, and shows what comes then.
    private func token(_ place: String) throws -> UInt8 {
        while let byte = try peek() {
            switch byte {
            case 0x0A:
                line += 1
                index += 1
            case 0x20, 0x09, 0x0D: index += 1
            default: return byte
            }
        }
        throw fault("the file ends \(place); it was cut, so make it again")
    }

    // MARK: Values

    /// What kind of value comes next.
    package enum Kind: String {
        case object = "an object"
        case array = "an array"
        case string = "a string"
        case number = "a number"
        case word = "true, false or null"
    }

    package func kind() throws -> Kind {
        switch try token("where a value belongs") {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), 0x30...0x39: return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .word
        case let byte: throw fault("\(Self.shown(byte)) where a value belongs")
        }
    }

    private func expect(_ kind: Kind) throws {
        let found = try self.kind()
        if found != kind { throw fault("\(found.rawValue) where \(kind.rawValue) belongs") }
    }

    private static func shown(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? "'\(UnicodeScalar(byte))'" : "the byte \(byte)"
    }

    /// Reads an object: tells the name of each member, whose value the body must read or pass over.
    package func readObject(_ member: (String) throws -> Void) throws {
        try expect(.object)
        try enter()
        defer { depth -= 1 }
        if try token("within an object") == UInt8(ascii: "}") { return index += 1 }
        while true {
            guard try token("within an object") == UInt8(ascii: "\"") else {
                throw fault("\(Self.shown(try next(""))) where a member's name belongs")
            }
            let name = try string()
            let colon = try token("behind a member's name")
            guard colon == UInt8(ascii: ":") else { throw fault("\(Self.shown(colon)) where a colon belongs") }
            index += 1
            try member(name)
            if try isLast(closing: UInt8(ascii: "}"), "within an object") { return }
        }
    }

    /// Reads an array: the body must read or pass over each element.
    package func readArray(_ element: () throws -> Void) throws {
        try expect(.array)
        try enter()
        defer { depth -= 1 }
        if try token("within an array") == UInt8(ascii: "]") { return index += 1 }
        while true {
            // Elements that keep nothing themselves still cost something.
            try keep(16)
            try element()
            if try isLast(closing: UInt8(ascii: "]"), "within an array") { return }
        }
    }

    private func enter() throws {
        index += 1
        depth += 1
        if depth > limits.depth { throw fault("values nested deeper than \(limits.depth); nothing that is read here is") }
    }

    private func isLast(closing: UInt8, _ place: String) throws -> Bool {
        let byte = try token(place)
        guard byte == closing || byte == UInt8(ascii: ",") else {
            throw fault("\(Self.shown(byte)) where a comma or '\(UnicodeScalar(closing))' belongs")
        }
        index += 1
        return byte == closing
    }

    /// Passes over the next value, whatever it is.
    package func pass() throws {
        switch try kind() {
        case .object: try readObject { _ in try pass() }
        case .array: try readArray { try pass() }
        case .string: try passString()
        case .number: _ = try number()
        case .word: _ = try word()
        }
    }

    /// Reads null; false where that kind of value comes instead.
    private func isNull(or kind: Kind) throws -> Bool {
        guard try self.kind() == .word else {
            try expect(kind)
            return false
        }
        guard try word() == nil else { throw fault("true or false where \(kind.rawValue) belongs") }
        return true
    }

    /// The next value where it is a string; nil for null.
    package func readString() throws -> String? {
        if try isNull(or: .string) { return nil }
        return try string()
    }

    /// The next value where it is a string no longer than that; nil for null and for a longer one, which is passed over.
    package func readString(keepingUpTo limit: Int) throws -> String? {
        if try isNull(or: .string) { return nil }
        var bytes: [UInt8] = []
        var isTooLong = false
        try forEachRun(limit: limits.passedString) { run in
            isTooLong = isTooLong || bytes.count + run.count > limit
            if isTooLong { bytes = [] } else { bytes.append(contentsOf: run) }
        }
        if isTooLong { return nil }
        try keep(bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The next value where it is a number; nil for null.
    package func readNumber() throws -> Double? {
        if try isNull(or: .number) { return nil }
        return try number()
    }

    /// The next value where it is a string, or a number, as text; nil for anything else.
    package func readText() throws -> String? {
        switch try kind() {
        case .string: return try string()
        case .number:
            let value = try number()
            return Int64(exactly: value).map { String($0) } ?? String(value)
        default:
            try pass()
            return nil
        }
    }

    /// The next value where it is true or false; nil for anything else.
    package func readFlag() throws -> Bool? {
        if try kind() == .word { return try word() }
        try pass()
        return nil
    }

    /// Makes sure that nothing follows.
    package func finish() throws {
        while let byte = try peek() {
            switch byte {
            case 0x0A:
                line += 1
                index += 1
            case 0x20, 0x09, 0x0D: index += 1
            default: throw fault("\(Self.shown(byte)) behind the end")
            }
        }
    }

    /// Passes over a byte order mark (RFC 8259, section 8.1: a reader may).
    package func passByteOrderMark() throws {
        switch try peek() {
        case nil: throw fault("the file is empty")
        case 0xEF:
            for byte: UInt8 in [0xEF, 0xBB, 0xBF] where try next("in its first bytes") != byte {
                throw fault("the file is not UTF-8 text")
            }
        case 0xFE, 0xFF, 0x00: throw fault("the file is not UTF-8 text")
        default: break
        }
    }

    // MARK: Words and numbers

    /// The value of true and false; nil for null.
    private func word() throws -> Bool? {
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

    private func number() throws -> Double {
        var text: [UInt8] = []
        while let byte = try peek(), (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) {
            text.append(byte)
            index += 1
            if text.count > 64 { throw fault("a number of more than 64 digits") }
        }
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        let isWellFormed = digits.first.map { (0x30...0x39).contains($0) } ?? false
            && !(digits.count > 1 && digits.first == 0x30 && (0x30...0x39).contains(digits[digits.startIndex + 1]))
            && (0x30...0x39).contains(digits.last ?? 0)
        guard isWellFormed, let value = Double(String(decoding: text, as: UTF8.self)) else {
            throw fault("'\(String(decoding: text, as: UTF8.self))' is no number")
        }
        return value
    }

    // MARK: Strings

    private func keep(_ count: Int) throws {
        guard entry != nil else { return }
        kept += count
        if kept > limits.entry { throw fault("one entry has more than \(limits.entry) bytes beside its content") }
    }

    private func string() throws -> String {
        var bytes: [UInt8] = []
        try forEachRun(limit: limits.string) { bytes.append(contentsOf: $0) }
        try keep(bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func passString() throws { try forEachRun(limit: limits.passedString) { _ in } }

    /// Hands over the string's bytes in pieces, escapes undone.
    private func forEachRun(limit: Int, _ body: (ArraySlice<UInt8>) -> Void) throws {
        index += 1
        var count = 0
        func add(_ run: ArraySlice<UInt8>) throws {
            count += run.count
            if count > limit { throw fault("a string of more than \(limit) bytes") }
            body(run)
        }
        while true {
            guard let first = try peek() else { throw fault("the file ends within a string; it was cut, so make it again") }
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

    /// Where the next quote, backslash or control character is, or the buffer's end.
    private func endOfRun() -> Int {
        buffer.withUnsafeBufferPointer { buffer in
            var end = index
            while end < buffer.count, buffer[end] >= 0x20, buffer[end] != 0x22, buffer[end] != 0x5C { end += 1 }
            return end
        }
    }

    /// What an escape stands for (section 7); a surrogate that stands alone becomes U+FFFD.
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
            guard let digit = Self.hexDigit(byte) else { throw fault("an escape that JSON does not know") }
            value = value << 4 | digit
        }
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        if (0x30...0x39).contains(byte) { return UInt32(byte) - 0x30 }
        return (0x61...0x66).contains(byte | 0x20) ? UInt32(byte | 0x20) - 0x57 : nil
    }

    private static func utf8(_ scalar: UInt32) -> [UInt8] {
        Array(String(UnicodeScalar(scalar) ?? "\u{FFFD}").utf8)
    }
}
