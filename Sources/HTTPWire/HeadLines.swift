package import TrafficModel

/// The bytes of a message's start line and headers, split into start line, field lines and the empty line.
///
/// Accepts them as they are: cut off, with LF for CRLF (RFC 9112, section 2.2), folded, with lines that are no fields.
package struct HeadLines {
    /// The start line's text without its line end.
    package let startLine: ArraySlice<UInt8>
    /// The start line's size in bytes, including its line end.
    package let startLineSize: Int
    /// The field lines, each with its line end.
    package let fields: FieldSection
    /// The size in bytes of the field lines, and of the empty line if it has come.
    package let fieldsSize: Int
    /// Whether the empty line has come.
    package let isComplete: Bool

    package init(_ bytes: ArraySlice<UInt8>) {
        let lineFeed = UInt8(ascii: "\n")
        let afterStart = bytes.firstIndex(of: lineFeed).map { $0 + 1 } ?? bytes.endIndex
        startLine = FieldSection.trimmed(bytes[..<afterStart])
        startLineSize = afterStart - bytes.startIndex
        let rest = bytes[afterStart...]
        // The empty line can only be the last one: libcurl passes the headers of one message at a time.
        if rest.suffix(2).elementsEqual([13, 10]), rest.count == 2 || rest[rest.endIndex - 3] == lineFeed {
            isComplete = true
            fields = FieldSection(bytes: Array(rest.dropLast(2)))
        } else if rest.last == lineFeed, rest.count == 1 || rest[rest.endIndex - 2] == lineFeed {
            isComplete = true
            fields = FieldSection(bytes: Array(rest.dropLast()))
        } else {
            isComplete = false
            fields = FieldSection(bytes: Array(rest))
        }
        fieldsSize = rest.count
    }

    /// The bytes of all lines of that field, with their line ends and continuations.
    package func size(ofField name: String) -> Int { fields.size(ofLinesNamed: name) }
}
