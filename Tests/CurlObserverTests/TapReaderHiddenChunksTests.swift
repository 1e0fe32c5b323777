import CCurlTap
import CHTTPWire
import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// Chunked responses of which libcurl shows the content and not the chunks, as 8.5 does.
@Suite struct TapReaderHiddenChunksTests {
    private let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// A chunked response of which 30 bytes of content were shown.
    private func size(
        scheme: String = "http", tcp: wwt_tcp = .init(), plaintext: wwt_plaintext = .init(), result: Int32 = 0,
        closed: UInt64? = nil
    ) throws -> WireSize {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "\(scheme)://h/a")
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(head)
            frames.body(bytes: 30, content: 30, chunkState: UInt32(WW_CHUNK_REMOVED.rawValue))
            if let closed {
                frames.socketClosed(localPort: 5_000, tcp: FrameBuilder.tcp(sent: 19, received: closed), at: 3_600)
            }
            frames.end(result: result, url: "\(scheme)://h/a", tcp: tcp, plaintext: plaintext)
        }
        return try #require(sink.responses.last).size
    }

    @Test func theKernelHasCountedTheChunks() throws {
        let count = UInt64(head.utf8.count) + 41
        for closed in [nil, count] {
            let size = try size(tcp: FrameBuilder.tcp(sent: 19, received: count), closed: closed)
            #expect(size.body == .captured(30))
            #expect(size.framing == .init(11, .reported))
            #expect(size.total == ByteCount(Int64(count)))
        }
    }

    @Test func overTLSItsPlaintextIsCounted() throws {
        let count = UInt64(head.utf8.count) + 41
        let size = try size(scheme: "https", plaintext: FrameBuilder.plaintext(sent: 19, received: count))
        #expect(size.body == .captured(30))
        #expect(size.framing == .init(11, .reported))
    }

    @Test func whatNothingHasCountedIsUnknown() throws {
        let size = try size(scheme: "https")
        #expect(size.body == .captured(30))
        #expect(size.framing == .unknown)
        #expect(size.total == nil)
    }

    /// CURLE_PARTIAL_FILE: libcurl may have read content that it did not show.
    @Test func ofACutBodyTheSumIsKnown() throws {
        let count = UInt64(head.utf8.count) + 41
        let size = try size(tcp: FrameBuilder.tcp(sent: 19, received: count), result: 18, closed: count)
        #expect(size.body == .init(30, .reconstructed))
        #expect(size.framing == .init(11, .reconstructed))
    }

    /// Transfers over one connection in turn, each begun before the program asked how the one before had ended.
    ///
    /// Each response has 30 bytes of content, and 11, 12, … of framing.
    private func framings(
        scheme: String = "http", ends: [UInt64] = [1, 2, 3], uncounted: UInt64? = nil
    ) throws -> [WireSize.Part] {
        let sink = try Hearing.of { frames in
            var received: UInt64 = 0
            func counts() -> (wwt_tcp, wwt_plaintext) {
                let tcp = FrameBuilder.tcp(sent: 57, received: received + (scheme == "https" ? 5_000 : 0))
                return (tcp, scheme == "https" ? FrameBuilder.plaintext(sent: 57, received: received) : .init())
            }
            for transfer in UInt64(1)...3 {
                frames.begin(transfer, handle: transfer, at: transfer * 10_000)
                let (tcp, plaintext) = transfer == 1 || transfer == uncounted ? (.init(), .init()) : counts()
                frames.request(
                    transfer, at: transfer * 10_000 + 1, url: "\(scheme)://h/a", connects: transfer == 1 ? 1 : 0,
                    tcp: tcp, plaintext: plaintext)
                frames.headOut(transfer, at: transfer * 10_000 + 1, "GET /a HTTP/1.1\r\n\r\n")
                frames.headIn(transfer, at: transfer * 10_000 + 2, head)
                frames.body(transfer, bytes: 30, content: 30, chunkState: UInt32(WW_CHUNK_REMOVED.rawValue))
                received += UInt64(head.utf8.count) + 30 + 10 + transfer
            }
            for transfer in ends {
                let (tcp, plaintext) = counts()
                frames.end(
                    transfer, at: 50_000 + transfer, connects: transfer == 1 ? 1 : 0, url: "\(scheme)://h/a", tcp: tcp,
                    plaintext: plaintext)
            }
        }
        let last = sink.responses.sorted { $0.exchange.rawValue < $1.exchange.rawValue }
            .reduce(into: [ExchangeID: WireSize.Part]()) { $0[$1.exchange] = $1.size.framing }
        return last.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
    }

    /// libcurl gives its connection to the next transfer before the program asks how the last one ended.
    @Test(arguments: ["http", "https"])
    func whatHadComeBeforeTheNextBelongsToTheOneBefore(_ scheme: String) throws {
        let parts = try framings(scheme: scheme)
        #expect(parts == [.init(11, .reported), .init(12, .reported), .init(13, .reported)])
    }

    @Test func withoutThatCountNothingIsKnown() throws {
        // What is left over is not the last one's alone.
        #expect(try framings(uncounted: 2) == [.unknown, .unknown, .unknown])
        #expect(try framings(uncounted: 3) == [.init(11, .reported), .unknown, .unknown])
    }

    /// Their sums are known only in the order in which they came.
    @Test func inAnotherOrderNothingIsKnown() throws {
        #expect(try framings(ends: [2, 1, 3]) == [.unknown, .unknown, .unknown])
        #expect(try framings(ends: [3, 1, 2]) == [.unknown, .unknown, .unknown])
    }

    /// The tap's meter takes all of it as content, whatever it looks like.
    @Test func theMeterLooksForNoChunks() {
        var meter = ww_body_meter()
        ww_body_meter_begin(&meter, false)
        meter.chunks.state = UInt8(WW_CHUNK_REMOVED.rawValue)
        for piece in ["5\r\nhello\r\n", "[1,2]"] {
            Array(piece.utf8).withUnsafeBufferPointer { ww_body_meter_add(&meter, $0.baseAddress, $0.count) }
        }
        #expect(meter.bytes == 15)
        #expect(meter.chunks.content == 15)
        #expect(meter.chunks.framing == 0)
        #expect(
            withUnsafePointer(to: meter.digest) { ww_xxh3_digest($0) }
                == withUnsafePointer(to: meter.content_digest) { ww_xxh3_digest($0) })
    }
}
