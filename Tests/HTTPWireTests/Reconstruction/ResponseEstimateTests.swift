@testable import HTTPWire
import Testing
import TrafficModel

/// Responses against the text that a server writes as the RFCs advise.
@Suite struct ResponseEstimateTests {
    private let apple = PlatformProfile.apple(userAgent: "App", languages: "en", isSecure: true)

    private func estimate(
        _ status: Int = 200, reason: String? = nil, _ fields: [(String, String)] = [], to method: String = "GET",
        body: ShownResponse.Body = .decoded(0, recompressed: nil), pieces: [Int]? = nil,
        _ profile: PlatformProfile = RequestEstimateTests.linux, _ change: (inout ShownResponse) -> Void = { _ in }
    ) -> Estimate {
        var shown = ShownResponse(
            status: status, reason: reason, fields: fields.map { ShownField($0.0, $0.1) }, requestMethod: method,
            body: body, pieces: pieces.map { PieceTally($0) })
        change(&shown)
        return Reconstruction.response(shown, profile: profile)
    }

    private func size(_ text: String) -> ByteCount { ByteCount(text.utf8.count) }

    // MARK: the head

    @Test func theStatusLineHasTheUsualPhrase() {
        let line = estimate(404)
        #expect(line.size.startLine == .init(size("HTTP/1.1 404 Not Found\r\n"), .reconstructed))
        // A server may write none, or any other.
        #expect(line.usualBound.startLine == 9)
        #expect(line.bound.startLine == nil)
    }

    @Test func theSpaceBeforeAMissingPhraseIsThere() {
        #expect(estimate(reason: "").size.startLine.bytes == size("HTTP/1.1 200 \r\n"))
        #expect(estimate(reason: "").bound.startLine == 0)
        #expect(estimate(599).size.startLine.bytes == size("HTTP/1.1 599 \r\n"))
        #expect(estimate(599).usualBound.startLine == nil)
    }

    @Test func aPhraseThatWasRenamedIsWithinTheUsualBound() throws {
        let line = estimate(413)
        let bound = try #require(line.usualBound.startLine)
        for phrase in ["", "Payload Too Large", "Content Too Large", "Request Entity Too Large"] {
            let written = size("HTTP/1.1 413 \(phrase)\r\n").bytes
            #expect(abs(line.size.startLine.bytes.bytes - written) <= bound)
        }
    }

    @Test func linesEndWithCRLFAndTheSectionWithAnEmptyLine() {
        let fields = estimate(200, [("Content-Type", "text/plain"), ("X-Empty", "")])
        #expect(fields.size.fields.bytes == size("Content-Type: text/plain\r\nX-Empty: \r\n\r\n"))
        #expect(fields.usualBound.fields == 1)
        #expect(fields.bound.fields == nil)
    }

    @Test func aCommaMayHaveBeenALineEnd() {
        let fields = estimate(200, [("Via", "a, b"), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("X", "\"a, b\"")])
        #expect(
            fields.size.fields.bytes
                == size("Via: a, b\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nX: \"a, b\"\r\n\r\n"))
        #expect(fields.usualBound.fields == Int64("Via: a\r\nVia: b\r\n".utf8.count - "Via: a, b\r\n".utf8.count))
    }

    @Test func joinedCookiesWereLinesOfTheirOwn() {
        let joined = "a=b; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Max-Age=100, c=d, e=f; Path=/"
        let lines = """
            Set-Cookie: a=b; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Max-Age=100\r
            Set-Cookie: c=d\r
            Set-Cookie: e=f; Path=/\r

            """
        let fields = estimate(200, [("Set-Cookie", joined)])
        #expect(fields.size.cookies.bytes == size(lines))
        #expect(fields.size.fields.bytes == size(lines + "\r\n"))
        #expect(fields.usualBound.cookies == 0)
    }

    @Test func theContinueThatWasAskedForIsExpected() {
        let size = size("HTTP/1.1 100 Continue\r\n\r\n")
        #expect(estimate().size.interim.bytes == 0)
        #expect(estimate { $0.requestExpectsContinue = true }.size.interim.bytes == size)
        #expect(estimate { $0.requestExpectsContinue = true }.usualBound.interim == size.bytes)
        #expect(estimate(413) { $0.requestExpectsContinue = true }.size.interim.bytes == 0)
    }

    // MARK: the content

    @Test(
        arguments: [("HEAD", 200), ("GET", 204), ("GET", 304), ("CONNECT", 200)],
        [("Content-Length", "500"), ("Transfer-Encoding", "chunked")])
    func someResponsesHaveNoContentWhateverTheySay(request: (String, Int), field: (String, String)) {
        let none = estimate(request.1, [field], to: request.0, body: .unseen)
        #expect(none.size.body == .init(0, .reconstructed))
        #expect(none.size.framing == .init(0, .reconstructed))
        #expect(none.bound.body == 0)
    }

    @Test func theLengthOfBytesInHandGoesBeforeAField() {
        #expect(estimate(200, [("Content-Length", "500")], body: .decoded(7, recompressed: nil)).size.body.bytes == 7)
        #expect(estimate(200, [("Content-Length", "500")], body: .wire(8)).size.body.bytes == 8)
        #expect(estimate(200, [("Content-Length", "500")], body: .unseen).size.body.bytes == 500)
        #expect(
            estimate(200, [("Content-Length", "500")], body: .unseen) { $0.isComplete = false }.size.body == .unknown)
    }

    @Test func codedContentIsItsFieldOrAnEstimate() {
        let coding = ("Content-Encoding", "gzip")
        let named = estimate(200, [coding, ("Content-Length", "40")], body: .decoded(900, recompressed: 50))
        #expect(named.size.body.bytes == 40)
        #expect(named.usualBound.body == 0)
        let recompressed = estimate(200, [coding], body: .decoded(900, recompressed: 50))
        #expect(recompressed.size.body.bytes == 50)
        #expect(recompressed.usualBound.body == 914)
        #expect(estimate(200, [coding], body: .decoded(900, recompressed: nil)).size.body == .unknown)
        #expect(
            estimate(200, [("Content-Encoding", "identity")], body: .decoded(9, recompressed: nil)).size.body.bytes == 9
        )
    }

    @Test func theContentOfARedirectIsHiddenOnLinux() {
        #expect(estimate(302, [("Content-Length", "6")]).size.body.bytes == 6)
        #expect(estimate(302, [("Content-Length", "6")], apple).size.body.bytes == 0)
    }

    // MARK: the framing

    private let chunked = ("Transfer-Encoding", "chunked")

    @Test func aLoneChunkedIsCountedWithTheSizesOfTheDataCallbacks() {
        let body = ShownResponse.Body.decoded(31, recompressed: nil)
        // 1 CRLF . CRLF, e CRLF … CRLF, 10 CRLF … CRLF, 0 CRLF CRLF
        let pieces = estimate(200, [chunked], body: body, pieces: [1, 14, 16])
        #expect(pieces.size.framing == .init(ByteCount(5 + 5 + 6 + 5), .reconstructed))
        // One chunk of 1f at least.
        #expect(pieces.usualBound.framing == 10)
        #expect(pieces.bound.framing == nil)
        // Apple's loader may put chunks together: up to 31 of one byte.
        #expect(estimate(200, [chunked], body: body, pieces: [1, 14, 16], apple).usualBound.framing == 170)
    }

    @Test func withoutDataCallbacksItIsOneChunk() {
        #expect(estimate(200, [chunked], body: .decoded(31, recompressed: nil)).size.framing.bytes == 11)
        // Decoded pieces say nothing of chunks.
        #expect(
            estimate(
                200, [chunked, ("Content-Encoding", "gzip")], body: .decoded(900, recompressed: 31), pieces: [900]
            ).size.framing.bytes == 11)
        #expect(estimate(200, [chunked]).size.framing.bytes == 5)
        #expect(estimate(200, [chunked], body: .unseen).size.framing == .unknown)
        #expect(estimate(200, [("Content-Length", "31")], body: .wire(31)).size.framing.bytes == 0)
    }

    @Test func ofABodyThatWasCutTheLastChunkDidNotCome() {
        let body = ShownResponse.Body.decoded(31, recompressed: nil)
        let cut = estimate(200, [chunked], body: body, pieces: [15, 16]) { $0.isComplete = false }
        #expect(cut.size.framing.bytes == 11)
        // Half of a size line may have come.
        #expect(cut.usualBound.framing == 21)
        #expect(estimate(200, [chunked], body: body) { $0.isComplete = false }.size.framing.bytes == 6)
        #expect(estimate(200, [chunked]) { $0.isComplete = false }.size.framing.bytes == 0)
    }

    @Test func identityIsChunkedAgainOnApple() {
        let identity = ("Transfer-Encoding", "Identity")
        let body = ShownResponse.Body.wire(31)
        #expect(
            estimate(200, [identity], body: body, apple).size.fields.bytes == size("Transfer-Encoding: chunked\r\n\r\n")
        )
        #expect(estimate(200, [identity], body: body, apple).size.framing.bytes == 11)
        // On Linux it is what the server wrote.
        #expect(estimate(200, [identity], body: body).size.fields.bytes == size("Transfer-Encoding: Identity\r\n\r\n"))
        #expect(estimate(200, [identity], body: body).size.framing.bytes == 0)
    }
}
