/// Reads JSON (RFC 8259) piece by piece: the caller says which value it expects next, and skips values that it does not
/// need.
///
/// Foundation's parsers need the whole text and build the whole tree, both without a limit. This reader holds one
/// string at a time, and it limits depth and lengths.
package final class JSONReader {
    /// The limits of a reader.
    package struct Limits: Sendable {
        /// Objects and arrays within each other.
        package var depth = 64
        /// Bytes of a string that is kept.
        package var string = 16 << 20
        /// Bytes of a string that is skipped.
        package var passedString = 256 << 20
        /// Bytes of everything that is kept of one ``JSONReader/entry``.
        package var entry = 64 << 20

        /// Creates the default limits.
        package init() {}
    }

    package let limits: Limits
    private let source: () throws -> [UInt8]
    private(set) var buffer: [UInt8] = []
    var index = 0
    /// The number of bytes read before the buffer.
    private var passed = 0
    /// The line, counted from 1.
    package private(set) var line = 1
    private var depth = 0
    private var isAtEnd = false
    /// Bytes kept since the last entry started.
    var kept = 0
    /// The element that is being read, counted from 1, if the file is a list of similar values.
    package var entry: Int? {
        didSet { kept = 0 }
    }

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - limits: the limits on depth and lengths.
    ///   - source: returns the next bytes; none at the end.
    package init(limits: Limits = Limits(), source: @escaping () throws -> [UInt8]) {
        self.limits = limits
        self.source = source
    }

    /// An error at the current place.
    package func fault(_ reason: String) -> JSONFault {
        JSONFault(line: line, offset: passed + index, entry: entry, reason: reason)
    }

    func endedEarly(_ place: String) -> JSONFault { fault("the file ends \(place); it was cut, so make it again") }

    // MARK: Bytes

    /// The next byte; nil at the end.
    func peek() throws -> UInt8? {
        while index == buffer.count {
            if isAtEnd { return nil }
            passed += buffer.count
            buffer = try source()
            index = 0
            isAtEnd = buffer.isEmpty
        }
        return buffer[index]
    }

    func next(_ place: String) throws -> UInt8 {
        guard let byte = try peek() else { throw endedEarly(place) }
        index += 1
        return byte
    }

    /// Skips white space and returns the byte after it, without consuming it.
    func token(_ place: String) throws -> UInt8 {
        while let byte = try peek() {
            switch byte {
            case 0x0A:
                line += 1
                index += 1
            case 0x20, 0x09, 0x0D: index += 1
            default: return byte
            }
        }
        throw endedEarly(place)
    }

    // MARK: Values

    /// The kind of the next value.
    package enum Kind: String, Sendable {
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

    static func shown(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? "'\(UnicodeScalar(byte))'" : "the byte \(byte)"
    }

    /// Reads an object: passes each name to the body, which must read or skip the member's value.
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
            let colon = try token("after a member's name")
            guard colon == UInt8(ascii: ":") else { throw fault("\(Self.shown(colon)) where a colon belongs") }
            index += 1
            try member(name)
            if try isLast(closing: UInt8(ascii: "}"), "within an object") { return }
        }
    }

    /// Reads an array: the body must read or skip each element.
    package func readArray(_ element: () throws -> Void) throws {
        try expect(.array)
        try enter()
        defer { depth -= 1 }
        if try token("within an array") == UInt8(ascii: "]") { return index += 1 }
        while true {
            // An element takes memory even if it keeps nothing itself.
            try keep(16)
            try element()
            if try isLast(closing: UInt8(ascii: "]"), "within an array") { return }
        }
    }

    private func enter() throws {
        index += 1
        depth += 1
        if depth > limits.depth { throw fault("values nested deeper than \(limits.depth), which is never needed") }
    }

    private func isLast(closing: UInt8, _ place: String) throws -> Bool {
        let byte = try token(place)
        guard byte == closing || byte == UInt8(ascii: ",") else {
            throw fault("\(Self.shown(byte)) where a comma or '\(UnicodeScalar(closing))' belongs")
        }
        index += 1
        return byte == closing
    }

    /// Skips the next value, of any kind.
    package func pass() throws {
        switch try kind() {
        case .object: try readObject { _ in try pass() }
        case .array: try readArray { try pass() }
        case .string: try passString()
        case .number: _ = try number()
        case .word: _ = try word()
        }
    }

    /// Reads null and returns true; false if a value of that kind comes instead.
    private func isNull(or kind: Kind) throws -> Bool {
        guard try self.kind() == .word else {
            try expect(kind)
            return false
        }
        guard try word() == nil else { throw fault("true or false where \(kind.rawValue) belongs") }
        return true
    }

    /// Reads a string; nil for null.
    package func readString() throws -> String? {
        if try isNull(or: .string) { return nil }
        return try string()
    }

    /// Reads a string; nil for null, and for a string that is longer than the limit, which is skipped.
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

    /// Reads a number; nil for null.
    package func readNumber() throws -> Double? {
        if try isNull(or: .number) { return nil }
        return try number()
    }

    /// Reads a string or a number as text; nil for any other value, which is skipped.
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

    /// Reads true or false; nil for any other value, which is skipped.
    package func readFlag() throws -> Bool? {
        if try kind() == .word { return try word() }
        try pass()
        return nil
    }

    /// Checks that nothing follows but white space.
    package func finish() throws {
        while let byte = try peek() {
            switch byte {
            case 0x0A:
                line += 1
                index += 1
            case 0x20, 0x09, 0x0D: index += 1
            default: throw fault("\(Self.shown(byte)) after the end")
            }
        }
    }

    /// Skips a byte order mark; a reader may do so (RFC 8259, section 8.1).
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
}
