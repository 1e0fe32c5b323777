import TrafficModel

/// Computes the size of a chunked body's framing (RFC 9112, section 7.1), if each piece that arrived was a chunk.
///
/// It keeps sums, not pieces: a download of many gigabytes takes no more memory than a small one.
package struct PieceTally: Hashable, Sendable {
    /// The number of bytes in all pieces.
    package private(set) var content: Int64 = 0
    /// The number of pieces, without empty ones, which are no chunks.
    package private(set) var count: Int64 = 0
    /// The bytes of each piece's size line and line end, without those of the last chunk.
    package private(set) var framing: Int64 = 0

    package init(_ sizes: [Int] = []) {
        for size in sizes { add(size) }
    }

    /// Takes the size of the next piece.
    package mutating func add(_ size: Int) {
        guard size > 0 else { return }
        content = content.addingClamped(Int64(size))
        count = count.addingClamped(1)
        framing = framing.addingClamped(Self.framing(ofChunk: Int64(size)))
    }

    /// The size line in hexadecimal digits, its CRLF, and the CRLF after the data.
    static func framing(ofChunk size: Int64) -> Int64 {
        guard size > 0 else { return 0 }
        return Int64((64 - size.leadingZeroBitCount + 3) / 4) + 4
    }

    /// The last chunk and the empty trailer section: `0 CRLF CRLF`.
    static let end: Int64 = 5

    /// The framing of that content in chunks of that size, the last one smaller, including the end.
    static func framing(of content: Int64, inChunksOf size: Int64) -> Int64 {
        guard content > 0, size > 0 else { return end }
        return (content / size).multipliedClamped(by: framing(ofChunk: size))
            .addingClamped(framing(ofChunk: content % size)).addingClamped(end)
    }
}
