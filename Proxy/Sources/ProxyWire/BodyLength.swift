/// How the end of a message's body is found (RFC 9112, section 6.3).
package enum BodyLength: Equatable, Sendable {
    case none
    case length(UInt64)
    case chunked
    /// Of a response: the connection's end.
    case untilClose
}

/// What the fields of a header section say of the body.
struct BodyFields {
    private var length: UInt64?
    private var hasCoding = false
    private var lastCodingIsChunked = false
    private var chunkedCount = 0
    private var isLengthInvalid = false
    private var lengthCount = 0

    mutating func add(_ line: FieldLines.Line, of bytes: Bytes) {
        if bytes.matches(line.name, "content-length") { addLength(line.value, of: bytes) }
        if bytes.matches(line.name, "transfer-encoding") { addCodings(line.value, of: bytes) }
    }

    /// A list of equal values is one value for a client (RFC 9110, section 8.6).
    private mutating func addLength(_ value: Range<Int>, of bytes: Bytes) {
        isLengthInvalid = isLengthInvalid || value.isEmpty
        bytes.forEachElement(of: value) { element in
            lengthCount += 1
            var number: UInt64 = 0
            for i in element {
                guard let digit = Syntax.digit(bytes[i]) else { return isLengthInvalid = true }
                let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
                let (sum, carry) = tens.addingReportingOverflow(digit)
                if overflow || carry { return isLengthInvalid = true }
                number = sum
            }
            if let length, length != number { isLengthInvalid = true }
            length = number
        }
        if lengthCount == 0 { isLengthInvalid = true }
    }

    private mutating func addCodings(_ value: Range<Int>, of bytes: Bytes) {
        hasCoding = true
        bytes.forEachElement(of: value) { element in
            lastCodingIsChunked = bytes.matches(element, "chunked")
            if lastCodingIsChunked { chunkedCount += 1 }
        }
    }

    /// Of a request; whatever is not certain is refused, because the server might read it differently.
    func ofRequest(minorVersion: Int) throws(Malformed) -> BodyLength {
        if hasCoding {
            if lengthCount > 0 { throw .lengthAndCoding }
            guard minorVersion == 1, lastCodingIsChunked, chunkedCount == 1 else { throw .transferEncoding }
            return .chunked
        }
        if isLengthInvalid || lengthCount > 1 { throw .contentLength }
        return length.map { $0 == 0 ? .none : .length($0) } ?? .none
    }

    /// Of a response that may have a body.
    func ofResponse() -> BodyLength {
        if hasCoding { return lastCodingIsChunked && chunkedCount == 1 ? .chunked : .untilClose }
        if isLengthInvalid { return .untilClose }
        return length.map { $0 == 0 ? .none : .length($0) } ?? .untilClose
    }
}
