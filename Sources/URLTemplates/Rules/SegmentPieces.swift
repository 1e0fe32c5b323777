internal import ASCIIBytes
internal import TrafficModel

/// Replaces the variable pieces of a segment such as `part-00001-3f9c2a1b.json` or `Products(42)`.
///
/// There are three kinds of borders between pieces, from the outer to the inner: those of structures such as
/// `name=value` or `f(x)`, the sign `@`, and those inside a name.
struct SegmentPieces {
    private let bytes: ArraySlice<UInt8>
    private var result: [UInt8] = []
    private var hasChanged = false
    private let isFile: Bool

    /// The pieces of that segment.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        isFile = bytes.contains(UInt8(ascii: "."))
    }

    /// The segment with names for its variable pieces; nil if it has none.
    mutating func template() -> String? {
        forEach(in: bytes, between: Self.isStructure) { pieces, piece in
            if piece.count < pieces.bytes.count, let name = WholeRules.name(of: piece) { return pieces.append(name) }
            var isFirst = true
            pieces.forEach(in: piece, between: { $0 == UInt8(ascii: "@") }) { pieces, half in
                // After the sign, a short number is a version or a scale.
                let isNamed = half.count < piece.count && isFirst
                isFirst = false
                if isNamed, let name = WholeRules.name(of: half) { return pieces.append(name) }
                pieces.appendAtoms(of: half)
            }
        }
        return hasChanged ? String(decoding: result, as: UTF8.self) : nil
    }

    private mutating func append(_ name: String) {
        result += name.utf8
        hasChanged = true
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): result += "%7B".utf8
        case UInt8(ascii: "}"): result += "%7D".utf8
        default: result.append(byte)
        }
    }

    private mutating func forEach(
        in range: ArraySlice<UInt8>, between isBorder: (UInt8) -> Bool,
        _ body: (inout Self, ArraySlice<UInt8>) -> Void
    ) {
        var start = range.startIndex
        for index in range.indices where isBorder(range[index]) {
            if start < index { body(&self, range[start..<index]) }
            append(range[index])
            start = index + 1
        }
        if start < range.endIndex { body(&self, range[start...]) }
    }

    private static func isStructure(_ byte: UInt8) -> Bool { ":;=,()'!$*\"".utf8.contains(byte) }
    private static func isSeparator(_ byte: UInt8) -> Bool { "-_.~+".utf8.contains(byte) }

    private mutating func appendAtoms(of piece: ArraySlice<UInt8>) {
        var index = piece.startIndex
        while index < piece.endIndex {
            if piece[index] == UInt8(ascii: "%") {
                let end = min(index + 3, piece.endIndex)
                result += piece[index..<end]
                index = end
            } else if Self.isSeparator(piece[index]) {
                append(piece[index])
                index += 1
            } else if let (name, length) = Self.compound(piece[index...]) {
                append(name)
                index += length
            } else {
                let end = piece[index...].firstIndex { Self.isSeparator($0) || $0 == UInt8(ascii: "%") }
                let atom = piece[index..<(end ?? piece.endIndex)]
                let next = atom.endIndex < piece.endIndex ? piece[atom.endIndex] : 0
                appendAtom(atom, isBehindSeparator: index > piece.startIndex, next: next)
                index = atom.endIndex
            }
        }
    }

    /// A UUID or a date at the start; its hyphens are no borders.
    private static func compound(_ bytes: ArraySlice<UInt8>) -> (name: String, length: Int)? {
        func isBorder(_ length: Int) -> Bool {
            bytes.dropFirst(length).first.map { !ASCII.isAlphanumeric($0) } ?? true
        }
        if bytes.count >= 36, bytes[bytes.startIndex + 8] == UInt8(ascii: "-"), WholeRules.isUUID(bytes.prefix(36)),
            isBorder(36)
        {
            return ("{uuid}", 36)
        }
        if bytes.count >= 10, bytes[bytes.startIndex + 4] == UInt8(ascii: "-"), WholeRules.isDate(bytes.prefix(10)),
            isBorder(10)
        {
            return ("{date}", 10)
        }
        return nil
    }

    private mutating func appendAtom(_ atom: ArraySlice<UInt8>, isBehindSeparator: Bool, next: UInt8) {
        if atom.allSatisfy(ASCII.isDigit) {
            // `page-2`, `utf-8` and `2024` are names.
            if atom.count >= 5 { return append("{id}") }
        } else if WholeRules.isHash(atom), isBehindSeparator || next != UInt8(ascii: "-") {
            // The start of `123e4567-e89b-…`, which is no UUID, is not taken for a hash.
            return append("{hash}")
        } else if WholeRules.isULID(atom) {
            return append("{ulid}")
        } else if let prefix = Self.letters(of: atom) {
            // `Q1234567`, `tt0111161`, `v1312461204`
            for byte in atom.prefix(prefix) { append(byte) }
            return append("{id}")
        } else if let shape = TokenShape(atom) {
            if shape.isToken { return append("{token}") }
            if isFile, isBehindSeparator, shape.isShortHash { return append("{hash}") }
        }
        for byte in atom { append(byte) }
    }

    /// The number of letters, one to three, before five or more digits that are all the rest; nil for other forms.
    private static func letters(of atom: ArraySlice<UInt8>) -> Int? {
        let letters = atom.prefix(while: ASCII.isLetter).count
        guard (1...3).contains(letters), atom.count >= letters + 5 else { return nil }
        return atom.dropFirst(letters).allSatisfy(ASCII.isDigit) ? letters : nil
    }
}
