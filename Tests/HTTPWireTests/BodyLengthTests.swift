@testable import HTTPWire
import Testing
import TrafficModel

/// RFC 9112, section 6.3: the rules in their order.
@Suite struct BodyLengthTests {
    private func fields(_ text: String) -> FieldSection { FieldSection(bytes: bytes(text)) }

    private func response(
        _ status: Int, to method: String = "GET", _ text: String = "", isHTTP2: Bool = false
    ) -> BodyLength {
        .ofResponse(status: status, to: method, fields: fields(text), isHTTP2: isHTTP2)
    }

    private let chunked = "Transfer-Encoding: chunked\r\n"
    private let five = "Content-Length: 5\r\n"

    @Test(arguments: ["Transfer-Encoding: chunked\r\n", "Content-Length: 5\r\n", ""])
    func rule1SomeResponsesHaveNoBodyWhateverTheirFieldsSay(_ fields: String) {
        #expect(response(200, to: "HEAD", fields) == .none)
        #expect(response(204, fields) == .none)
        #expect(response(304, fields) == .none)
        #expect(response(100, fields) == .none)
        #expect(response(101, fields) == .none)
        #expect(response(199, fields) == .none)
    }

    @Test func rule2ATunnelHasNoBody() {
        #expect(response(200, to: "CONNECT", chunked) == .none)
        #expect(response(299, to: "CONNECT", five) == .none)
        #expect(response(407, to: "CONNECT", five) == .fixed(5))
    }

    @Test func rule3TransferEncodingOverridesContentLength() {
        #expect(response(200, five + chunked) == .chunked)
        #expect(response(200, chunked + five) == .chunked)
        #expect(BodyLength.ofRequest(fields: fields(five + chunked), isHTTP2: false) == .chunked)
    }

    @Test func rule4AnotherLastCodingReadsUntilTheConnectionCloses() {
        #expect(response(200, "Transfer-Encoding: chunked, gzip\r\n") == .untilClose)
        #expect(response(200, "Transfer-Encoding: gzip\r\n") == .untilClose)
        #expect(response(200, "Transfer-Encoding: gzip\r\n" + five) == .untilClose)
    }

    @Test func rule5AContentLengthThatMakesNoSenseIsNone() {
        #expect(response(200, "Content-Length: 5, 6\r\n") == .untilClose)
        #expect(response(200, "Content-Length: five\r\n") == .untilClose)
        #expect(response(200, "Content-Length: 5, 5\r\n") == .fixed(5))
    }

    @Test func rule6ContentLengthIsTheLength() {
        #expect(response(200, five) == .fixed(5))
        #expect(response(200, "Content-Length: 0\r\n") == .fixed(0))
        #expect(BodyLength.ofRequest(fields: fields(five), isHTTP2: false) == .fixed(5))
    }

    /// Rule 7 says that such a request has no body; what was sent all the same is weighed.
    @Test func rule7ARequestWithoutFieldsIsWhatWasSent() {
        let length = BodyLength.ofRequest(fields: fields(""), isHTTP2: false)
        #expect(MeteredBody().read(as: length).content == 0)
        #expect(MeteredBody(bytes: 3).read(as: length).content == 3)
    }

    @Test func rule8AResponseWithoutFieldsEndsWithItsConnection() {
        #expect(response(200) == .untilClose)
        #expect(response(404, "X: 1\r\n") == .untilClose)
    }

    /// RFC 9113, section 8.2.2: no transfer codings in HTTP/2.
    @Test func thereAreNoChunksInHTTP2() {
        #expect(response(200, chunked, isHTTP2: true) == .untilClose)
        #expect(response(200, chunked + five, isHTTP2: true) == .fixed(5))
        #expect(BodyLength.ofRequest(fields: fields(chunked), isHTTP2: true) == .untilClose)
    }
}

/// What a meter that did not know the head has weighed, read with the head.
@Suite struct MeteredBodyTests {
    private let metered = MeteredBody(
        bytes: 20, digest: 1, chunkContent: 5, chunkFraming: 15, chunkDigest: 2, tail: 3, chunkTail: 4)

    @Test func chunksAreContentAndFraming() {
        #expect(metered.read(as: .chunked) == .init(content: 5, framing: 15, digest: 2, tail: 4))
    }

    @Test func aBodyOfKnownLengthIsContent() {
        #expect(metered.read(as: .fixed(20)) == .init(content: 20, framing: 0, digest: 1, tail: 3))
    }

    @Test func aBodyThatWasCutIsWhatCame() {
        #expect(metered.read(as: .fixed(50)) == .init(content: 20, framing: 0, digest: 1, tail: 3))
    }

    @Test func bytesBehindTheEndAreNotContent() {
        #expect(metered.read(as: .fixed(12)) == .init(content: 12, framing: 8, digest: nil, tail: 0))
        #expect(metered.read(as: .fixed(0)) == .init(content: 0, framing: 20, digest: nil, tail: 0))
    }

    @Test func aBodyUntilTheEndIsContent() {
        #expect(metered.read(as: .untilClose) == .init(content: 20, framing: 0, digest: 1, tail: 3))
    }

    @Test func bytesWhereNoBodyMayBeAreNotContent() {
        #expect(metered.read(as: .none) == .init(content: 0, framing: 20, digest: nil, tail: 0))
    }

    @Test(arguments: [BodyLength.none, .chunked, .fixed(0), .fixed(9), .untilClose])
    func nothingIsNothingAndHasNoDigest(_ length: BodyLength) {
        #expect(MeteredBody().read(as: length) == .init(content: 0, framing: 0, digest: nil, tail: 0))
    }
}
