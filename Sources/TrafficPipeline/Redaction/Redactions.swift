/// What is to be replaced in a text, and by which mark; empty, it costs nothing.
struct Redactions {
    /// What stands for a secret, with the size of what it replaced.
    enum Mark {
        /// `[redacted 32 B]`, in a field's value.
        case text
        /// `(redacted-32-B)`, in a URL: every character may stand in a path, a query and the user info (RFC 3986,
        /// section 3), so that the URL is still one.
        case url
        /// `{secret}`, in a template: a size would make each secret an API of its own.
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

    /// What is to be replaced, in order.
    var ranges: [Range<Int>] { edits.map(\.range) }

    /// Replaces that range; ranges come in order and do not overlap.
    mutating func replace(_ range: Range<Int>, with mark: Mark) {
        if range.isEmpty { return }
        assert(range.lowerBound >= (edits.last?.range.upperBound ?? 0), "edits come in order")
        edits.append((range, mark))
    }

    func applied(to bytes: [UInt8]) -> [UInt8] {
        if edits.isEmpty { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var copied = 0
        for (range, mark) in edits {
            result += bytes[copied..<range.lowerBound]
            result += mark.bytes(for: range.count)
            copied = range.upperBound
        }
        result += bytes[copied...]
        return result
    }
}
