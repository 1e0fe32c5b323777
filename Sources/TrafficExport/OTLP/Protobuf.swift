import TextFormats

/// Encodes a message in Protocol Buffers from the value that JSON is written from, so both have the same content.
///
/// Fields are in the order of their numbers, and a field without presence is left out if it is 0 or empty, as the
/// libraries of other languages do it: equal messages have equal bytes.
enum Protobuf {
    /// How the value of a field is encoded.
    indirect enum Kind: Sendable {
        /// UTF-8.
        case string
        /// Bytes, hexadecimal in JSON.
        case bytes
        /// `int32`, `int64`, `uint32`, `uint64`, `bool` or an enumeration.
        case varint
        /// `sint32`.
        case zigzag
        /// `fixed64` or `sfixed64`.
        case fixed64
        case double
        case message(Message)
        /// Many `uint64` in one field.
        case packedVarints
    }

    /// A field of a message.
    struct Field: Sendable {
        let number: UInt64
        let kind: Kind
        /// Whether 0 differs from nothing.
        var hasPresence = false
    }

    /// The fields of a message by their names in JSON.
    typealias Message = [String: Field]

    /// The bytes of a JSON object as that message.
    static func encoded(_ value: JSONValue, as message: Message) -> [UInt8] {
        guard case .object(let members) = value else { preconditionFailure("a message is an object") }
        let fields = members.map { member -> (field: Field, value: JSONValue) in
            guard let field = message[member.name] else { preconditionFailure("there is no field '\(member.name)'") }
            return (field, member.value)
        }
        return fields.sorted { $0.field.number < $1.field.number }.reduce(into: []) { bytes, member in
            guard case .array(let values) = member.value else { return append(member.value, member.field, to: &bytes) }
            if case .packedVarints = member.field.kind {
                let packed = values.reduce(into: []) { append(varint: integer($1), to: &$0) }
                if !packed.isEmpty { append(packed, member.field.number, to: &bytes) }
                return
            }
            for value in values { append(value, member.field, to: &bytes) }
        }
    }

    // MARK: Fields

    private static func append(_ value: JSONValue, _ field: Field, to bytes: inout [UInt8]) {
        /// Appends the field unless it is as if it were not there.
        func scalar(_ wireType: UInt64, _ bits: UInt64, _ body: (UInt64, inout [UInt8]) -> Void) {
            guard bits != 0 || field.hasPresence else { return }
            append(varint: field.number << 3 | wireType, to: &bytes)
            body(bits, &bytes)
        }
        switch field.kind {
        case .string, .bytes:
            guard case .string(let text) = value else { preconditionFailure("a text is a string") }
            let content = if case .bytes = field.kind { fromHexadecimal(text) } else { Array(text.utf8) }
            if !content.isEmpty || field.hasPresence { append(content, field.number, to: &bytes) }
        case .varint, .packedVarints: scalar(0, integer(value)) { append(varint: $0, to: &$1) }
        case .zigzag:
            let number = Int64(bitPattern: integer(value))
            scalar(0, UInt64(bitPattern: number << 1 ^ number >> 63)) { append(varint: $0, to: &$1) }
        case .fixed64: scalar(1, integer(value)) { append(fixed64: $0, to: &$1) }
        case .double:
            guard let number = double(value) else { preconditionFailure("a number has digits") }
            scalar(1, number.bitPattern) { append(fixed64: $0, to: &$1) }
        case .message(let message): append(encoded(value, as: message), field.number, to: &bytes)
        }
    }

    private static func append(_ content: [UInt8], _ number: UInt64, to bytes: inout [UInt8]) {
        append(varint: number << 3 | 2, to: &bytes)
        append(varint: UInt64(content.count), to: &bytes)
        bytes += content
    }

    static func append(varint value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func append(fixed64 value: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    // MARK: Values

    /// A whole number, which is a string in JSON if it has 64 bits.
    private static func integer(_ value: JSONValue) -> UInt64 {
        switch value {
        case .bool(let isTrue): return isTrue ? 1 : 0
        case .integer(let number): return UInt64(bitPattern: number)
        case .string(let text):
            guard let number = Int64(text) else { preconditionFailure("'\(text)' is no whole number") }
            return UInt64(bitPattern: number)
        default: preconditionFailure("a whole number is a number or a string")
        }
    }

    private static func double(_ value: JSONValue) -> Double? {
        switch value {
        case .number(let text): Double(text)
        case .integer(let number): Double(number)
        default: nil
        }
    }

    private static func fromHexadecimal(_ text: String) -> [UInt8] {
        let digits = text.utf8.map { UInt8($0 < 0x3A ? $0 & 0xF : ($0 & 0xF) + 9) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
