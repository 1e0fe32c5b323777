/// The variable parts of a path in files of 0.1.0: `/users/42/posts` in `/users/{id}/posts` is the number 42.
///
/// A path that does not fit its template is a text.
struct ReleasedPath {
    // The texts before each variable part, and the one after the last.
    private let literals: [[UInt8]]

    // The low two bits of the first number of a variable part.
    private enum Kind {
        static let decimal: UInt64 = 0
        static let text: UInt64 = 1
        static let hex: UInt64 = 2
        static let uuid: UInt64 = 3
    }

    /// The coding for a template; each `{name}` in it is variable, and its GraphQL operation is in no path.
    init(template: String) {
        var literals: [[UInt8]] = [[]]
        var name: [UInt8]?
        for byte in template.utf8.prefix(while: { $0 != UInt8(ascii: "?") }) {
            if name == nil, byte != UInt8(ascii: "{") {
                literals[literals.count - 1].append(byte)
            } else if byte == UInt8(ascii: "}") {
                literals.append([])
                name = nil
            } else {
                name = (name ?? []) + [byte]
            }
        }
        if let name { literals[literals.count - 1] += name }
        self.literals = literals
    }

    /// The path with these variable parts.
    func path(_ blob: UnsafeRawBufferPointer) -> String {
        var bytes: [UInt8] = []
        append(blob, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the path with these variable parts.
    func append(_ blob: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        var reader = ByteReader(blob)
        bytes.append(contentsOf: literals[0])
        for literal in literals.dropFirst() {
            let first = reader.varint()
            let count = Int(clamping: first >> 2)
            switch first & 3 {
            case Kind.text: bytes.append(contentsOf: reader.take(count))
            case Kind.hex: ValueCoding.appendDigits(reader.take(count), to: &bytes)
            case Kind.uuid: ValueCoding.appendUUID(reader.take(16), to: &bytes)
            default: bytes.append(contentsOf: String(first >> 2).utf8)
            }
            bytes.append(contentsOf: literal)
        }
    }
}
