import CCurlTap
import CurlObserver
import Locks
import TrafficModel

extension FuzzTarget {
    /// The reader of the tap's frames.
    ///
    /// If the first byte is 0, the input is read as it is. Otherwise it is a list of frames in ``Script``'s short form,
    /// so that their headers are valid and the code after the header check is reached.
    static let tap = FuzzTarget(
        name: "tap",
        seeds: {
            let seeds = Script.seeds.map(\.bytes)
            return seeds.map { [1] + $0 } + seeds.map { [0] + Script.frames(of: $0).flatMap(\.self) } + [
                [0], [0, 1, 2, 3],
            ]
        },
        run: { input in
            let rest = Array(input.dropFirst())
            if input.first ?? 0 == 0 {
                _ = read([rest])
                rest.withUnsafeBytes { bytes in
                    do { _ = try TapFrameReader.opening(bytes) } catch {}
                }
            } else {
                let frames = Script.frames(of: rest)
                let whole = read([frames.flatMap(\.self)])
                let single = read(frames)
                try mustHold(
                    single.messages == whole.messages, "by itself \(single.messages); in one \(whole.messages)")
                try whole.check()
                try single.check()
            }
        })

    private static func read(_ messages: [[UInt8]]) -> ToldTraffic {
        let sink = Sink()
        let reader = TapReader(
            process: ProcessIdentity(pid: 1, name: "fuzzed"), sink: sink,
            wallOffset: { 1_000 })
        for message in messages { guard take(message, reader) else { break } }
        reader.finish(at: 1 << 62)
        return ToldTraffic(sink.events.withLock(\.self))
    }
}

/// Passes bytes to the reader; returns false if they are not frames.
func take(_ message: [UInt8], _ reader: TapReader) -> Bool {
    message.withUnsafeBytes { bytes in
        do {
            try reader.take(bytes)
            return true
        } catch {
            return false
        }
    }
}

final class Sink: TrafficSink {
    let events = Mutex<[TrafficEvent]>([])

    func record(_ event: TrafficEvent) { events.withLock { $0.append(event) } }
}

/// The events that the reader reported.
struct ToldTraffic {
    /// The request and response of an exchange.
    struct Message: Hashable {
        var up: WireSize?
        var down: WireSize?
        var status: Int?
        var outcome: ExchangeEnd.Outcome?
        var ends = 0
    }

    var messages: [ExchangeID: Message] = [:]
    /// The number of responses without a request, and of events after an end.
    var misplaced = 0
    var counts: [Int64] = []

    init(_ events: [TrafficEvent]) {
        for event in events {
            switch event {
            case .request(let record):
                if messages[record.exchange]?.outcome != nil { misplaced += 1 }
                messages[record.exchange, default: Message()].up = record.size
            case .response(let record):
                if messages[record.exchange]?.up == nil || messages[record.exchange]?.outcome != nil { misplaced += 1 }
                messages[record.exchange, default: Message()].down = record.size
                messages[record.exchange]?.status = record.status
            case .end(let end):
                if messages[end.exchange]?.up == nil { misplaced += 1 }
                messages[end.exchange, default: Message()].outcome = end.outcome
                messages[end.exchange]?.ends += 1
            case .connection, .device, .lookup, .carrier: break
            case .loss(let loss): counts.append(loss.count)
            }
        }
    }

    func check() throws {
        try mustHold(misplaced == 0, "\(misplaced) events out of their order")
        try mustHold(counts.allSatisfy { $0 >= 0 }, "a loss of fewer than none")
        for (exchange, message) in messages {
            try mustHold(message.ends == 1, "exchange \(exchange) ends \(message.ends) times")
            for size in [message.up, message.down].compactMap(\.self) {
                try mustHold(size.cookies.bytes <= size.fields.bytes, "more cookies than fields in \(size)")
            }
        }
    }
}

/// Frames in a short form: kind, transfer, time, two bytes of length, payload.
private struct Script {
    var bytes: [UInt8] = []

    static func frames(of bytes: [UInt8]) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var rest = bytes[...]
        while rest.count >= 5, frames.count < 200 {
            let head = Array(rest.prefix(5))
            let payload = rest.dropFirst(5).prefix(Int(head[3]) | Int(head[4]) << 8)
            rest = rest.dropFirst(5 + payload.count)
            let size = MemoryLayout<wwt_frame>.size + payload.count
            let frame = wwt_frame(
                size: UInt32(size), kind: UInt32(head[0]), transfer: UInt64(head[1]), monotonic: UInt64(head[2]) << 20)
            frames.append(raw(frame) + payload)
        }
        return frames
    }

    static func raw<Body: BitwiseCopyable>(_ body: Body) -> [UInt8] { withUnsafeBytes(of: body) { Array($0) } }

    private static func text(_ text: String) -> [UInt8] { raw(UInt32(text.utf8.count)) + Array(text.utf8) }

    private mutating func add(_ kind: wwt_frame_kind, _ payload: [UInt8], transfer: UInt8 = 1) {
        let time = UInt8(truncatingIfNeeded: bytes.count)
        bytes +=
            [UInt8(kind.rawValue), transfer, time, UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload
    }

    static let seeds: [Script] = [exchange(), redirect(), overHTTP2(), belowLibraries(), webSocket(), cut()]

    private static let tcp = wwt_tcp(
        known: WWT_TCP_OPEN.rawValue, round_trip: 7, sent: 30, received: 43, retransmitted: 0, segments_sent: 3,
        segments_received: 3)

    private mutating func begin(transfer: UInt8 = 1) {
        add(WWT_BEGIN, Self.raw(wwt_begin_body(handle: 5, is_served: 0)), transfer: transfer)
    }

    private mutating func request(_ url: String, connects: Int64 = 1, headerSize: Int64 = 0, transfer: UInt8 = 1) {
        let body = wwt_request_body(
            times: wwt_times(), connects: connects, header_size: headerSize, local_port: 5_000, remote_port: 80,
            tcp: Self.tcp, plaintext: wwt_plaintext())
        add(WWT_REQUEST, Self.raw(body) + Self.text(url) + Self.text("10.0.0.1"), transfer: transfer)
    }

    private mutating func head(_ request: String, _ response: String, transfer: UInt8 = 1) {
        add(WWT_HEAD_OUT, Array(request.utf8), transfer: transfer)
        for line in response.split(separator: "\n", omittingEmptySubsequences: true) {
            add(WWT_HEAD_IN, Array("\(line)\n".utf8), transfer: transfer)
        }
    }

    private mutating func body(_ kind: wwt_frame_kind, bytes: UInt64, content: UInt64 = 0, transfer: UInt8 = 1) {
        let body = wwt_body(
            bytes: bytes, digest: 1, chunk_content: content, chunk_framing: bytes - content, chunk_digest: 2,
            tail: (1, 2, 3, 4), chunk_tail: (5, 6, 7, 8), chunk_state: 0, has_digests: 1, first: 1 << 21,
            last: 1 << 22)
        add(kind, Self.raw(body), transfer: transfer)
    }

    private mutating func end(_ how: wwt_end_how = WWT_END_DONE, result: Int32 = 0, transfer: UInt8 = 1) {
        let body = wwt_end_body(
            times: wwt_times(), how: how.rawValue, result: result, header_size: 38, connects: 1, local_port: 5_000,
            remote_port: 80, http_version: 2, os_errno: 0, tcp: Self.tcp, plaintext: wwt_plaintext(),
            patience: 60_000, is_done: 0, unsent: 0)
        let texts = ["http://h/a", "10.0.0.1", "why", "GET"].flatMap(Self.text)
        add(WWT_END, Self.raw(body) + texts, transfer: transfer)
    }

    private static let prelude = wwt_prelude(socks_sent: 3, socks_received: 2, proxy_line: 0, begins_tls: 0)

    private static let side = wwt_websocket_side(overhead: 2, payload: 5, frames: 1, control_frames: 0, messages: 1)

    private mutating func connection(tls: Bool = false) {
        let plaintext = wwt_plaintext(
            known: tls ? 1 : 0, proxy_known: tls ? 1 : 0, sent: 20, received: 33, proxy_sent: 25, proxy_received: 40)
        let body = wwt_connection_body(
            local_port: 5_000, remote_port: 80, uses_tls: tls ? 1 : 0, reserved: 0, tcp: Self.tcp, plaintext: plaintext,
            prelude: Self.prelude)
        let texts = ["10.0.0.9", "10.0.0.1", tls ? "TLSv1.3" : "", tls ? "AES" : "", tls ? "h2" : ""].flatMap(Self.text)
        add(WWT_CONNECTION, Self.raw(body) + texts)
    }

    private mutating func socket(_ kind: wwt_frame_kind) {
        let body = wwt_socket_body(
            local_port: 5_000, remote_port: 80, tcp: Self.tcp, plaintext: wwt_plaintext(), prelude: Self.prelude,
            websocket: wwt_websocket(known: 1, up: Self.side, down: Self.side), lacks_tls: 0, is_foreign: 0,
            hides_messages: 0, tls_number: 0, tls_is_whole: 0, reserved: 0)
        add(kind, Self.raw(body) + Self.text("10.0.0.9") + Self.text("10.0.0.1"), transfer: 0)
    }

    private static func exchange() -> Script {
        var script = Script()
        let hello = wwt_hello_body(
            protocol: UInt32(WWT_PROTOCOL), pid: 42, parent: 1, has_libcurl: 1, wall_minus_monotonic: 0,
            network_namespace: 0)
        script.add(WWT_HELLO, raw(hello) + text("/usr/bin/tool") + text("libcurl/7.88.1"))
        script.begin()
        script.connection()
        script.request("http://h/a")
        script.head("GET /a?b HTTP/1.1\r\nCookie: a=b\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        script.body(WWT_BODY_IN, bytes: 15, content: 5)
        script.add(WWT_CONTENT_IN, Array("hello".utf8))
        script.end()
        script.socket(WWT_SOCKET_LEFT)
        script.socket(WWT_SOCKET_CLOSED)
        return script
    }

    private static func redirect() -> Script {
        var script = Script()
        script.begin()
        script.request("http://h/a")
        script.head("POST /a HTTP/1.1\r\nExpect: 100-continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n")
        script.body(WWT_BODY_OUT, bytes: 9)
        script.add(WWT_CONTENT_OUT, Array("content".utf8))
        script.head("", "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 2\r\n\r\n")
        script.request("http://h/b", headerSize: 25)
        script.head("GET /b HTTP/1.1\r\nAuthorization: x\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n")
        script.end(WWT_END_DONE, result: 28)
        return script
    }

    private static func overHTTP2() -> Script {
        var script = Script()
        script.begin()
        script.connection(tls: true)
        script.add(WWT_STREAM, raw(wwt_stream_body(session: 7, stream: 1, reserved: 0)))
        script.request("https://h/a")
        script.head("GET /a HTTP/2\r\nHost: h\r\n\r\n", "HTTP/2 200 \r\n\r\n")
        let parts: [(UInt32, UInt8, UInt8, UInt64)] = [
            (0, 0xFF, 0, 0), (1, 1, 0, 20), (1, 1, 1, 9), (1, 0, 1, 5), (1, 3, 0, 0),
        ]
        let told = parts.map { stream, type, isDown, content in
            wwt_http2_part(
                stream: stream, type: type, flags: 0, is_down: isDown, begins: 1, overhead: 9, reserved: 0,
                content: content)
        }
        let body = wwt_http2_body(session: 7, is_broken: 0, count: UInt32(told.count), sequence: 0)
        script.add(WWT_HTTP2, raw(body) + told.flatMap(raw), transfer: 0)
        script.end()
        return script
    }

    private static func belowLibraries() -> Script {
        let session: UInt64 = 1 << 62
        var script = Script()
        func block(
            _ sequence: UInt64, _ bytes: [UInt8], kind: wwt_block_kind = WWT_BLOCK_HEADERS, isDown: UInt8 = 0,
            begins: UInt8 = 1, ends: UInt8 = 1
        ) -> [UInt8] {
            raw(
                wwt_block_body(
                    session: session, sequence: sequence, stream: 1, table_size: 8_192, kind: UInt8(kind.rawValue),
                    is_down: isDown, begins: begins, ends: ends, reserved: 0)) + bytes
        }
        script.add(WWT_BEGIN_STREAM, raw(wwt_begin_body(handle: 5, is_served: 0)))
        script.add(WWT_STREAM, raw(wwt_stream_body(session: session, stream: 1, reserved: 0)))
        script.request("http://10.0.0.1/")
        script.add(WWT_BLOCK, block(1, [], kind: WWT_BLOCK_TABLE_SIZE, isDown: 1), transfer: 0)
        script.add(WWT_BLOCK, block(2, [0x82, 0x86], ends: 0))
        script.add(WWT_BLOCK, block(3, [0x84, 0x41, 1, 0x68], begins: 0))
        script.add(WWT_BLOCK, block(4, [0x48, 3, 0x31, 0x30, 0x33], isDown: 1))
        script.add(WWT_BLOCK, block(5, [0x88, 0x40, 1, 0x61, 1, 0x62], isDown: 1))
        script.add(WWT_BLOCK, block(6, [0xBE], isDown: 1))
        let part = wwt_http2_part(
            stream: 1, type: 1, flags: 1, is_down: 0, begins: 1, overhead: 9, reserved: 0, content: 6)
        script.add(
            WWT_HTTP2, raw(wwt_http2_body(session: session, is_broken: 0, count: 1, sequence: 7)) + raw(part),
            transfer: 0)
        script.end()
        script.add(WWT_BLOCK, block(8, [], kind: WWT_BLOCK_LOST), transfer: 0)
        script.add(WWT_BLOCK, block(9, [], kind: WWT_BLOCK_OVER), transfer: 0)
        return script
    }

    private static func webSocket() -> Script {
        var script = Script()
        script.begin()
        script.request("ws://h/a")
        script.head("GET /a HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", "HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n")
        script.add(WWT_FOREIGN, [])
        script.socket(WWT_SOCKET_LEFT)
        script.end()
        script.socket(WWT_SOCKET_CLOSED)
        let body = wwt_unmetered_body(protocol: UInt32(WWT_PROTOCOL), why: WWT_UNMETERED_GO.rawValue)
        script.add(WWT_UNMETERED, raw(body) + text("/usr/bin/gh"), transfer: 0)
        script.add(WWT_LOOKUP, raw(wwt_lookup_body()) + text("a.test"), transfer: 0)
        for what in [WWT_DNS_SENT, WWT_DNS_RECEIVED, WWT_DNS_OVER] {
            var datagram = wwt_dns_body()
            (datagram.socket, datagram.what, datagram.size) = (7, what.rawValue, 24)
            let message = FuzzTarget.dnsMessage(isResponse: what == WWT_DNS_RECEIVED)
            script.add(WWT_DNS, raw(datagram) + message, transfer: 0)
        }
        return script
    }

    private static func cut() -> Script {
        var script = Script()
        script.begin()
        script.begin(transfer: 2)
        script.request("http://h/a")
        script.request("http://h/c", transfer: 2)
        script.head("GET /c HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n", transfer: 2)
        script.body(WWT_BODY_IN, bytes: 9, transfer: 2)
        script.add(WWT_LOST, raw(wwt_lost_body(count: 3, why: WWT_LOST_BUFFER_FULL.rawValue, reserved: 0)))
        script.end(WWT_END_REMOVED, transfer: 2)
        return script
    }
}
