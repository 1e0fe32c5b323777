/// The ranges of a text to replace, each with its mark; an empty list costs nothing.
struct Redactions {
    /// The replacement of a secret; two of the marks have the size of the secret.
    enum Mark {
        /// `[redacted 32 B]`, in a field's value.
        case text
        /// `(redacted-32-B)`, in a URL.
        ///
        /// Each of its characters is allowed in a path, a query and the user info (RFC 3986, section 3), so the URL
        /// stays valid.
        case url
        /// `{secret}`, in a template: with a size, each secret would become an API of its own.
        case template

        func bytes(for count: Int) -> [UInt8] {
            switch self {
            case .text: Array("[redacted \(count) B]".utf8)
            case .url: Array("(redacted-\(count)-B)".utf8)
            case .template: Array("{secret}".utf8)
            }
        }
    }

    private var edits: [(range: Range<Int>, mark: Mark)] = []

    var isEmpty: Bool { edits.isEmpty }

    /// The ranges to replace, in order.
    var ranges: [Range<Int>] { edits.map(\.range) }

    /// Adds a range to replace; ranges must come in order and must not overlap.
    mutating func replace(_ range: Range<Int>, with mark: Mark) {
        if range.isEmpty { return }
        assert(range.lowerBound >= (edits.last?.range.upperBound ?? 0), "edits come in order")
        edits.append((range, mark))
    }

    func applied(to bytes: [UInt8]) -> [UInt8] {
        edits.isEmpty ? bytes : applied(to: bytes, in: bytes.indices)
    }

    /// The bytes of that range, which all edits are in, with the edits.
    func applied(to bytes: [UInt8], in range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var copied = range.lowerBound
        for (edit, mark) in edits {
            result += bytes[copied..<edit.lowerBound]
            result += mark.bytes(for: edit.count)
            copied = edit.upperBound
        }
        result += bytes[copied..<range.upperBound]
        return result
    }
}
