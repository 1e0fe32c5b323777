internal import CHTTPWire
package import TrafficModel

/// Body byte counts taken before the headers are known: once for the bytes as received, once read as chunks.
package struct MeteredBody: Hashable, Sendable {
    /// The number of bytes as received.
    package var bytes: Int64
    /// Their XXH3; nil if it was not computed.
    package var digest: UInt64?
    /// If read as chunks: the bytes of content.
    package var chunkContent: Int64
    /// If read as chunks: all other bytes.
    package var chunkFraming: Int64
    /// XXH3 of the chunks' content; nil if it was not computed.
    package var chunkDigest: UInt64?
    /// The last four bytes as received, as a little-endian number.
    package var tail: UInt32
    /// The last four bytes of the chunks' content.
    package var chunkTail: UInt32
    /// If read as chunks: whether the last chunk and all trailers have come.
    package var isLastChunkRead: Bool
    /// Whether chunks, if there were any, were taken apart before: the bytes are content, and the framing was not seen.
    package var isFramingRemoved: Bool

    package init(
        bytes: Int64 = 0, digest: UInt64? = 0, chunkContent: Int64 = 0, chunkFraming: Int64 = 0,
        chunkDigest: UInt64? = 0, tail: UInt32 = 0, chunkTail: UInt32 = 0, isLastChunkRead: Bool = false,
        isFramingRemoved: Bool = false
    ) {
        self.bytes = bytes
        self.digest = digest
        self.chunkContent = chunkContent
        self.chunkFraming = chunkFraming
        self.chunkDigest = chunkDigest
        self.tail = tail
        self.chunkTail = chunkTail
        self.isLastChunkRead = isLastChunkRead
        self.isFramingRemoved = isFramingRemoved
    }
}

/// The length of a body, by its message's headers (RFC 9112, section 6.3).
package enum BodyLength: Hashable, Sendable {
    /// There is no body, whatever the fields say.
    case none
    /// The body comes in chunks.
    case chunked
    /// The body has that number of bytes.
    case fixed(Int64)
    /// The body lasts until the connection closes.
    case untilClose

    /// The length of a response's body.
    ///
    /// - Parameters:
    ///   - status: the final status.
    ///   - method: the method of its request.
    ///   - fields: the response's fields.
    ///   - isHTTP2: in HTTP/2 there are no chunks and no transfer codings (RFC 9113, section 8.2.2).
    /// - Returns: how the end of the body is marked.
    package static func ofResponse(status: Int, to method: String, fields: FieldSection, isHTTP2: Bool) -> BodyLength {
        ofResponse(status: status, to: method, CommonFields(fields), isHTTP2: isHTTP2)
    }

    /// The same with the common fields of the response's fields.
    package static func ofResponse(
        status: Int, to method: String, _ common: CommonFields, isHTTP2: Bool
    ) -> BodyLength {
        if method == "HEAD" || status == 204 || status == 304 || (100..<200).contains(status) { return .none }
        if method == "CONNECT", (200..<300).contains(status) { return .none }
        if !isHTTP2, common.namesTransferCoding { return common.namesChunked ? .chunked : .untilClose }
        return common.contentLength.map(Self.fixed) ?? .untilClose
    }

    /// The length of a request's body.
    package static func ofRequest(fields: FieldSection, isHTTP2: Bool) -> BodyLength {
        ofRequest(CommonFields(fields), isHTTP2: isHTTP2)
    }

    /// The same with the common fields of the request's fields.
    package static func ofRequest(_ common: CommonFields, isHTTP2: Bool) -> BodyLength {
        if !isHTTP2, common.namesChunked { return .chunked }
        // Over HTTP/2 a body needs no length. Over HTTP/1.1 there is no body without a length (rule 7), so none was
        // sent.
        return common.contentLength.map(Self.fixed) ?? .untilClose
    }
}

extension MeteredBody {
    /// Whether a chunk scanner in that state has read the last chunk and all trailers.
    package static func isLastChunkRead(state: UInt32) -> Bool { Int(state) == WW_CHUNK_DONE.rawValue }

    /// Whether the bytes for a chunk scanner in that state come without the chunks' framing.
    package static func isFramingRemoved(state: UInt32) -> Bool { Int(state) == WW_CHUNK_REMOVED.rawValue }

    /// The body, as its headers say that it must be read.
    package struct Reading: Hashable, Sendable {
        package var content: Int64
        package var framing: Int64
        package var digest: UInt64?
        /// The content's last four bytes as a number: in gzip, the decoded size (RFC 1952, section 2.3.1).
        package var tail: UInt32
    }

    /// Whether all of the body has come, by that length.
    ///
    /// Nil if the length does not say, because the body ends with its connection, or because its last chunk was not
    /// seen.
    package func isWhole(as length: BodyLength) -> Bool? {
        switch length {
        case .none: true
        case .chunked: isFramingRemoved ? nil : isLastChunkRead
        case .fixed(let count): bytes >= count
        case .untilClose: nil
        }
    }

    /// The body, read by that length.
    package func read(as length: BodyLength) -> Reading {
        switch length {
        case .chunked:
            return Reading(
                content: chunkContent, framing: chunkFraming, digest: chunkContent > 0 ? chunkDigest : nil,
                tail: chunkTail)
        case .none:
            return Reading(content: 0, framing: bytes, digest: nil, tail: 0)
        case .fixed(let limit) where bytes > limit:
            // Bytes after the end of the message were on the wire, but they are not content.
            return Reading(content: limit, framing: bytes - limit, digest: nil, tail: 0)
        case .fixed, .untilClose:
            return Reading(content: bytes, framing: 0, digest: bytes > 0 ? digest : nil, tail: tail)
        }
    }
}
