/// The lines of a header section as they stood on the wire: in order, with duplicates, every byte kept.
///
/// Dictionaries trim, fold and reorder; what they give back cannot be weighed. A line keeps its line ending, and a
/// folded line (RFC 9112, section 5.2) keeps its continuation.
public struct FieldSection: Hashable, Sendable {
    /// All lines, one after the other, without the blank line at the end of the section.
    public var bytes: [UInt8]

    /// The section of those bytes.
    public init(bytes: [UInt8] = []) { self.bytes = bytes }

    /// Each field line with its line ending; a continuation belongs to the line before it.
    public var lines: [ArraySlice<UInt8>] {
        var result: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex {
            let isEnd = bytes[index] == UInt8(ascii: "\n")
            index += 1
            guard isEnd else { continue }
            let folded =
                index < bytes.endIndex && (bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t"))
            if folded { continue }
            result.append(bytes[start..<index])
            start = index
        }
        if start < bytes.endIndex { result.append(bytes[start...]) }
        return result
    }

    /// The value of the first field of that name, without the spaces around it; nil where there is none.
    ///
    /// Names are compared without regard to the case of ASCII letters.
    public func firstValue(of name: String) -> String? { values(of: name).first }

    /// The values of all fields of that name, in order.
    public func values(of name: String) -> [String] {
        lines.compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                Self.equalsIgnoringCase(line[..<colon], name)
            else { return nil }
            return String(decoding: Self.trimmed(line[(colon + 1)...]), as: UTF8.self)
        }
    }

    /// Those bytes without spaces, tabs and line ends around them.
    public static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        var slice = bytes
        while let first = slice.first, isSpace(first) { slice.removeFirst() }
        while let last = slice.last, isSpace(last) { slice.removeLast() }
        return slice
    }

    /// Whether those bytes are that name, the case of ASCII letters and spaces around it aside.
    public static func equalsIgnoringCase(_ bytes: ArraySlice<UInt8>, _ name: String) -> Bool {
        let trimmed = trimmed(bytes)
        guard trimmed.count == name.utf8.count else { return false }
        return zip(trimmed, name.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
