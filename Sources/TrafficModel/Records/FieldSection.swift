internal import ASCIIBytes

/// The lines of a header section as they were on the wire: in order, with duplicates, every byte kept.
///
/// Dictionaries trim, fold and reorder lines, so the size of what they return is not the size on the wire. A line keeps
/// its line ending, and a folded line (RFC 9112, section 5.2) keeps its continuation.
public struct FieldSection: Hashable, Sendable {
    /// All lines, one after the other, without the empty line that ends the section.
    public var bytes: [UInt8]

    /// A section with those bytes.
    public init(bytes: [UInt8] = []) { self.bytes = bytes }

    /// Each field line with its line ending; a continuation belongs to the line before it.
    public var lines: [ArraySlice<UInt8>] {
        var result: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = bytes.withUnsafeBufferPointer { Self.lineEnd(from: start, in: $0) }
            result.append(bytes[start..<end])
            start = end
        }
        return result
    }

    /// The value of the first field with that name, without the spaces around it; nil if there is none.
    ///
    /// Names are compared without regard to the case of ASCII letters.
    public func firstValue(of name: String) -> String? {
        var result: String?
        forEachLine(named: name) { _, value in
            result = String(decoding: value, as: UTF8.self)
            return false
        }
        return result
    }

    /// The values of all fields with that name, in order.
    public func values(of name: String) -> [String] {
        var result: [String] = []
        forEachLine(named: name) { _, value in
            result.append(String(decoding: value, as: UTF8.self))
            return true
        }
        return result
    }

    /// The number of bytes of all lines with that name, including line ends and continuations.
    package func size(ofLinesNamed name: String) -> Int {
        var result = 0
        forEachLine(named: name) { line, _ in
            result += line.count
            return true
        }
        return result
    }

    /// Visits the lines with that name in order, until `visit` returns false; copies nothing.
    ///
    /// - Parameters:
    ///   - name: compared without regard to the case of ASCII letters.
    ///   - visit: takes the whole line, and its value without the spaces around it; returns whether to go on.
    private func forEachLine(
        named name: String,
        _ visit: (_ line: Slice<UnsafeBufferPointer<UInt8>>, _ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool
    ) {
        var name = name
        name.withUTF8 { name in
            bytes.withUnsafeBufferPointer { bytes in
                var start = 0
                while start < bytes.count {
                    let colon = Self.colon(behind: name, from: start, in: bytes)
                    let end = Self.lineEnd(from: start, in: bytes)
                    if let colon, colon < end {
                        let value = Self.value(behind: colon, to: end, in: bytes)
                        guard visit(bytes[start..<end], bytes[value]) else { return }
                    }
                    start = end
                }
            }
        }
    }

    /// The range of a line's value, without the spaces around it, if the line from `start` to `end` has that name.
    ///
    /// - Parameters:
    ///   - name: compared without regard to the case of ASCII letters.
    ///   - start: where the line begins.
    ///   - end: where it ends: ``lineEnd(from:in:)``.
    ///   - bytes: a section's bytes.
    /// - Returns: nil if the line has another name.
    package static func value(
        named name: StaticString, from start: Int, to end: Int, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard let colon = colon(behind: name, from: start, in: bytes), colon < end else { return nil }
        return value(behind: colon, to: end, in: bytes)
    }

    private static func value(behind colon: Int, to end: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var first = colon + 1
        var last = end
        while first < last, ASCII.isSpaceOrLineEnd(bytes[first]) { first += 1 }
        while last > first, ASCII.isSpaceOrLineEnd(bytes[last - 1]) { last -= 1 }
        return first..<last
    }

    /// The index of the colon, if the line at `start` has that name; spaces around a name, which are invalid, are
    /// accepted.
    private static func colon(
        behind name: UnsafeBufferPointer<UInt8>, from start: Int, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        var index = start
        while index < bytes.count, ASCII.isOptionalSpace(bytes[index]) { index += 1 }
        guard name.count < bytes.count - index else { return nil }
        for offset in 0..<name.count where ASCII.lowercased(bytes[index + offset]) != ASCII.lowercased(name[offset]) {
            return nil
        }
        index += name.count
        while index < bytes.count, ASCII.isOptionalSpace(bytes[index]) { index += 1 }
        return index < bytes.count && bytes[index] == UInt8(ascii: ":") ? index : nil
    }

    /// The index after the line that begins at `start`, including its continuations.
    package static func lineEnd(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var index = start
        while let lineFeed = ASCII.firstIndex(of: UInt8(ascii: "\n"), from: index, in: bytes) {
            index = lineFeed + 1
            if index == bytes.count || !ASCII.isOptionalSpace(bytes[index]) { return index }
        }
        return bytes.count
    }

    /// Those bytes without the spaces, tabs and line ends around them.
    package static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        ASCII.trimmed(bytes, of: ASCII.isSpaceOrLineEnd)
    }

    /// Whether those bytes are that name, without regard to the case of ASCII letters and to spaces around it.
    package static func equalsIgnoringCase(_ bytes: ArraySlice<UInt8>, _ name: String) -> Bool {
        ASCII.equalsIgnoringCase(trimmed(bytes), name.utf8)
    }
}
