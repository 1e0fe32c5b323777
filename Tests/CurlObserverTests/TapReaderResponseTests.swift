import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// What a response weighs by its frames.
@Suite struct TapReaderResponseTests {
    private func response(
        _ heads: [String], headerSize: Int64, bytes: UInt64 = 0, content: UInt64 = 0,
        framing: UInt64 = 0, tail: UInt32 = 0, chunkTail: UInt32 = 0, result: Int32 = 0, version: String = "1.1"
    ) throws -> ResponseRecord {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/\(version)\r\n\r\n")
            for head in heads { frames.headIn(head) }
            if bytes > 0 {
                frames.body(bytes: bytes, content: content, framing: framing, tail: tail, chunkTail: chunkTail)
            }
            frames.end(result: result, headerSize: headerSize)
        }
        return try #require(sink.responses.first)
    }

    @Test func emptyLinesThatLibcurlDoesNotShowAreFoundInItsCount() throws {
        let heads = ["HTTP/1.1 100 Continue\r\n", "HTTP/1.1 103 Early Hints\r\n", "HTTP/1.1 200 OK\r\n\r\n"]
        #expect(try response(heads, headerSize: 72).size.interim == .init(53, .reported))
        #expect(try response(heads, headerSize: 68).size.interim == .init(53, .reconstructed))
    }

    @Test func interimResponsesAloneAreAResponseWithoutAStatus() throws {
        let response = try response(["HTTP/1.1 100 Continue\r\n"], headerSize: 25, result: 56)
        #expect(response.status == 0)
        #expect(response.size.interim == .init(25, .reported))
    }

    /// HTTP/0.9 has no head (RFC 1945, section 4.1).
    @Test func contentWithoutAHeadIsNotLost() throws {
        let response = try response([], headerSize: 0, bytes: 12)
        #expect(response.status == 0)
        #expect(response.size == WireSize(body: .captured(12)))
    }

    @Test func linesThatAreNoHeadAreNotLost() throws {
        let response = try response(["ICY 200 OK\r\n\r\n"], headerSize: 14, bytes: 12)
        #expect(response.size.known == 26)
    }

    private func gzip(_ fields: String) -> String { "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(fields)\r\n" }

    /// RFC 1952, section 2.3.1: the last four bytes are the size before compression.
    @Test func theDecodedSizeOfGzipIsItsTail() throws {
        let sized = try response([gzip("Content-Length: 40\r\n")], headerSize: 61, bytes: 40, tail: 1_000, chunkTail: 5)
        #expect(sized.decodedBody == .init(1_000, .reported))
        let chunked = try response(
            [gzip("Transfer-Encoding: chunked\r\n")], headerSize: 69, bytes: 51, content: 40, framing: 11, tail: 5,
            chunkTail: 1_000)
        #expect(chunked.decodedBody == .init(1_000, .reported))
        #expect(chunked.size.body == .captured(40))
        #expect(chunked.size.framing == .captured(11))
    }

    @Test func theTailOfABodyThatWasCutIsNoSize() throws {
        let cut = try response([gzip("Content-Length: 99\r\n")], headerSize: 61, bytes: 40, tail: 1_000, result: 18)
        #expect(cut.decodedBody == .unknown)
        #expect(try response([gzip("")], headerSize: 41, bytes: 17, tail: 1_000).decodedBody == .unknown)
    }

    /// A server can send a part of a file as if it were the whole: then the last four bytes are any.
    @Test(arguments: [(41_280, true), (41_281, false), (1_717_986_918, false)])
    func aTailBeyondWhatCompressionCanDoIsNoSize(tail: UInt32, isSize: Bool) throws {
        let response = try response([gzip("Content-Length: 40\r\n")], headerSize: 61, bytes: 40, tail: tail)
        #expect(response.decodedBody == (isSize ? .init(ByteCount(tail), .reported) : .unknown))
    }

    @Test func chunkedFixedAndUntilCloseAreReadByTheirHead() throws {
        let chunked = try response(
            ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"], headerSize: 47, bytes: 30, content: 20,
            framing: 10)
        #expect(chunked.size.body == .captured(20))
        #expect(chunked.size.framing == .captured(10))
        #expect(chunked.bodyDigest == 22)
        let fixed = try response(
            ["HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n"], headerSize: 39, bytes: 30, content: 20, framing: 10)
        #expect(fixed.size.body == .captured(25))
        #expect(fixed.size.framing == .captured(5))
        let open = try response(["HTTP/1.1 200 OK\r\n\r\n"], headerSize: 19, bytes: 30, content: 20, framing: 10)
        #expect(open.size.body == .captured(30))
        #expect(open.bodyDigest == 11)
    }

    @Test func headsOfHTTP2AreReconstructedAndTheirBodyIsCaptured() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "https://h/a", remotePort: 443)
            frames.headOut("GET /a HTTP/2\r\nHost: h\r\n\r\n")
            frames.headIn("HTTP/2 200 \r\n\r\n")
            frames.body(bytes: 20_000)
            frames.end(url: "https://h/a")
        }
        #expect(sink.requests.first?.size.startLine.evidence == .reconstructed)
        #expect(sink.responses.first?.size.fields.evidence == .reconstructed)
        #expect(sink.responses.first?.size.body == .captured(20_000))
        #expect(sink.responses.first?.size.framing.evidence == .reconstructed)
        #expect(sink.responses.first?.size.evidence == .reconstructed)
    }
}
