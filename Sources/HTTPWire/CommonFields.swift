internal import ASCIIBytes
package import TrafficModel

/// The fields that are read of every message, found in one pass over its lines.
package struct CommonFields: Hashable, Sendable {
    /// The length of the body that the message states: see ``TrafficModel/FieldSection/contentLength``.
    package private(set) var contentLength: Int64?
    /// Whether the message names a transfer coding (RFC 9112, section 6.1).
    package private(set) var namesTransferCoding = false
    /// Whether the last transfer coding is chunked.
    package private(set) var namesChunked = false
    /// The place of the value of the first Content-Type among the section's bytes; nil if there is none.
    package private(set) var contentType: Range<Int>?
    /// The place of the value of the first Content-Encoding.
    package private(set) var contentEncoding: Range<Int>?
    /// The bytes of all lines of Cookie, with their line ends.
    package private(set) var cookieSize = 0
    /// The bytes of all lines of Set-Cookie, with their line ends.
    package private(set) var setCookieSize = 0

    /// The common fields of that section.
    package init(_ section: FieldSection) {
        var (lengths, codings) = (0, 0)
        section.bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count {
                let end = FieldSection.lineEnd(from: start, in: bytes)
                switch Self.candidate(at: start, in: bytes) {
                case .length:
                    if let value = FieldSection.value(named: "content-length", from: start, to: end, in: bytes) {
                        lengths += 1
                        contentLength = lengths == 1 ? Self.number(value, in: bytes) : nil
                    }
                case .type where contentType == nil:
                    contentType = FieldSection.value(named: "content-type", from: start, to: end, in: bytes)
                case .encoding where contentEncoding == nil:
                    contentEncoding = FieldSection.value(named: "content-encoding", from: start, to: end, in: bytes)
                case .coding:
                    if let value = FieldSection.value(named: "transfer-encoding", from: start, to: end, in: bytes) {
                        codings += 1
                        namesChunked = codings == 1 && Self.isChunked(bytes[value])
                    }
                case .cookie:
                    if FieldSection.value(named: "cookie", from: start, to: end, in: bytes) != nil {
                        cookieSize += end - start
                    }
                case .setCookie:
                    if FieldSection.value(named: "set-cookie", from: start, to: end, in: bytes) != nil {
                        setCookieSize += end - start
                    }
                default: break
                }
                start = end
            }
        }
        // Several lines, lists and parameters are rare.
        if lengths > 0, contentLength == nil { contentLength = section.contentLength }
        namesTransferCoding = namesChunked
        if codings > 0, !namesChunked {
            namesTransferCoding = section.namesTransferCoding
            namesChunked = section.namesChunked
        }
    }

    private static func isChunked(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        value.count == 7 && ASCII.equalsIgnoringCase(value, "chunked".utf8)
    }

    private enum Candidate { case length, type, encoding, coding, cookie, setCookie }

    /// The only one of the names that the line can have, by three of its bytes.
    private static func candidate(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Candidate? {
        var start = start
        while start < bytes.count, ASCII.isOptionalSpace(bytes[start]) { start += 1 }
        guard start + 6 < bytes.count else { return nil }
        switch bytes[start] | 0x20 {
        case UInt8(ascii: "c"):
            if bytes[start + 2] | 0x20 == UInt8(ascii: "o") { return .cookie }
            guard bytes[start + 2] | 0x20 == UInt8(ascii: "n"), start + 8 < bytes.count else { return nil }
            switch bytes[start + 8] | 0x20 {
            case UInt8(ascii: "l"): return .length
            case UInt8(ascii: "t"): return .type
            case UInt8(ascii: "e"): return .encoding
            default: return nil
            }
        case UInt8(ascii: "s"): return .setCookie
        case UInt8(ascii: "t"): return .coding
        default: return nil
        }
    }

    /// A number of up to 18 digits; nil if the text is anything else.
    private static func number(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard (1...18).contains(range.count) else { return nil }
        var number: Int64 = 0
        for index in range {
            guard ASCII.isDigit(bytes[index]) else { return nil }
            number = number * 10 + Int64(bytes[index] - 0x30)
        }
        return number
    }
}
