internal import CCurlTap
internal import ConnectionAccounts
internal import HTTPWire
internal import TrafficModel

/// The bytes do not follow the protocol between tap and observer.
package struct MalformedFrame: Error {
    package let reason: String
}

/// Decodes bytes into frames.
///
/// It trusts none of them, because on a socket any program may have written them.
package struct TapFrameReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next frame; nil at the end.
    package mutating func next() throws(MalformedFrame) -> (transfer: UInt64, time: UInt64, frame: TapFrame)? {
        guard offset < bytes.count else { return nil }
        let headerSize = MemoryLayout<wwt_frame>.size
        guard bytes.count - offset >= headerSize else { throw MalformedFrame(reason: "cut in a frame's header") }
        let header = bytes.loadUnaligned(fromByteOffset: offset, as: wwt_frame.self)
        let size = Int(header.size)
        guard size >= headerSize, size <= Int(WWT_FRAME_MAX), size <= bytes.count - offset else {
            throw MalformedFrame(reason: "a frame of \(size) bytes where \(bytes.count - offset) are left")
        }
        var payload = FramePayload(UnsafeRawBufferPointer(rebasing: bytes[(offset + headerSize)..<(offset + size)]))
        offset += size
        return (header.transfer, header.monotonic, try Self.decode(kind: header.kind, &payload))
    }

    /// The first frame of a connection's first message: a hello, or the report on a program that is not metered.
    package static func opening(_ bytes: UnsafeRawBufferPointer) throws(MalformedFrame) -> TapFrame {
        var frames = TapFrameReader(bytes)
        switch try frames.next()?.frame {
        case .some(let frame):
            switch frame {
            case .hello, .unmetered: return frame
            default: break
            }
        case nil: break
        }
        throw MalformedFrame(reason: "no hello")
    }

    private static func decode(kind: UInt32, _ payload: inout FramePayload) throws(MalformedFrame) -> TapFrame {
        switch wwt_frame_kind(kind) {
        case WWT_HELLO: return .hello(try hello(&payload))
        case WWT_BEGIN: return .begin(handle: try payload.take(wwt_begin_body.self).handle)
        case WWT_BEGIN_STREAM:
            let body = try payload.take(wwt_begin_body.self)
            return .beginStream(handle: body.handle, direction: direction(body.is_served != 0))
        case WWT_REQUEST: return .request(try request(&payload))
        case WWT_HEAD_OUT: return .headOut(payload.rest())
        case WWT_HEAD_IN: return .headIn(payload.rest())
        case WWT_BODY_OUT: return .bodyOut(try body(&payload))
        case WWT_BODY_IN: return .bodyIn(try body(&payload))
        case WWT_CONTENT_OUT: return .contentOut(payload.rest())
        case WWT_CONTENT_IN: return .contentIn(payload.rest())
        case WWT_END: return .end(try end(&payload))
        case WWT_SOCKET_CLOSED: return .socketClosed(try socketCount(&payload))
        case WWT_LOST:
            let lost = try payload.take(wwt_lost_body.self)
            return .lost(count: count(lost.count), isUntapped: lost.why == WWT_LOST_UNTAPPED.rawValue)
        case WWT_CONNECTION: return .connection(try connection(&payload))
        case WWT_STREAM:
            let body = try payload.take(wwt_stream_body.self)
            return .stream(HTTP2StreamID(session: body.session, number: body.stream))
        case WWT_HTTP2: return try http2(&payload)
        case WWT_BLOCK: return .block(try block(&payload))
        case WWT_FOREIGN: return .foreign
        case WWT_SOCKET_LEFT: return .socketLeft(try socketCount(&payload))
        case WWT_UNSEEN: return .unseen(try unseen(&payload))
        case WWT_UNMETERED: return .unmetered(try unmetered(&payload))
        case WWT_LOOKUP: return .lookup(try lookup(&payload))
        case WWT_DNS: return .dns(try dns(&payload))
        default: throw MalformedFrame(reason: "a frame of kind \(kind)")
        }
    }

    /// Larger counts are rejected, so that sums of them do not overflow: 2^50 bytes are a petabyte.
    private static let mostCounted: UInt64 = 1 << 50

    static func count(_ value: UInt64) -> Int64 { Int64(min(value, mostCounted)) }

    static func count(_ value: Int64) -> Int64 { count(UInt64(max(value, 0))) }

    private static func hello(_ payload: inout FramePayload) throws(MalformedFrame) -> TapFrame.Hello {
        let body = try payload.take(wwt_hello_body.self)
        try expectOwn(body.protocol)
        return TapFrame.Hello(
            pid: body.pid, parent: body.parent, hasLibcurl: body.has_libcurl != 0,
            networkNamespace: body.network_namespace, path: try payload.text(),
            libcurlVersion: try payload.text())
    }

    static func direction(_ isServed: Bool) -> TrafficDirection { isServed ? .served : .called }

    private static func expectOwn(_ number: UInt32) throws(MalformedFrame) {
        guard number == WWT_PROTOCOL else {
            throw MalformedFrame(reason: "protocol \(number); this build speaks \(WWT_PROTOCOL)")
        }
    }

    private static func unmetered(_ payload: inout FramePayload) throws(MalformedFrame) -> UnmeteredProgram? {
        let body = try payload.take(wwt_unmetered_body.self)
        try expectOwn(body.protocol)
        let path = try payload.text()
        let reason: UnmeteredProgram.Reason? =
            switch wwt_unmetered_why(body.why) {
            case WWT_UNMETERED_STATIC: .isStatic
            case WWT_UNMETERED_GO: .isGo
            case WWT_UNMETERED_SETUID: .setUserID
            case WWT_UNMETERED_CAPABILITIES: .capabilities
            case WWT_UNMETERED_PROCESSOR: .processor
            case WWT_UNMETERED_LINKER: .linker
            case WWT_UNMETERED_ENVIRONMENT: .environment
            default: nil
            }
        return reason.map { UnmeteredProgram(path: path, reason: $0) }
    }

    private static func request(_ payload: inout FramePayload) throws(MalformedFrame) -> TapFrame.Request {
        let body = try payload.take(wwt_request_body.self)
        return TapFrame.Request(
            times: times(body.times), connects: count(body.connects), headerSize: count(body.header_size),
            url: try payload.text(), ends: try ends(body.local_port, body.remote_port, &payload),
            kernel: body.tcp.known != 0 ? kernel(body.tcp) : nil, plaintext: plaintext(body.plaintext))
    }

    private static func body(_ payload: inout FramePayload) throws(MalformedFrame) -> TapFrame.Body {
        let body = try payload.take(wwt_body.self)
        func number(_ tail: (UInt8, UInt8, UInt8, UInt8)) -> UInt32 {
            UInt32(tail.0) | UInt32(tail.1) << 8 | UInt32(tail.2) << 16 | UInt32(tail.3) << 24
        }
        let hasDigests = body.has_digests != 0
        return TapFrame.Body(
            metered: MeteredBody(
                bytes: count(body.bytes), digest: hasDigests ? body.digest : nil,
                chunkContent: count(body.chunk_content), chunkFraming: count(body.chunk_framing),
                chunkDigest: hasDigests ? body.chunk_digest : nil, tail: number(body.tail),
                chunkTail: number(body.chunk_tail),
                isLastChunkRead: MeteredBody.isLastChunkRead(state: body.chunk_state),
                isFramingRemoved: MeteredBody.isFramingRemoved(state: body.chunk_state)),
            first: body.first, last: body.last)
    }

    private static func end(_ payload: inout FramePayload) throws(MalformedFrame) -> TapFrame.End {
        let body = try payload.take(wwt_end_body.self)
        let how: TapFrame.How =
            switch wwt_end_how(body.how) {
            case WWT_END_DONE: .done
            case WWT_END_REMOVED: .removed
            case WWT_END_CUT: .cut
            default: .stopped
            }
        let url = try payload.text()
        return TapFrame.End(
            times: times(body.times), how: how, result: body.result, headerSize: count(body.header_size),
            connects: count(body.connects), isHTTP2: body.http_version == 3,
            ends: try ends(body.local_port, body.remote_port, &payload),
            kernel: body.tcp.known != 0 ? kernel(body.tcp) : nil, plaintext: plaintext(body.plaintext), url: url,
            error: try payload.text(), method: try payload.text(),
            patience: body.patience > 0 ? UInt64(body.patience) * 1_000_000 : nil, isDone: body.is_done != 0,
            unsent: Int64(clamping: body.unsent))
    }

    private static func times(_ times: wwt_times) -> TapFrame.Times {
        func nanoseconds(_ microseconds: Int64) -> Int64? {
            microseconds >= 0 && microseconds <= mostCounted ? microseconds * 1_000 : nil
        }
        return TapFrame.Times(
            queue: nanoseconds(times.queue), nameLookup: nanoseconds(times.name_lookup),
            connect: nanoseconds(times.connect), appConnect: nanoseconds(times.app_connect),
            total: nanoseconds(times.total), redirect: nanoseconds(times.redirect))
    }
}
