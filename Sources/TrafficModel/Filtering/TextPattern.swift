internal import ASCIIBytes

/// What a text is compared with: a text, a text with `*` for any characters, or a regular expression.
package struct TextPattern: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of patterns.
    package enum Form: Hashable, Sendable {
        /// A text.
        case plain(String)
        /// The texts around each `*`; at least two, and any may be empty.
        case wildcard([String])
        /// A regular expression.
        case regular(RegularPattern)
    }

    /// Which part of a text a plain pattern must be; a wildcard is always the whole text, or with `part` any of it, and
    /// a regular expression says so itself.
    package enum Place: Sendable {
        case whole, start, part
    }

    /// The pattern.
    package let form: Form
    /// Whether upper and lower case of ASCII letters are the same.
    package let foldsCase: Bool
    private let pieces: [[UInt8]]

    /// A pattern of that form.
    package init(_ form: Form, foldsCase: Bool) {
        self.form = form
        self.foldsCase = foldsCase
        func bytes(_ text: String) -> [UInt8] { foldsCase ? text.utf8.map(ASCII.lowercased) : Array(text.utf8) }
        switch form {
        case .plain(let text): pieces = [bytes(text)]
        case .wildcard(let texts): pieces = texts.map(bytes)
        case .regular: pieces = []
        }
    }

    /// A pattern that is that text.
    package init(_ text: String, foldsCase: Bool) { self.init(.plain(text), foldsCase: foldsCase) }

    /// The text of a plain pattern; nil for the others.
    package var plain: String? { if case .plain(let text) = form { text } else { nil } }

    /// The bytes of a plain pattern, in lower case if that does not matter; nil for the others.
    package var needle: [UInt8]? { if case .plain = form { pieces[0] } else { nil } }

    package var description: String {
        switch form {
        case .plain(let text): text
        case .wildcard(let texts): texts.joined(separator: "*")
        case .regular(let pattern): "~" + pattern.source
        }
    }

    /// Whether a text matches.
    package func matches(_ text: String, _ place: Place) -> Bool {
        var text = text
        return text.withUTF8 { matches($0, place) }
    }

    /// Whether bytes match.
    package func matches(_ bytes: [UInt8], _ place: Place) -> Bool {
        bytes.withUnsafeBufferPointer { matches($0, place) }
    }

    /// Whether bytes match.
    package func matches(_ bytes: ArraySlice<UInt8>, _ place: Place) -> Bool {
        bytes.withUnsafeBufferPointer { matches($0, place) }
    }

    /// Whether bytes match.
    package func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Place) -> Bool {
        switch form {
        case .plain:
            let piece = pieces[0]
            switch place {
            case .whole: return bytes.count == piece.count && isThere(piece, at: 0, in: bytes)
            case .start: return isThere(piece, at: 0, in: bytes)
            case .part: return find(piece, from: 0, in: bytes) != nil
            }
        case .wildcard: return matchesPieces(bytes, isWhole: place != .part)
        case .regular(let pattern): return pattern.isFound(in: bytes)
        }
    }

    // The first and the last piece are at the ends; each of the others is at its first place after the one before.
    private func matchesPieces(_ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> Bool {
        var start = 0
        for (index, piece) in pieces.enumerated() {
            if isWhole, index == 0 {
                guard isThere(piece, at: 0, in: bytes) else { return false }
                start = piece.count
            } else if isWhole, index == pieces.count - 1 {
                return bytes.count - piece.count >= start && isThere(piece, at: bytes.count - piece.count, in: bytes)
            } else {
                guard let found = find(piece, from: start, in: bytes) else { return false }
                start = found + piece.count
            }
        }
        return true
    }

    private func isThere(_ piece: [UInt8], at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard start >= 0, bytes.count - start >= piece.count else { return false }
        for index in piece.indices where fold(bytes[start + index]) != piece[index] { return false }
        return true
    }

    private func find(_ piece: [UInt8], from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = piece.first else { return start }
        let last = bytes.count - piece.count
        var index = start
        // Most bytes are not the first one, in either case.
        let other = foldsCase && ASCII.isLower(first) ? first ^ 0x20 : first
        while index <= last {
            let byte = bytes[index]
            if byte == first || byte == other, isThere(piece, at: index, in: bytes) { return index }
            index += 1
        }
        return nil
    }

    @inline(__always)
    private func fold(_ byte: UInt8) -> UInt8 { foldsCase ? ASCII.lowercased(byte) : byte }

    /// Equal patterns have the same form and the same rule for case.
    package static func == (left: Self, right: Self) -> Bool {
        left.form == right.form && left.foldsCase == right.foldsCase
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(form)
        hasher.combine(foldsCase)
    }
}
