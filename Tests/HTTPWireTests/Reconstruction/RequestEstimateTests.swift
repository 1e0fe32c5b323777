@testable import HTTPWire
import Testing
import TrafficModel

/// Requests against the text that the loader is known to write.
@Suite struct RequestEstimateTests {
    static let linux = PlatformProfile.foundationLinux(userAgent: "app (unknown version) curl/7.88.1")
    static let defaults = """
        Accept: */*\r
        Accept-Encoding: deflate, gzip, br, zstd\r
        User-Agent: app (unknown version) curl/7.88.1\r
        Connection: keep-alive\r
        Accept-Language: en\r

        """

    /// Compares start line and fields with the head's text, and the bounds with what is promised on Linux: none off.
    private func expect(
        _ shown: ShownRequest, _ head: String, body: Int64 = 0, framing: Int64 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let estimate = Reconstruction.request(shown, profile: Self.linux)
        let lines = HeadLines(bytes(head)[...])
        #expect(lines.isComplete, sourceLocation: sourceLocation)
        #expect(
            estimate.size.startLine == .init(ByteCount(lines.startLineSize), .reconstructed),
            sourceLocation: sourceLocation)
        #expect(
            estimate.size.fields == .init(ByteCount(lines.fieldsSize), .reconstructed), sourceLocation: sourceLocation)
        #expect(
            estimate.size.cookies == .init(ByteCount(lines.size(ofField: "Cookie")), .reconstructed),
            sourceLocation: sourceLocation)
        #expect(estimate.size.interim == .init(0, .reconstructed), sourceLocation: sourceLocation)
        #expect(estimate.size.body == .init(ByteCount(body), .reconstructed), sourceLocation: sourceLocation)
        #expect(estimate.size.framing == .init(ByteCount(framing), .reconstructed), sourceLocation: sourceLocation)
        #expect(estimate.usualBound == .init(), sourceLocation: sourceLocation)
    }

    @Test func theTargetHasItsQueryAndItsPercentEncodingAndNoFragment() {
        expect(
            ShownRequest(url: "http://example.com/a%20b/c?q=%C3%A4&x=1#part"),
            "GET /a%20b/c?q=%C3%A4&x=1 HTTP/1.1\r\nHost: example.com\r\n\(Self.defaults)\r\n")
    }

    @Test func anEmptyPathIsASlash() {
        expect(
            ShownRequest(url: "https://example.com:8443?a"),
            "GET /?a HTTP/1.1\r\nHost: example.com:8443\r\n\(Self.defaults)\r\n")
    }

    @Test(arguments: ["http://example.com:80/", "https://example.com:443/", "HTTPS://example.com/"])
    func theSchemesOwnPortIsNotSent(url: String) {
        expect(ShownRequest(url: url), "GET / HTTP/1.1\r\nHost: example.com\r\n\(Self.defaults)\r\n")
    }

    @Test func aProxyGetsTheWholeURL() {
        expect(
            ShownRequest(url: "http://example.com:8080/a?b", targetForm: .absolute),
            "GET http://example.com:8080/a?b HTTP/1.1\r\nHost: example.com:8080\r\nProxy-Connection: Keep-Alive\r\n"
                + "\(Self.defaults)\r\n")
    }

    @Test func aTunnelHasHostAndPortAndNothingOfTheApplication() {
        expect(
            ShownRequest(
                method: "CONNECT", url: "https://example.com/a?b", targetForm: .authority,
                fields: [ShownField("Authorization", "x")], cookies: [ShownField("a", "b")]),
            "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\nProxy-Connection: Keep-Alive\r\n\r\n")
    }

    @Test func theServerItselfIsAStar() {
        expect(
            ShownRequest(method: "OPTIONS", url: "http://example.com/", targetForm: .asterisk),
            "OPTIONS * HTTP/1.1\r\nHost: example.com\r\n\(Self.defaults)Content-Length: 0\r\n\r\n")
    }

    @Test func aFieldOfTheRequestTakesThePlaceOfTheSessionsAndOfTheDefault() {
        expect(
            ShownRequest(
                url: "http://h/", fields: [ShownField("accept", "a/b"), ShownField("X-A", "")],
                additionalFields: [ShownField("ACCEPT", "c/d, e/f"), ShownField("x-a", "z"), ShownField("X-B", "1")]),
            """
            GET / HTTP/1.1\r
            Host: h\r
            accept: a/b\r
            X-A:\r
            X-B: 1\r
            Accept-Encoding: deflate, gzip, br, zstd\r
            User-Agent: app (unknown version) curl/7.88.1\r
            Connection: keep-alive\r
            Accept-Language: en\r
            \r

            """)
    }

    @Test func theStoragesCookiesTakeThePlaceOfTheApplications() {
        let request = ShownRequest(
            url: "http://h/", fields: [ShownField("Cookie", "long=0123456789")],
            cookies: [ShownField("a", "1"), ShownField("b", "2")])
        expect(request, "GET / HTTP/1.1\r\nHost: h\r\nCookie: a=1; b=2\r\n\(Self.defaults)\r\n")
        var unwanted = request
        unwanted.wantsCookies = false
        expect(unwanted, "GET / HTTP/1.1\r\nHost: h\r\nCookie: long=0123456789\r\n\(Self.defaults)\r\n")
    }

    @Test func credentialsInTheURLAreSent() {
        expect(
            ShownRequest(url: "http://us%65r:p@h/"),
            "GET / HTTP/1.1\r\nHost: h\r\nAuthorization: Basic dXNlcjpw\r\n\(Self.defaults)\r\n")
    }

    @Test(arguments: [("GET", false), ("HEAD", false), ("POST", true), ("DELETE", true), ("OPTIONS", true)])
    func mostRequestsWithoutContentSaySo(method: String, hasLength: Bool) {
        expect(
            ShownRequest(method: method, url: "http://h/"),
            "\(method) / HTTP/1.1\r\nHost: h\r\n\(Self.defaults)\(hasLength ? "Content-Length: 0\r\n" : "")\r\n")
    }

    @Test func contentOfTheRequestItselfGetsAType() {
        let length = "Content-Length: 1234\r\n"
        let type = "Content-Type:application/x-www-form-urlencoded\r\n"
        var request = ShownRequest(method: "POST", url: "http://h/", body: .length(1_234), holdsBody: true)
        expect(request, "POST / HTTP/1.1\r\nHost: h\r\n\(Self.defaults)\(length)\(type)\r\n", body: 1_234)
        request.additionalFields = [ShownField("Content-Type", "a/b")]
        expect(
            request, "POST / HTTP/1.1\r\nHost: h\r\n\(Self.defaults)\(length)Content-Type: a/b\r\n\(type)\r\n",
            body: 1_234)
        request.fields = request.additionalFields
        expect(
            request, "POST / HTTP/1.1\r\nHost: h\r\n\(Self.defaults)\(length)Content-Type: a/b\r\n\r\n", body: 1_234)
        request.fields = []
        request.additionalFields = []
        request.holdsBody = false
        expect(request, "POST / HTTP/1.1\r\nHost: h\r\n\(Self.defaults)\(length)\r\n", body: 1_234)
    }

    @Test func aStreamGoesInChunksOfABuffer() {
        let head = "PUT / HTTP/1.1\r\nHost: h\r\n\(Self.defaults)Transfer-Encoding: chunked\r\n\r\n"
        func stream(_ count: Int64) -> ShownRequest {
            ShownRequest(method: "PUT", url: "http://h/", body: .stream(length: nil, counted: count))
        }
        expect(stream(0), head, framing: 5)
        expect(stream(1), head, body: 1, framing: 5 + 5)
        // fff4 CRLF … CRLF, then c CRLF … CRLF, then 0 CRLF CRLF
        expect(stream(65_524 + 12), head, body: 65_536, framing: 8 + 5 + 5)
    }

    @Test func aStreamedUploadExpects() {
        expect(
            ShownRequest(
                method: "PUT", url: "http://h/", body: .stream(length: nil, counted: 10), isStreamedUpload: true),
            "PUT / HTTP/1.1\r\nHost: h\r\n\(Self.defaults)Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n",
            body: 10, framing: 10)
    }

    @Test func chunksAreAsSmallAsTheStreamsReadsAtWorst() {
        let estimate = Reconstruction.request(
            ShownRequest(method: "PUT", url: "http://h/", body: .stream(length: nil, counted: 1_000)),
            profile: Self.linux)
        // 3e8 CRLF … CRLF against a thousand times 1 CRLF . CRLF
        #expect(estimate.size.framing.bytes == 12)
        #expect(estimate.bound.framing == 5993)
        #expect(estimate.bound.body == 0)
    }

    @Test func whatHasPassedGoesBeforeWhatAStreamSaysItHolds() {
        func body(_ length: Int64?, _ counted: Int64?) -> Estimate {
            Reconstruction.request(
                ShownRequest(method: "PUT", url: "http://h/", body: .stream(length: length, counted: counted)),
                profile: Self.linux)
        }
        #expect(body(5, 9).size.body.bytes == 9)
        #expect(body(5, 9).bound.body == 0)
        #expect(body(5, nil).size.body.bytes == 5)
        #expect(body(5, nil).bound.body == nil)
        #expect(body(nil, nil).size.body == .unknown)
        #expect(body(nil, nil).size.framing == .unknown)
        #expect(body(nil, nil).size.total == nil)
    }

    @Test func twoSpellingsOfOneFieldAreOffByTheirDifference() {
        let estimate = Reconstruction.request(
            ShownRequest(
                url: "http://h/", additionalFields: [ShownField("X-A", "1"), ShownField("x-a", "12345")]),
            profile: Self.linux)
        #expect(estimate.bound.fields == 4)
    }

    @Test func anHTTP2HeadIsCompressedAndThatIsNotBounded() {
        let estimate = Reconstruction.request(
            ShownRequest(url: "https://h/", httpVersion: "2"), profile: Self.linux)
        #expect(estimate.bound.fields == nil)
        #expect(estimate.bound.startLine == nil)
        #expect(estimate.usualBound.fields == estimate.size.fields.bytes.bytes)
    }
}

/// Apple's loader, as documented; not run on a device.
@Suite struct AppleRequestEstimateTests {
    private func size(_ shown: ShownRequest, isSecure: Bool = true) -> Estimate {
        Reconstruction.request(
            shown,
            profile: .apple(userAgent: "App/1 CFNetwork/1 Darwin/24", languages: "en-GB,en;q=0.9", isSecure: isSecure))
    }

    private func head(_ text: String) -> ByteCount { ByteCount(HeadLines(bytes(text)[...]).fieldsSize) }

    @Test func itsDefaultFieldsAreSent() {
        #expect(
            size(ShownRequest(url: "https://h/")).size.fields.bytes
                == head(
                    """
                    GET / HTTP/1.1\r
                    Host: h\r
                    Accept: */*\r
                    Accept-Language: en-GB,en;q=0.9\r
                    Accept-Encoding: gzip, deflate, br\r
                    Connection: keep-alive\r
                    User-Agent: App/1 CFNetwork/1 Darwin/24\r
                    \r

                    """))
    }

    @Test func aProxyGetsProxyConnectionInThePlaceOfConnection() {
        #expect(
            size(ShownRequest(url: "http://h/", targetForm: .absolute), isSecure: false).size.fields.bytes
                == head(
                    """
                    GET http://h/ HTTP/1.1\r
                    Host: h\r
                    Accept: */*\r
                    Accept-Language: en-GB,en;q=0.9\r
                    Accept-Encoding: gzip, deflate\r
                    Proxy-Connection: keep-alive\r
                    User-Agent: App/1 CFNetwork/1 Darwin/24\r
                    \r

                    """))
    }

    @Test func nothingBoundsWhatHasNotRunOnADevice() {
        let estimate = size(ShownRequest(method: "POST", url: "https://h/", body: .length(10)))
        #expect(estimate.bound.startLine == nil)
        #expect(estimate.bound.fields == nil)
        #expect(estimate.bound.total == nil)
        #expect(estimate.size.body.bytes == 10)
    }
}
