import CCurlTap
import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// Bodies of redirects and challenges that libcurl reads and, from 8.5 on, does not show.
@Suite struct TapReaderHiddenBodyTests {
    /// A redirect with those fields, then a second exchange that shows 27 bytes.
    private func sizes(
        _ fields: String, scheme: String = "http", shown: UInt64 = 0, received: UInt64? = nil,
        inside: UInt64? = nil, isNew: Bool = false, closed: UInt64? = nil
    ) throws -> [WireSize] {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "\(scheme)://h/a")
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 302 Found\r\n\(fields)\r\n")
            if shown > 0 { frames.body(bytes: shown) }
            let (connects, port): (Int64, UInt32) = isNew ? (2, 5_001) : (1, 5_000)
            frames.request(
                at: 4_000, url: "\(scheme)://h/b", connects: connects, localPort: port,
                tcp: received.map { FrameBuilder.tcp(sent: 19, received: $0) } ?? .init(),
                plaintext: inside.map { FrameBuilder.plaintext(sent: 19, received: $0) } ?? .init())
            frames.headOut(at: 4_000, "GET /b HTTP/1.1\r\n\r\n")
            frames.headIn(at: 5_000, "HTTP/1.1 204 No Content\r\n\r\n")
            if let closed {
                frames.socketClosed(
                    localPort: port, tcp: FrameBuilder.tcp(sent: 38, received: closed), at: 5_500)
            }
            frames.end(at: 6_000, connects: connects, localPort: port)
        }
        #expect(sink.responses.map(\.status) == [302, 204])
        return sink.responses.map(\.size)
    }

    /// 20 bytes of start line, and the fields with the empty line.
    private func head(_ fields: String) -> Int { 20 + fields.utf8.count + 2 }

    @Test(arguments: ["Content-Length: 40\r\n", "Transfer-Encoding: chunked\r\n"])
    func theKernelHasCountedThem(_ fields: String) throws {
        let sizes = try sizes(
            fields, received: UInt64(head(fields)) + 40, closed: UInt64(head(fields)) + 40 + 27)
        // The share of its chunk framing is not known.
        #expect(sizes[0].body == .init(40, fields.contains("chunked") ? .reconstructed : .reported))
        #expect(sizes[0].total == ByteCount(head(fields) + 40))
        // What the first was given is not given to the last once more.
        #expect(sizes[1].total == 27)
        #expect(sizes[1].evidence == .captured)
    }

    @Test func theKernelMayHaveCountedNothing() throws {
        let fields = "Transfer-Encoding: chunked\r\n"
        #expect(try sizes(fields, received: UInt64(head(fields)))[0].body == .captured(0))
    }

    @Test(arguments: ["http", "https"])
    func whereTheNextGoesElsewhereTheHeadTells(_ scheme: String) throws {
        let fields = "Content-Length: 40\r\n"
        // The kernel's count is that of the other connection.
        #expect(try sizes(fields, scheme: scheme, received: 9, isNew: true)[0].body == .init(40, .reconstructed))
    }

    @Test(arguments: ["Content-Length: 40\r\n", "Transfer-Encoding: chunked\r\n"])
    func overTLSItsPlaintextIsCounted(_ fields: String) throws {
        let sizes = try sizes(fields, scheme: "https", received: 900, inside: UInt64(head(fields)) + 40)
        #expect(sizes[0].body == .init(40, fields.contains("chunked") ? .reconstructed : .reported))
        #expect(sizes[1].total == 27)
    }

    @Test func overTLSWithoutThatTheHeadTells() throws {
        // The kernel counts records.
        let sizes = try sizes("Content-Length: 40\r\n", scheme: "https", received: 900)
        #expect(sizes[0].body == .init(40, .reconstructed))
    }

    @Test(arguments: ["Transfer-Encoding: chunked\r\n", "Content-Length: 40\r\nConnection: close\r\n"])
    func whatNobodyCanTellIsUnknown(_ fields: String) throws {
        let sizes = try sizes(fields, isNew: true)
        #expect(sizes[0].body == .unknown)
        #expect(sizes[0].total == nil)
    }

    @Test(arguments: ["Content-Length: 0\r\n", ""])
    func whereThereIsNoneNothingIsHidden(_ fields: String) throws {
        #expect(try sizes(fields, isNew: true)[0].body == .captured(0))
    }

    @Test func aBodyThatWasShownIsCaptured() throws {
        #expect(try sizes("Content-Length: 40\r\n", shown: 40, isNew: true)[0].body == .captured(40))
    }

    /// CURLE_TOO_MANY_REDIRECTS: the last one is read, too.
    @Test func aRedirectThatIsNotFollowedAnyMoreIsCounted() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 302 Found\r\nContent-Length: 40\r\n\r\n")
            frames.end(result: 47, headerSize: 42, tcp: FrameBuilder.tcp(sent: 19, received: 82))
        }
        #expect(sink.responses.map(\.size.body) == [.init(40, .reported)])
    }

    /// A transfer that is cancelled after the headers has had no body yet.
    @Test func whatWasCutIsNotMadeUp() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 302 Found\r\nContent-Length: 40\r\n\r\n")
            frames.end(how: WWT_END_REMOVED, headerSize: 42, tcp: FrameBuilder.tcp(sent: 19, received: 42))
        }
        #expect(sink.responses.map(\.size.body) == [.captured(0)])
    }

    /// libcurl 8.5 and later read the body of a 416 to a download that was complete, and do not show it.
    @Test(arguments: ["http", "https"])
    func theLastResponseOfATransferMayHideItsBody(_ scheme: String) throws {
        let isSecure = scheme == "https"
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "\(scheme)://h/a")
            if isSecure { frames.connection(tls: ("TLSv1.3", "AES")) }
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 416 Range\r\nContent-Length: 5000\r\n\r\n")
            frames.end(
                headerSize: 44, url: "\(scheme)://h/a",
                tcp: FrameBuilder.tcp(sent: isSecure ? 900 : 19, received: isSecure ? 9_000 : 5_044),
                plaintext: isSecure ? FrameBuilder.plaintext(sent: 19, received: 5_044) : .init())
        }
        #expect(sink.responses.map(\.size.body) == [.init(5_000, .reported)])
        #expect(sink.connections.last?.ledger?.isClosed == true)
    }

    @Test func aBodyThatMayNotHaveBeenReadIsUnknownWhereNothingCountsIt() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 416 Range\r\nContent-Length: 5000\r\n\r\n")
            frames.end(headerSize: 44)
        }
        #expect(sink.responses.map(\.size.body) == [.unknown])
    }

    /// Where the head itself made libcurl give up, what it has read beyond may be fields or content.
    @Test(arguments: [Int32(63)]) func whereAHeadWasRefusedItsEndIsNotMadeUp(_ code: Int32) throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n")
            frames.end(result: code, headerSize: 42, tcp: FrameBuilder.tcp(sent: 19, received: 102_400, isOver: true))
        }
        let size = try #require(sink.responses.first?.size)
        #expect(size.total == 102_400)
        #expect(size.fields == .init(27, .reconstructed))
        #expect(size.body == .init(ByteCount(102_400 - 17 - 27), .reconstructed))
    }

    /// A line that libcurl takes for none was read and not shown, and so was what followed (CURLE_WEIRD_SERVER_REPLY).
    @Test func whereALineWasRefusedTheEndOfTheHeadersIsNotMadeUp() throws {
        let sink = try Hearing.of { frames in
            frames.sent()
            frames.headIn("HTTP/1.1 200 OK\r\nServer: x\r\n")
            frames.end(result: 8, headerSize: 28, tcp: FrameBuilder.tcp(sent: 19, received: 28 + 27, isOver: true))
        }
        let size = try #require(sink.responses.first?.size)
        #expect(size.total == 55)
        #expect(size.startLine == .captured(17))
        #expect(size.fields == .init(11 + 27, .reconstructed))
        #expect(size.body == .init(0, .reconstructed))
    }

    /// libcurl read bytes that it takes for no response (CURLE_WEIRD_SERVER_REPLY); which part they belong to is not known.
    @Test func whereTheFirstLineWasRefusedItsPartsAreNotMadeUp() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.end(result: 8, tcp: FrameBuilder.tcp(sent: 19, received: 700, isOver: true))
        }
        let size = try #require(sink.responses.first?.size)
        #expect(size.total == 700)
        #expect(size.startLine == .init(700, .reconstructed))
    }

    /// CURLE_HTTP_RETURNED_ERROR, without the kernel's count: an old kernel or an emulator gives none.
    @Test(
        "a body after a status that ended the transfer is unknown where nothing counts it, unless there can be none",
        arguments: [
            ("Content-Length: 5\r\n", "unknown", "captured"), ("", "unknown", "captured"),
            ("Transfer-Encoding: chunked\r\n", "unknown", "unknown"), ("Content-Length: 0\r\n", "captured", "captured"),
        ])
    func aBodyAfterARefusedStatusIsUnknown(_ field: String, _ body: String, _ framing: String) throws {
        let sink = try Hearing.of { frames in
            frames.sent()
            frames.headIn("HTTP/1.1 500 Oh no\r\n\(field)")
            frames.end(result: 22, headerSize: Int64(20 + field.utf8.count))
        }
        let response = try #require(sink.responses.first)
        #expect(response.size.startLine == .captured(20))
        // The empty line after the fields was read and not shown.
        #expect(response.size.fields == .init(ByteCount(field.utf8.count + 2), .reconstructed))
        #expect(response.size.body.evidence.name == body)
        #expect(response.size.framing.evidence.name == framing)
        #expect(response.decodedBody.evidence == response.size.body.evidence)
    }

    /// CURLE_FILESIZE_EXCEEDED and CURLE_WEIRD_SERVER_REPLY, without the kernel's count.
    @Test(arguments: [Int32(63), 8]) func aBodyAfterRefusedHeadersIsUnknownWhereNothingCountsIt(_ code: Int32) throws {
        let sink = try Hearing.of { frames in
            frames.sent()
            frames.headIn("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n")
            frames.end(result: code, headerSize: 42)
        }
        let size = try #require(sink.responses.first?.size)
        #expect(size.fields == .init(25, .reconstructed))
        #expect((size.body, size.framing) == (.unknown, .unknown))
        #expect(size.total == nil)
    }

    /// Where libcurl gave up for another reason, it showed what it had read.
    @Test func aBodyAfterCutHeadersIsNone() throws {
        let sink = try Hearing.of { frames in
            frames.sent()
            frames.headIn("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
            frames.end(result: 56, headerSize: 36)
        }
        #expect(sink.responses.map(\.size.body) == [.captured(0)])
    }
}
