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
