package import TrafficModel

/// The message that one side has sent on one HTTP/2 stream (RFC 9113, section 8.1).
package struct HTTP2Message: Hashable, Sendable {
    /// A header section with the frames that carry it.
    package struct Section: Hashable, Sendable {
        /// Frame headers, padding, priority.
        package var overhead: ByteCount
        /// The fields as compressed by HPACK.
        package var content: ByteCount

        package init(overhead: ByteCount = .zero, content: ByteCount = .zero) {
            self.overhead = overhead
            self.content = content
        }

        var bytes: ByteCount { overhead + content }
    }

    /// The number of header sections that are counted one by one; further ones are added to the last.
    private static let mostSections = 32

    /// The header sections in their order: of interim responses, of the message, of its trailers.
    package private(set) var sections: [Section] = []
    /// The body.
    package private(set) var content = ByteCount.zero
    /// Frame headers and padding of the body, and all other frames of the stream.
    package private(set) var overhead = ByteCount.zero
    /// The bytes of overhead in frames after the last of the fields and the body: frames that cancel the stream, or
    /// that allow the peer to send more.
    package private(set) var tail = ByteCount.zero

    /// Whether this side has ended its message, by END_STREAM (RFC 9113, section 8.1).
    package private(set) var isEnded = false

    package init() {}

    /// The bytes of all frames.
    package var bytes: ByteCount { sections.reduce(content + overhead) { $0 + $1.bytes } }

    /// Adds bytes of a frame of this stream.
    package mutating func add(_ piece: HTTP2Piece) {
        if piece.endsStream { isEnded = true }
        switch piece.kind {
        case .headers, .continuation:
            tail = .zero
            let isNew = piece.kind == .headers && piece.begins && sections.count < Self.mostSections
            if isNew || sections.isEmpty { sections.append(Section()) }
            sections[sections.count - 1].overhead += piece.overhead
            sections[sections.count - 1].content += piece.content
        case .data:
            tail = .zero
            content += piece.content
            overhead += piece.overhead
        case .preface, .other:
            overhead += piece.bytes
            tail += piece.bytes
        }
    }

    /// Removes bytes from the end of the tail.
    package mutating func cutTail(_ count: ByteCount) {
        let count = min(count, tail)
        tail = ByteCount(tail.bytes - count.bytes)
        overhead = ByteCount(overhead.bytes - count.bytes)
    }

    /// The parts of the message's size.
    ///
    /// HPACK writes the pseudo-fields among the fields, so there is no start line. The fields of trailers are framing, as
    /// they are in a chunked body.
    ///
    /// - Parameters:
    ///   - interim: the number of interim responses that came before.
    ///   - cookieShare: the share of the cookies in the fields before compression, from 0 to 1. How far HPACK has
    ///     compressed them cannot be known without the fields before it.
    /// - Returns: a size of which all parts but the cookies are captured.
    package func size(interim: Int = 0, cookieShare: Double = 0) -> WireSize {
        var size = WireSize()
        size.body = .init(content, .captured)
        var framing = overhead
        for (index, section) in sections.enumerated() {
            if index < interim {
                size.interim = .init(size.interim.bytes + section.bytes, .captured)
            } else if index == interim {
                size.fields = .init(section.content, .captured)
                framing += section.overhead
            } else {
                framing += section.bytes
            }
        }
        size.framing = .init(framing, .captured)
        let cookies = Double(size.fields.bytes.bytes) * min(1, max(0, cookieShare))
        size.cookies = .init(ByteCount(Int64(cookies.rounded())), cookieShare > 0 ? .reconstructed : .captured)
        return size
    }
}
