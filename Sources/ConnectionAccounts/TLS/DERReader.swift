/// Reads values of DER (ITU-T X.690, section 10), one after the other; what breaks its rules is nil.
struct DERReader {
    /// A value with the tag that it begins with.
    struct Value {
        let tag: UInt8
        let content: ArraySlice<UInt8>

        /// The values inside.
        var inner: DERReader { DERReader(content) }
    }

    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next value; nil at the end, or if it is cut.
    mutating func next() -> Value? {
        guard let tag = rest.popFirst(), tag & 0x1F != 0x1F, let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            // Longer values do not fit into a handshake.
            let count = Int(first & 0x7F)
            guard (1...3).contains(count), rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return Value(tag: tag, content: rest.prefix(length))
    }

    /// The next value, if it has that tag.
    mutating func next(_ tag: UInt8) -> Value? { next().flatMap { $0.tag == tag ? $0 : nil } }
}
