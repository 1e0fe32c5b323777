internal import ASCIIBytes
internal import TrafficModel

/// A template of the user's own: `/shops/{shop}/items/{item}`.
///
/// `{name}` matches one or more characters of a segment; `{name...}`, as the last segment, matches the rest of the
/// path. All else must match the path byte by byte.
package struct TemplatePattern: Hashable, Sendable {
    /// The reason for which a text is no template.
    package struct Invalid: Error, Hashable, CustomStringConvertible {
        /// What is wrong, and what a template looks like.
        package let message: String

        /// The same as ``message``.
        package var description: String { message }
    }

    /// One segment, as the texts before, between and after its variable parts.
    private struct Segment: Hashable {
        var literals: [[UInt8]]

        func matches(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            guard literals.count > 1 else { return value.elementsEqual(literals[0]) }
            let least = literals.reduce(literals.count - 1) { $0 + $1.count }
            guard value.count >= least, value.starts(with: literals[0]) else { return false }
            var rest = value.dropFirst(literals[0].count)
            for literal in literals[1..<(literals.count - 1)] {
                // A variable part has at least one character.
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

    /// The text that the user gave.
    package let text: String
    private let segments: [Segment]
    /// Whether the last segment matches the rest of the path.
    private let takesRest: Bool

    private static let longest = 512

    /// Parses a template.
    ///
    /// - Parameter text: the template, which must begin with a slash.
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

    /// The text of the first pattern that a path matches; nil if it matches none.
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
