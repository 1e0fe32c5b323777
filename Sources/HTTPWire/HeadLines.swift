internal import ASCIIBytes
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
    /// The fields that are read most often.
    package let common: CommonFields
    /// The size in bytes of the field lines, and of the empty line if it has come.
    package let fieldsSize: Int
    /// Whether the empty line has come.
    package let isComplete: Bool

    package init(_ bytes: ArraySlice<UInt8>) {
        let (start, afterStart, emptyLine) = bytes.withUnsafeBufferPointer { bytes in
            let afterStart = ASCII.firstIndex(of: 0x0A, from: 0, in: bytes).map { $0 + 1 } ?? bytes.count
            var start = 0..<afterStart
            while let last = start.last, ASCII.isSpaceOrLineEnd(bytes[last]) { start = start.dropLast() }
            while let first = start.first, ASCII.isSpaceOrLineEnd(bytes[first]) { start = start.dropFirst() }
            return (start, afterStart, Self.emptyLine(after: afterStart, in: bytes))
        }
        startLine = bytes[(bytes.startIndex + start.lowerBound)..<(bytes.startIndex + start.upperBound)]
        startLineSize = afterStart
        fieldsSize = bytes.count - afterStart
        isComplete = emptyLine > 0
        fields = FieldSection(
            bytes: Array(bytes[(bytes.startIndex + afterStart)..<(bytes.endIndex - emptyLine)]))
        common = CommonFields(fields)
    }

    /// The number of bytes of the empty line; 0 if it has not come.
    ///
    /// It can only be the last one: libcurl passes the headers of one message at a time.
    private static func emptyLine(after start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let end = bytes.count
        guard end > start, bytes[end - 1] == 0x0A else { return 0 }
        if end - start >= 2, bytes[end - 2] == 0x0D { return end - start == 2 || bytes[end - 3] == 0x0A ? 2 : 0 }
        return end - start == 1 || bytes[end - 2] == 0x0A ? 1 : 0
    }

    /// The content coding (RFC 9110, section 8.4) in lower case; empty if none is named.
    package var contentCoding: String {
        guard let value = common.contentEncoding else { return "" }
        return String(decoding: fields.bytes[value], as: UTF8.self).lowercased()
    }

    /// The media type (RFC 9110, section 8.3.1) without parameters and spaces, in lower case; empty if none is named.
    package var mediaType: String {
        guard let value = common.contentType else { return "" }
        return fields.bytes.withUnsafeBufferPointer { bytes in
            let type = bytes[value].prefix { $0 != UInt8(ascii: ";") }
            guard type.allSatisfy({ $0 < 0x80 }) else {
                return String(decoding: type.filter { $0 != 0x20 }, as: UTF8.self).lowercased()
            }
            return String(unsafeUninitializedCapacity: type.count) { text in
                var count = 0
                for byte in type where byte != 0x20 {
                    text[count] = ASCII.lowercased(byte)
                    count += 1
                }
                return count
            }
        }
    }

    /// The bytes of all lines of that field, with their line ends and continuations.
    package func size(ofField name: String) -> Int { fields.size(ofLinesNamed: name) }
}
