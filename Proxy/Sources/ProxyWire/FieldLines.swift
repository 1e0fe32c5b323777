/// Walks over the field lines of a header section whose lines end with CRLF (RFC 9112, section 5).
struct FieldLines {
    struct Line {
        /// With its CRLF.
        let whole: Range<Int>
        let name: Range<Int>
        /// Without white space around it.
        let value: Range<Int>
    }

    private let bytes: Bytes
    private var position: Int

    init(_ bytes: Bytes, from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The next line; nil at the empty line.
    ///
    /// Refused is what two parsers could read differently: white space before the colon or at the start of a line
    /// (obs-fold), a lone CR or LF, and NUL.
    mutating func next() throws(Malformed) -> Line? {
        let begin = position
        guard let lf = bytes.firstIndex(of: Syntax.lf, in: begin..<bytes.count), lf > begin, bytes[lf - 1] == Syntax.cr
        else { throw .line }
        position = lf + 1
        let content = begin..<lf - 1
        if content.isEmpty {
            guard position == bytes.count else { throw .line }
            return nil
        }
        guard let colon = bytes.firstIndex(of: Syntax.colon, in: content), colon > begin else { throw .fieldName }
        for i in begin..<colon where !Syntax.isTokenByte(bytes[i]) { throw .fieldName }
        for i in colon + 1..<content.upperBound where bytes[i] == Syntax.cr || bytes[i] == 0 { throw .fieldValue }
        return Line(whole: begin..<position, name: begin..<colon, value: bytes.trimmed(colon + 1..<content.upperBound))
    }
}

/// Why a message is not passed on: two recipients might read it differently.
package enum Malformed: Error, Equatable, Sendable {
    case line
    case requestLine
    case version
    case target
    case fieldName
    case fieldValue
    case host
    case contentLength
    case transferEncoding
    case lengthAndCoding
    case chunk
    case tooLong

    /// For the person who reads the refusal.
    package var reason: String {
        switch self {
        case .line: "a line does not end with CRLF"
        case .requestLine: "the request line is not a method, a target and a version, with single spaces between them"
        case .version: "the version is neither HTTP/1.1 nor HTTP/1.0"
        case .target: "the request's target is no URL that a proxy can take"
        case .fieldName: "a field line has no valid name before its colon"
        case .fieldValue: "a field's value contains CR or NUL"
        case .host: "there is more than one Host"
        case .contentLength: "Content-Length is not one number"
        case .transferEncoding: "Transfer-Encoding does not end with one 'chunked'"
        case .lengthAndCoding: "there are both Content-Length and Transfer-Encoding"
        case .chunk: "the chunks of the body break the rules"
        case .tooLong: "the header section is too long"
        }
    }
}
