/// Compresses bytes as they pass, and keeps nothing but the count of what comes out.
///
/// It has state and is used by one thread at a time; not the one on which the program waits for its data.
package protocol BodyCompressor {
    /// Takes the next bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer)

    /// Ends the stream and returns the size of all of it; negative where the compressor failed.
    mutating func finish() -> Int64
}

/// A content coding that has a compressor of usual settings (RFC 9110, section 8.4.1).
package enum CompressedCoding: String, Hashable, Sendable, CaseIterable {
    case gzip
    case deflate
    case brotli = "br"
    case zstandard = "zstd"

    /// The coding of that name; nil for one that is not known, for several at once, and for `identity`.
    package init?(fieldValue: String) {
        let name = fieldValue.lowercasedASCII.filter { $0 != " " && $0 != "\t" }
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// The level at which servers commonly use it.
    package var usualLevel: Int {
        switch self {
        case .gzip, .deflate: 6
        case .brotli: 5
        case .zstandard: 3
        }
    }
}

/// Estimates what a decoded body was on the wire by compressing it again.
package struct CompressedSizeEstimator {
    private var compressor: any BodyCompressor
    /// The decoded bytes so far.
    package private(set) var decoded: Int64 = 0

    /// An estimator for that `Content-Encoding`; nil where the coding is not known or there is no compressor for it.
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

    /// Ends the body and says what it is, for ``ShownResponse``.
    package mutating func finish() -> ShownResponse.Body {
        let size = compressor.finish()
        return .decoded(decoded, recompressed: size >= 0 ? size : nil)
    }
}
