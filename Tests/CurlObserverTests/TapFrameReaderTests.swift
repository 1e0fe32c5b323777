import CCurlTap
import CurlObserver
import TapFrames
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

/// Bytes on a socket may have been written by anybody.
@Suite struct TapFrameReaderTests {
    private var valid: [UInt8] {
        var frames = FrameBuilder()
        frames.hello()
        frames.exchange()
        frames.content(out: true, "up")
        frames.content("down")
        frames.socketClosed(tcp: FrameBuilder.tcp(sent: 31, received: 43))
        frames.socketClosed(tcp: FrameBuilder.tcp(sent: 31, received: 43), isLeft: true)
        frames.lost()
        frames.unmetered(WWT_UNMETERED_GO)
        return frames.bytes
    }

    /// How many frames there are, and whether they ended well.
    private func read(_ bytes: [UInt8]) -> (count: Int, reason: String?) {
        bytes.withUnsafeBytes { buffer in
            var reader = TapFrameReader(buffer)
            var count = 0
            do throws(MalformedFrame) {
                while try reader.next() != nil { count += 1 }
                return (count, nil)
            } catch {
                return (count, error.reason)
            }
        }
    }

    @Test func allFramesOfAStreamAreRead() {
        #expect(read(valid).count == 13)
        #expect(read(valid).reason == nil)
        #expect(read([]).count == 0)
    }

    @Test func everyTruncationIsAnErrorOrEndsBetweenFrames() {
        let whole = valid
        var clean = 0
        for count in 0...whole.count where read(Array(whole[..<count])).reason == nil { clean += 1 }
        #expect(clean == 14)
    }

    @Test func everyTruncationInsideAFrameIsAnError() {
        // The frame's own size is right, what it holds is too short for its kind.
        for kind in [
            WWT_HELLO, WWT_BEGIN, WWT_REQUEST, WWT_BODY_IN, WWT_BODY_OUT, WWT_END, WWT_SOCKET_CLOSED, WWT_LOST,
            WWT_UNMETERED, WWT_LOOKUP, WWT_DNS,
        ] {
            for count in 0..<4 {
                var frames = FrameBuilder()
                frames.anything(
                    kind: kind.rawValue, size: UInt32(24 + count), payload: Array(repeating: 0, count: count))
                #expect(read(frames.bytes).reason?.hasPrefix("cut in") == true)
            }
        }
    }

    @Test(arguments: [0, 1, 23, 1_048_577, 4_294_967_295] as [UInt32])
    func sizesThatCannotBeAreErrors(_ size: UInt32) {
        var frames = FrameBuilder()
        frames.anything(kind: WWT_HEAD_IN.rawValue, size: size, payload: [1, 2, 3])
        #expect(read(frames.bytes).reason?.contains("a frame of \(size) bytes") == true)
    }

    @Test(arguments: [0, 17, 255, 4_294_967_295] as [UInt32])
    func unknownKindsAreErrors(_ kind: UInt32) {
        var frames = FrameBuilder()
        frames.anything(kind: kind, size: 24)
        #expect(read(frames.bytes).reason == "a frame of kind \(kind)")
    }

    @Test(arguments: [0, 1, 77, 4_294_967_295] as [UInt32])
    func anotherProtocolIsRefusedByItsNumber(_ number: UInt32) {
        var frames = FrameBuilder()
        frames.hello(protocol: number)
        #expect(read(frames.bytes).reason == "protocol \(number); this build speaks \(WWT_PROTOCOL)")
    }

    @Test func textsThatAreLongerThanTheirFrameAreErrors() {
        var frames = FrameBuilder()
        frames.hello(path: "/a")
        // The length of the path follows the frame's header and the body.
        let place = MemoryLayout<wwt_frame>.size + MemoryLayout<wwt_hello_body>.size
        for byte in 0..<4 {
            var bytes = frames.bytes
            bytes[place + byte] = 0xFF
            #expect(read(bytes).reason == "cut in a text")
        }
    }

    /// No mutation ends the process, in the reader of frames or after it.
    @Test func mutationsOfValidFramesAreErrorsOrFrames() {
        var generator = SeededGenerator(seed: 2026)
        let whole = valid
        var errors = 0
        for _ in 0..<25_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 1: bytes[index] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
                case 2:
                    for place in index..<min(index + 8, bytes.count) { bytes[place] = 0xFF }
                default:
                    for place in index..<min(index + 8, bytes.count) { bytes[place] = place == index + 7 ? 0x7F : 0xFF }
                }
            }
            if Int.random(in: 0..<10, using: &generator) == 0 {
                bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            }
            let hearing = Hearing()
            do { try hearing.take(bytes) } catch { errors += 1 }
            hearing.reader.finish(at: 9_000)
            for end in hearing.sink.ends { #expect((end.timings.total ?? 0) >= 0) }
        }
        #expect(errors > 250)
        #expect(errors < 24_750)
    }

    @Test func theLargestNumbersInEveryPlaceDoNoHarm() throws {
        for number in [Int64.max, Int64.min, -1] {
            let hearing = Hearing()
            var frames = FrameBuilder()
            let times = FrameBuilder.times(queue: number, dns: number, connect: number, tls: number, total: number)
            let tcp = wwt_tcp(
                known: 2, round_trip: .max, sent: .max, received: .max, retransmitted: .max, segments_sent: .max,
                segments_received: .max)
            let plaintext = wwt_plaintext(
                known: .max, proxy_known: .max, sent: .max, received: .max, proxy_sent: .max, proxy_received: .max)
            let most = wwt_websocket_side(
                overhead: .max, payload: .max, frames: .max, control_frames: .max, messages: .max)
            for transfer in [UInt64(1), .max] {
                frames.begin(transfer, handle: .max, at: .max)
                for _ in 0..<3 {
                    frames.request(
                        transfer, at: .max, connects: number, headerSize: number, localPort: .max, remotePort: .max,
                        times: times)
                    frames.connection(
                        transfer, localPort: .max, remotePort: .max, tls: ("", ""), tcp: tcp, plaintext: plaintext)
                    frames.stream(.max, session: .max, transfer)
                    frames.http2(
                        session: .max,
                        (0...255).map { FrameBuilder.part(.max, type: $0, overhead: .max, content: .max) })
                    frames.headOut(transfer, at: 0, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
                    frames.body(out: true, transfer, bytes: .max, content: .max, framing: .max, last: .max)
                    frames.headIn(transfer, at: 0, "HTTP/1.1 100 Continue\r\n")
                    frames.headIn(transfer, at: 0, "HTTP/2 200\r\nTransfer-Encoding: chunked\r\n\r\nX: 1\r\n")
                    frames.body(transfer, bytes: .max, content: .max, framing: .max, first: .max, last: .max)
                }
                frames.end(
                    transfer, at: .max, headerSize: number, connects: number, localPort: .max, remotePort: .max,
                    times: times, tcp: tcp)
            }
            frames.socketClosed(
                localPort: .max, remotePort: .max, tcp: tcp, at: .max,
                websocket: wwt_websocket(known: .max, up: most, down: most))
            frames.lost(.max, count: .max)
            try hearing.take(frames.bytes)
            #expect(hearing.sink.ends.count == 6)
            #expect(hearing.sink.ends.allSatisfy { ($0.timings.total ?? 0) >= 0 })
        }
    }
}
