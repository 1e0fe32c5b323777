import TrafficModel

/// Compresses bytes as they pass, and keeps only the number of bytes that come out.
///
/// It has state, so only one thread at a time may use it. That should not be the thread on which the program waits for
/// data.
package protocol BodyCompressor {
    /// Takes the next bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer)

    /// Ends the stream and returns its whole size in bytes; negative if the compressor failed.
    mutating func finish() -> Int64
}

/// A content coding whose compressor has usual settings (RFC 9110, section 8.4.1).
package enum CompressedCoding: String, Hashable, Sendable, CaseIterable {
    case gzip
    case deflate
    case brotli = "br"
    case zstandard = "zstd"

    /// The coding of that name; nil for an unknown one, for several at once, and for `identity`.
    package init?(fieldValue: String) {
        let name = fieldValue.lowercasedASCII.filter { $0 != " " && $0 != "\t" }
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// The compression level that servers commonly use.
    package var usualLevel: Int {
        switch self {
        case .gzip, .deflate: 6
        case .brotli: 5
        case .zstandard: 3
        }
    }
}

/// Estimates the size that a decoded body had on the wire, by compressing it again.
package struct CompressedSizeEstimator {
    private var compressor: any BodyCompressor
    /// The number of decoded bytes so far.
    package private(set) var decoded: Int64 = 0

    /// An estimator for that `Content-Encoding`; nil if the coding is not known or there is no compressor for it.
    package init?(contentEncoding: String, makeCompressor: (CompressedCoding, _ level: Int) -> (any BodyCompressor)?) {
        guard let coding = CompressedCoding(fieldValue: contentEncoding),
            let compressor = makeCompressor(coding, coding.usualLevel)
        else { return nil }
        self.compressor = compressor
    }

    /// Takes the next decoded bytes.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        decoded = decoded.addingClamped(Int64(bytes.count))
        compressor.add(bytes)
    }

    /// Ends the body and returns its sizes, for ``ShownResponse``.
    package mutating func finish() -> ShownResponse.Body {
        let size = compressor.finish()
        return .decoded(decoded, recompressed: size >= 0 ? size : nil)
    }
}
