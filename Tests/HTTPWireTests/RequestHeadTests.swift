import HTTPWire
import Testing
import TrafficModel

/// Request lines of RFC 9112, section 3, and the fields that frame a body.
@Suite struct RequestHeadTests {
    private func head(_ text: String) -> RequestHead { RequestHead(bytes(text)[...]) }

    @Test func methodTargetAndVersionAreTheLinesWords() {
        let head = head("POST /a?b=c HTTP/1.1\r\nHost: x\r\nCookie: a=1\r\n\r\n")
        #expect(head.method == "POST")
        #expect(head.target == "/a?b=c")
        #expect(head.httpVersion == "1.1")
        #expect(
            head.size
                == WireSize(startLine: .captured(22), fields: .captured(24), cookies: .captured(13)))
    }

    /// RFC 9112, section 3: a careless client leaves spaces in the target.
    @Test func aTargetMayHoldSpaces() {
        let head = head("GET /a b c HTTP/1.0\r\n\r\n")
        #expect(head.target == "/a b c")
        #expect(head.httpVersion == "1.0")
    }

    @Test func aLineWithoutVersionHasNone() {
        let head = head("GET /old\r\n")
        #expect(head.target == "/old")
        #expect(head.httpVersion == "")
    }

    @Test(arguments: ["", "\r\n", " ", "GET", "GET "])
    func aLineThatIsNoneHasNoTarget(_ line: String) {
        #expect(head(line).target == "")
        #expect(head(line).httpVersion == "")
    }

    /// libcurl shows HTTP/2 requests as text of version 1.1's shape; the bytes that it sent are others.
    @Test func aHeadOfHTTP2IsReconstructed() {
        let size = head("GET / HTTP/2\r\nHost: x\r\n\r\n").size
        #expect(size.startLine == .init(14, .reconstructed))
        #expect(size.fields == .init(11, .reconstructed))
        #expect(size.evidence == .reconstructed)
    }

    /// RFC 9112, section 6.1: chunked counts when it is the last coding; names have no case (RFC 9110, section 10.1.4).
    @Test(arguments: [
        ("Transfer-Encoding: chunked", true), ("transfer-encoding:CHUNKED", true),
        ("Transfer-Encoding: gzip, chunked", true), ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", true),
        // RFC 9110, section 5.6.1.2: empty elements of a list are ignored.
        ("Transfer-Encoding: chunked, ", true), ("Transfer-Encoding: chunked,,", true),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding:", true),
        ("Transfer-Encoding: chunked, gzip", false), ("Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip", false),
        ("Transfer-Encoding: xchunked", false), ("Transfer-Encoding:", false), ("Content-Encoding: chunked", false),
        ("TE: chunked", false),
    ])
    func chunkedIsTheLastTransferCoding(_ fields: String, expected: Bool) {
        #expect(head("POST / HTTP/1.1\r\n\(fields)\r\n\r\n").isChunked == expected)
    }

    /// RFC 9110, section 8.6: digits only; equal values may be repeated.
    @Test(arguments: [
        ("Content-Length: 0", 0), ("Content-Length: 42", 42), ("content-length:  7 ", 7),
        ("Content-Length: 5, 5", 5), ("Content-Length: 5\r\nContent-Length: 5", 5),
        ("Content-Length: 9223372036854775807", Int64.max),
        ("Content-Length: 9223372036854775808", nil), ("Content-Length: 5, 6", nil),
        ("Content-Length: 5\r\nContent-Length: 6", nil), ("Content-Length: -1", nil), ("Content-Length: +5", nil),
        ("Content-Length: 1 2", nil), ("Content-Length: 0x10", nil), ("Content-Length:", nil), ("X: 1", nil),
    ])
    func contentLengthIsANumberOrNothing(_ fields: String, expected: Int64?) {
        #expect(head("POST / HTTP/1.1\r\n\(fields)\r\n\r\n").lines.fields.contentLength == expected)
    }
}
