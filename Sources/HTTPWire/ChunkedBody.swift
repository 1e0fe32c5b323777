internal import CHTTPWire

/// Separates content from framing in a chunked body (RFC 9112, section 7.1), piece by piece, however it is split.
package struct ChunkedBody {
    private var scanner = ww_chunk_scanner()

    package init() {}

    /// The bytes of content so far.
    package var contentSize: UInt64 { scanner.content }
    /// The bytes of size lines, extensions, line ends and trailers so far, and all bytes that break the rules.
    package var framingSize: UInt64 { scanner.framing }
    /// Whether the empty line that ends the body has come.
    package var isComplete: Bool { Int(scanner.state) == WW_CHUNK_DONE.rawValue }
    /// Whether the bytes break the rules.
    package var isBroken: Bool { Int(scanner.state) == WW_CHUNK_BROKEN.rawValue }

    /// Takes the next bytes and returns the content among them.
    package mutating func add(_ bytes: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        bytes.withUnsafeBufferPointer { buffer in
            var rest = buffer[...]
            while let start = UnsafeBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
                var isContent = false
                let run = ww_chunk_scan(&scanner, start, rest.count, &isContent)
                if isContent { content += rest.prefix(run) }
                rest = rest.dropFirst(run)
            }
        }
        return content
    }
}

/// The XXH3 of bytes that come in pieces: shows whether the same body came again.
package struct BodyDigest {
    private var hash: ww_xxh3

    package init() {
        hash = ww_xxh3()
        ww_xxh3_begin(&hash)
    }

    /// Takes the next bytes.
    package mutating func add(_ bytes: [UInt8]) { add(bytes[...]) }

    /// Takes the next bytes.
    package mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            ww_xxh3_add(&hash, start, buffer.count)
        }
    }

    /// The digest of all bytes so far.
    package var value: UInt64 { withUnsafePointer(to: hash) { ww_xxh3_digest($0) } }
}
