/// A template that the user gives: `/shops/{shop}/items/{item}`.
///
/// `{name}` stands for one or more characters of a segment, `{name...}` as the last segment for all that follows. All
/// else must be in the path as it is written, byte by byte.
package struct TemplatePattern: Hashable, Sendable {
    /// Why a text is no template.
    package struct Invalid: Error, Hashable, CustomStringConvertible {
        /// What is wrong, and what a template is like.
        package let message: String

        /// The message.
        package var description: String { message }
    }

    /// One segment: what stands before, between and behind its open parts.
    private struct Segment: Hashable {
        var literals: [[UInt8]]

        func matches(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            guard literals.count > 1 else { return value.elementsEqual(literals[0]) }
            let least = literals.reduce(literals.count - 1) { $0 + $1.count }
            guard value.count >= least, value.starts(with: literals[0]) else { return false }
            var rest = value.dropFirst(literals[0].count)
            for literal in literals[1..<(literals.count - 1)] {
                // An open part holds at least one character.
                guard let place = Self.find(literal, in: rest.dropFirst()) else { return false }
                rest = rest[(place + literal.count)...]
            }
            let last = literals[literals.count - 1]
            return rest.count > last.count && rest.suffix(last.count).elementsEqual(last)
        }

        private static func find(_ literal: [UInt8], in value: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
            value.indices.first { value[$0...].starts(with: literal) }
        }
    }

    /// As it was given.
    package let text: String
    private let segments: [Segment]
    /// Whether the last segment stands for all that follows.
    private let takesRest: Bool

    private static let longest = 512

    /// Reads a template.
    ///
    /// - Parameter text: begins with a slash.
    /// - Throws: ``Invalid``.
    package init(_ text: String) throws(Invalid) {
        func refuse(_ reason: String) -> Invalid {
            let shown = text.utf8.count <= 80 ? text : String(text.prefix(60)) + "…"
            return Invalid(
                message: "'\(shown)' is no template: \(reason); write it like '/shops/{shop}/items/{item}'")
        }
        guard text.utf8.first == UInt8(ascii: "/") else { throw refuse("it must begin with '/'") }
        guard text.utf8.count <= Self.longest else { throw refuse("it is longer than \(Self.longest) bytes") }
        if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { throw refuse("it holds a space or a control") }
        if text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            throw refuse("it must not hold a query or a fragment")
        }
        var segments: [Segment] = []
        var takesRest = false
        for segment in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            if takesRest { throw refuse("nothing can follow '{name...}'") }
            if segment.hasPrefix("{"), segment.hasSuffix("...}"), Self.isName(segment.dropFirst().dropLast(4)) {
                takesRest = true
            } else {
                do { segments.append(try Self.parse(segment)) } catch { throw refuse(error.message) }
            }
        }
        self.text = text
        self.segments = segments
        self.takesRest = takesRest
    }

    private static func parse(_ segment: Substring) throws(Invalid) -> Segment {
        var literals: [[UInt8]] = [[]]
        var rest = segment
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            literals[literals.count - 1] += rest[..<open].utf8
            guard rest[open] == "{" else { throw Invalid(message: "a '}' has no '{' before it") }
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw Invalid(message: "a '{' has no '}' in its segment")
            }
            let name = rest[rest.index(after: open)..<close]
            guard isName(name) else {
                throw Invalid(message: "'{\(name)}' needs a name of letters, digits and '_'")
            }
            if literals.count > 1, literals[literals.count - 1].isEmpty {
                throw Invalid(message: "there must be something between '}' and '{'")
            }
            literals.append([])
            rest = rest[rest.index(after: close)...]
        }
        literals[literals.count - 1] += rest.utf8
        return Segment(literals: literals)
    }

    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }

    /// The text of the first pattern that a path matches; nil where it matches none.
    static func first(of patterns: [TemplatePattern], matching path: String) -> String? {
        var path = path
        return path.withUTF8 { bytes in
            guard bytes.first == UInt8(ascii: "/") else { return nil }
            return patterns.first { $0.matches(bytes) }?.text
        }
    }

    private func matches(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
        var start = 1
        for (index, segment) in segments.enumerated() {
            guard start <= path.count else { return false }
            let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
            guard segment.matches(path[start..<end]) else { return false }
            let isLast = index == segments.count - 1
            if isLast && !takesRest { return end == path.count }
            start = end + 1
        }
        return start < path.count
    }
}
