internal import ASCIIBytes
internal import TrafficModel

/// Which sequences of four bytes some texts have, as bits; different sequences may share a bit.
struct TextSignature: Sendable {
    private static let bits: UInt32 = 14
    /// How many bits there are.
    static let places = 1 << Int(bits)
    /// How many bytes a sequence has.
    static let length = 4

    private var words = [UInt64](repeating: 0, count: places / 64)

    /// Adds the sequences of a text; upper and lower case of ASCII letters are the same.
    mutating func add(_ text: UnsafeRawBufferPointer) {
        words.withUnsafeMutableBufferPointer { words in
            Self.forEachPlace(of: text) { words[$0 >> 6] |= 1 << UInt64($0 & 63) }
        }
    }

    /// Adds the sequences of a text.
    mutating func add(_ text: [UInt8]) { text.withUnsafeBytes { add($0) } }

    /// Visits the bits that are set.
    func forEachPlace(_ body: (Int) -> Void) {
        for index in words.indices {
            var rest = words[index]
            while rest != 0 {
                body(index << 6 | rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }

    /// The places of the sequences of a text.
    static func places(of text: [UInt8]) -> [Int] {
        var places: [Int] = []
        text.withUnsafeBytes { forEachPlace(of: $0) { places.append($0) } }
        return places
    }

    @inline(__always)
    private static func forEachPlace(of text: UnsafeRawBufferPointer, _ body: (Int) -> Void) {
        guard text.count >= length else { return }
        var last: UInt32 = 0
        for index in 0..<text.count {
            last = last << 8 | UInt32(ASCII.lowercased(text[index]))
            if index >= length - 1 { body(Int((last &* 0x9E37_79B1) >> (32 - bits))) }
        }
    }
}

/// What signatures must have so that an exchange may match all terms of a search.
struct SignatureQuery {
    // One item for each term: its values, and the places of each.
    private let terms: [[[Int]]]

    /// The query of these terms; nil if no term says anything about sequences of bytes, such as regular expressions,
    /// words of three letters and negated terms.
    init?(_ terms: [FilterTerm]) {
        self.terms = terms.compactMap { term in
            guard !term.isNegated else { return nil }
            let values = term.values.map { value -> [Int] in
                if case .text(let pattern) = value { Self.places(term.key, pattern) } else { [] }
            }
            return values.contains(where: \.isEmpty) ? nil : values
        }
        if self.terms.isEmpty { return nil }
    }

    /// The blocks that may match, as bits.
    ///
    /// - Parameter word: returns the blocks that have the sequences of a place, as bits.
    /// - Returns: the bits of these blocks.
    func candidates(_ word: (Int) -> UInt64) -> UInt64 {
        terms.reduce(.max) { all, values in
            all & values.reduce(0) { some, places in some | places.reduce(.max) { $0 & word($1) } }
        }
    }

    private static func places(_ key: FilterKey, _ pattern: TextPattern) -> [Int] {
        let header = HeaderPattern(key, pattern)
        let parts = key == .text ? [pattern] : [header.name, header.value].compactMap(\.self)
        return parts.flatMap { TextSignature.places(of: $0.needle ?? []) }
    }
}
