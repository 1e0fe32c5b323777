/// Compares many texts with one pattern, and remembers what it learns about a regular expression.
///
/// For one thread at a time.
package final class PatternMatcher {
    /// The pattern.
    package let pattern: TextPattern
    private let machine: RegularMachine?

    /// A matcher of that pattern.
    package init(_ pattern: TextPattern) {
        self.pattern = pattern
        if case .regular(let regular) = pattern.form {
            machine = RegularMachine(regular)
        } else {
            machine = nil
        }
    }

    /// Whether bytes match.
    package func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ place: TextPattern.Place) -> Bool {
        machine?.isFound(in: bytes) ?? pattern.matches(bytes, place)
    }

    /// Whether bytes match.
    package func matches(_ bytes: ArraySlice<UInt8>, _ place: TextPattern.Place) -> Bool {
        bytes.withUnsafeBufferPointer { matches($0, place) }
    }

    /// Whether a text matches.
    package func matches(_ text: String, _ place: TextPattern.Place) -> Bool {
        var text = text
        return text.withUTF8 { matches($0, place) }
    }
}
