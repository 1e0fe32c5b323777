internal import CHTTPWire
package import TrafficModel

/// A body as a meter has weighed it that did not know the head: once as it came, once read as chunks.
package struct MeteredBody: Hashable, Sendable {
    /// The bytes as they came.
    package var bytes: Int64
    /// Their XXH3.
    package var digest: UInt64
    /// Read as chunks: the content.
    package var chunkContent: Int64
    /// Read as chunks: all the rest.
    package var chunkFraming: Int64
    /// XXH3 of the chunks' content.
    package var chunkDigest: UInt64
    /// The last four bytes as they came, as a little-endian number.
    package var tail: UInt32
    /// The last four bytes of the chunks' content.
    package var chunkTail: UInt32
    /// Read as chunks: whether the last one has come, and all of the trailers.
    package var isLastChunkRead: Bool

    package init(
        bytes: Int64 = 0, digest: UInt64 = 0, chunkContent: Int64 = 0, chunkFraming: Int64 = 0,
        chunkDigest: UInt64 = 0, tail: UInt32 = 0, chunkTail: UInt32 = 0, isLastChunkRead: Bool = false
    ) {
        self.bytes = bytes
        self.digest = digest
        self.chunkContent = chunkContent
        self.chunkFraming = chunkFraming
        self.chunkDigest = chunkDigest
        self.tail = tail
        self.chunkTail = chunkTail
        self.isLastChunkRead = isLastChunkRead
    }
}

/// How long a body is by its head (RFC 9112, section 6.3).
package enum BodyLength: Hashable, Sendable {
    /// There is none, whatever the fields say.
    case none
    /// It comes in chunks.
    case chunked
    /// So many bytes.
    case fixed(Int64)
    /// Until the connection closes.
    case untilClose

    /// The length of a response's body.
    ///
    /// - Parameters:
    ///   - status: the final status.
    ///   - method: of the request that it answers.
    ///   - fields: the response's fields.
    ///   - isHTTP2: in HTTP/2 there are no chunks and no transfer codings (RFC 9113, section 8.2.2).
    /// - Returns: how the end of the body is told.
    package static func ofResponse(status: Int, to method: String, fields: FieldSection, isHTTP2: Bool) -> BodyLength {
        if method == "HEAD" || status == 204 || status == 304 || (100..<200).contains(status) { return .none }
        if method == "CONNECT", (200..<300).contains(status) { return .none }
        if !isHTTP2, fields.namesTransferCoding { return fields.namesChunked ? .chunked : .untilClose }
        return fields.contentLength.map(Self.fixed) ?? .untilClose
    }

    /// The length of a request's body.
    package static func ofRequest(fields: FieldSection, isHTTP2: Bool) -> BodyLength {
        if !isHTTP2, fields.namesChunked { return .chunked }
        // Over HTTP/2 a body needs no length. Over HTTP/1.1 there is none without (rule 7), and then none was sent.
        return fields.contentLength.map(Self.fixed) ?? .untilClose
    }
}

extension MeteredBody {
    /// Whether a reader of chunks in that state has read the last one and all of the trailers.
    package static func isLastChunkRead(state: UInt32) -> Bool { Int(state) == WW_CHUNK_DONE.rawValue }

    /// What the body is, once its head is known.
    package struct Reading: Hashable, Sendable {
        package var content: Int64
        package var framing: Int64
        package var digest: UInt64?
        /// The content's last four bytes as a number: in gzip, the decoded size (RFC 1952, section 2.3.1).
        package var tail: UInt32
    }

    /// Whether all of it is here, as far as that length says.
    ///
    /// Of a body that ends with its connection it does not: then this is nil.
    package func isWhole(as length: BodyLength) -> Bool? {
        switch length {
        case .none: true
        case .chunked: isLastChunkRead
        case .fixed(let count): bytes >= count
        case .untilClose: nil
        }
    }

    /// What the body is by that length.
    package func read(as length: BodyLength) -> Reading {
        switch length {
        case .chunked:
            return Reading(
                content: chunkContent, framing: chunkFraming, digest: chunkContent > 0 ? chunkDigest : nil,
                tail: chunkTail)
        case .none:
            return Reading(content: 0, framing: bytes, digest: nil, tail: 0)
        case .fixed(let limit) where bytes > limit:
            // What follows the end of the message is on the wire, but it is not content.
            return Reading(content: limit, framing: bytes - limit, digest: nil, tail: 0)
        case .fixed, .untilClose:
            return Reading(content: bytes, framing: 0, digest: bytes > 0 ? digest : nil, tail: tail)
        }
    }
}
