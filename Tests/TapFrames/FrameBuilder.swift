package import CCurlTap

/// Builds frames in the format in which the tap writes them.
package struct FrameBuilder {
    package var bytes: [UInt8] = []

    package init() {}

    private mutating func frame(_ kind: wwt_frame_kind, _ transfer: UInt64, _ time: UInt64, _ payload: [UInt8]) {
        let size = UInt32(MemoryLayout<wwt_frame>.size + payload.count)
        bytes += raw(wwt_frame(size: size, kind: kind.rawValue, transfer: transfer, monotonic: time)) + payload
    }

    private func raw<Body: BitwiseCopyable>(_ body: Body) -> [UInt8] { withUnsafeBytes(of: body) { Array($0) } }

    private func text(_ text: String) -> [UInt8] { raw(UInt32(text.utf8.count)) + Array(text.utf8) }

    package static func times(
        queue: Int64 = -1, dns: Int64 = 0, connect: Int64 = 0, tls: Int64 = 0, total: Int64 = 0, redirect: Int64 = 0
    ) -> wwt_times {
        wwt_times(
            queue: queue, name_lookup: dns, connect: connect, app_connect: tls, total: total, redirect: redirect)
    }

    package static func tcp(
        sent: UInt64, received: UInt64, isOver: Bool = false, isEnded: Bool = false,
        segments: (sent: UInt32, received: UInt32) = (0, 0)
    ) -> wwt_tcp {
        wwt_tcp(
            known: (isEnded ? WWT_TCP_ENDED : isOver ? WWT_TCP_OVER : WWT_TCP_OPEN).rawValue, round_trip: 7, sent: sent,
            received: received,
            retransmitted: 0, segments_sent: segments.sent, segments_received: segments.received)
    }

    package static func plaintext(
        sent: UInt64, received: UInt64, proxy: (sent: UInt64, received: UInt64)? = nil
    ) -> wwt_plaintext {
        wwt_plaintext(
            known: 1, proxy_known: proxy == nil ? 0 : 1, sent: sent, received: received, proxy_sent: proxy?.sent ?? 0,
            proxy_received: proxy?.received ?? 0)
    }

    package mutating func hello(
        pid: Int32 = 42, path: String = "/usr/bin/tool", protocol number: UInt32 = UInt32(WWT_PROTOCOL),
        hasLibcurl: Bool = true
    ) {
        let body = wwt_hello_body(
            protocol: number, pid: pid, parent: 1, has_libcurl: hasLibcurl ? 1 : 0, wall_minus_monotonic: 0,
            network_namespace: 0)
        frame(WWT_HELLO, 0, 0, raw(body) + text(path) + text("libcurl/7.88.1"))
    }

    package mutating func begin(_ transfer: UInt64 = 1, handle: UInt64 = 0xA0, at time: UInt64 = 1_000) {
        frame(WWT_BEGIN, transfer, time, raw(wwt_begin_body(handle: handle, is_served: 0)))
    }

    /// Adds the first frame of a request that was seen below the program's HTTP library.
    package mutating func beginStream(_ transfer: UInt64 = 1, handle: UInt64 = 0xA0, at time: UInt64 = 1_000) {
        frame(WWT_BEGIN_STREAM, transfer, time, raw(wwt_begin_body(handle: handle, is_served: 0)))
    }

    /// Adds the report on a connection whose messages were not seen.
    package mutating func unseen(
        _ why: wwt_unseen_why, usesTLS: Bool = true, isOpen: Bool = false, serverName: String = "", tcp: wwt_tcp,
        plaintext: wwt_plaintext = wwt_plaintext(), localPort: UInt32 = 5_000, handshake: [UInt8]? = nil,
        isServed: Bool = false, heard: UInt64 = 0, lookup: UInt64 = 0
    ) {
        let socket = wwt_socket_body(
            local_port: localPort, remote_port: 443, tcp: tcp, plaintext: plaintext, prelude: wwt_prelude(),
            websocket: wwt_websocket(), lacks_tls: 0, is_foreign: 0, hides_messages: 0, tls_number: 0,
            tls_is_whole: 0, reserved: 0)
        let body = wwt_unseen_body(
            socket: socket, why: why.rawValue, uses_tls: usesTLS ? 1 : 0, is_open: isOpen ? 1 : 0,
            is_served: isServed ? 1 : 0, opened: 1_000, connected: 1_300, heard: heard, lookup: lookup)
        frame(
            WWT_UNSEEN, 0, 5_000,
            raw(body) + text("10.0.0.9") + text("10.0.0.1")
                + (handshake ?? (usesTLS ? Self.handshake(serverName: serverName) : [])))
    }

    /// What was in the clear as TLS began: the client offers two protocols.
    package static func handshake(
        serverName: String, chosen: String = "", version: UInt16 = 0, cipher: UInt16 = 0,
        _ resumption: wwt_resumption = WWT_RESUMPTION_UNKNOWN, certificate: [UInt8] = [], chainSize: UInt32 = 0
    ) -> [UInt8] {
        let builder = FrameBuilder()
        let body = wwt_handshake_body(
            version: version, cipher: cipher, resumption: resumption.rawValue, chain_size: chainSize, reserved: 0)
        let numbers = builder.raw(body) + builder.text(serverName) + builder.text("\u{2}h2\u{8}http/1.1")
        return numbers + builder.text(chosen) + builder.raw(UInt32(certificate.count)) + certificate
    }

    /// Adds the report on a program that is not metered.
    package mutating func unmetered(
        _ why: wwt_unmetered_why, path: String = "/usr/bin/other", protocol number: UInt32 = UInt32(WWT_PROTOCOL)
    ) {
        frame(WWT_UNMETERED, 0, 0, raw(wwt_unmetered_body(protocol: number, why: why.rawValue)) + text(path))
    }

    /// Adds a lookup by the C library; `found` are addresses of sixteen bytes.
    package mutating func lookup(
        _ name: String, at time: UInt64 = 5_000, began: UInt64 = 1_000,
        source: wwt_lookup_source = WWT_LOOKUP_ADDRESSES, code: Int32 = 0, found: [[UInt8]] = [], more: Int = 0
    ) {
        var body = wwt_lookup_body()
        (body.began, body.source, body.code) = (began, source.rawValue, code)
        body.found = UInt32(found.count + more)
        withUnsafeMutableBytes(of: &body.addresses) { $0.copyBytes(from: found.joined()) }
        frame(WWT_LOOKUP, 0, time, raw(body) + text(name))
    }

    /// Adds a datagram of a socket that asks the resolver 192.0.2.53.
    package mutating func datagram(
        _ what: wwt_dns_what, _ bytes: [UInt8] = [], socket: UInt64 = 1, size: UInt32? = nil, at time: UInt64
    ) {
        var body = wwt_dns_body()
        (body.socket, body.what, body.size) = (socket, what.rawValue, size ?? UInt32(bytes.count))
        let resolver: [UInt8] = .init(repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 53]
        withUnsafeMutableBytes(of: &body.resolver) { $0.copyBytes(from: resolver) }
        frame(WWT_DNS, 0, time, raw(body) + bytes)
    }

    package mutating func request(
        _ transfer: UInt64 = 1, at time: UInt64 = 2_000, url: String = "http://h/a", connects: Int64 = 1,
        headerSize: Int64 = 0, localPort: UInt32 = 5_000, remotePort: UInt32 = 80, remote: String = "10.0.0.1",
        times: wwt_times = FrameBuilder.times(), tcp: wwt_tcp = wwt_tcp(), plaintext: wwt_plaintext = wwt_plaintext()
    ) {
        let body = wwt_request_body(
            times: times, connects: connects, header_size: headerSize, local_port: localPort, remote_port: remotePort,
            tcp: tcp, plaintext: plaintext)
        frame(WWT_REQUEST, transfer, time, raw(body) + text(url) + text(remote))
    }

    /// Adds the first frames of most transfers: a request whose header section is sent.
    package mutating func sent(_ head: String = "GET /a HTTP/1.1\r\n\r\n", url: String = "http://h/a") {
        begin()
        request(url: url)
        headOut(head)
    }

    package mutating func headOut(at time: UInt64 = 2_000, _ head: String) { headOut(1, at: time, head) }

    package mutating func headIn(at time: UInt64 = 3_000, _ head: String) { headIn(1, at: time, head) }

    package mutating func content(out: Bool = false, _ text: String) { content(out: out, 1, text) }

    package mutating func headOut(_ transfer: UInt64, at time: UInt64 = 2_000, _ head: String) {
        frame(WWT_HEAD_OUT, transfer, time, Array(head.utf8))
    }

    package mutating func headIn(_ transfer: UInt64, at time: UInt64 = 3_000, _ head: String) {
        frame(WWT_HEAD_IN, transfer, time, Array(head.utf8))
    }

    package mutating func body(
        out: Bool = false, _ transfer: UInt64 = 1, bytes: UInt64, content: UInt64 = 0, framing: UInt64 = 0,
        tail: UInt32 = 0, chunkTail: UInt32 = 0, chunkState: UInt32 = 0, hasDigests: Bool = true, first: UInt64 = 3_100,
        last: UInt64 = 3_500
    ) {
        func quad(_ value: UInt32) -> (UInt8, UInt8, UInt8, UInt8) {
            (
                UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
                UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 24)
            )
        }
        let body = wwt_body(
            bytes: bytes, digest: 11, chunk_content: content, chunk_framing: framing, chunk_digest: 22,
            tail: quad(tail), chunk_tail: quad(chunkTail), chunk_state: chunkState, has_digests: hasDigests ? 1 : 0,
            first: first, last: last)
        frame(out ? WWT_BODY_OUT : WWT_BODY_IN, transfer, last, raw(body))
    }

    package mutating func content(out: Bool = false, _ transfer: UInt64, _ text: String) {
        frame(out ? WWT_CONTENT_OUT : WWT_CONTENT_IN, transfer, 3_000, Array(text.utf8))
    }

    package mutating func end(
        _ transfer: UInt64 = 1, at time: UInt64 = 4_000, how: wwt_end_how = WWT_END_DONE, result: Int32 = 0,
        headerSize: Int64 = 0, connects: Int64 = 1, localPort: UInt32 = 5_000, remotePort: UInt32 = 80,
        url: String = "http://h/a", remote: String = "10.0.0.1", error: String = "", method: String = "",
        patience: UInt32 = 0, isDone: Bool = false, unsent: UInt64 = 0,
        times: wwt_times = FrameBuilder.times(), tcp: wwt_tcp = wwt_tcp(),
        plaintext: wwt_plaintext = wwt_plaintext()
    ) {
        let body = wwt_end_body(
            times: times, how: how.rawValue, result: result, header_size: headerSize, connects: connects,
            local_port: localPort, remote_port: remotePort, http_version: 2, os_errno: 0, tcp: tcp,
            plaintext: plaintext, patience: patience, is_done: isDone ? 1 : 0, unsent: unsent)
        frame(WWT_END, transfer, time, raw(body) + text(url) + text(remote) + text(error) + text(method))
    }

    package mutating func socketClosed(
        localPort: UInt32 = 5_000, remotePort: UInt32 = 80, tcp: wwt_tcp, remote: String = "10.0.0.1",
        at time: UInt64 = 5_000, plaintext: wwt_plaintext = wwt_plaintext(), prelude: wwt_prelude = wwt_prelude(),
        websocket: wwt_websocket = wwt_websocket(), isLeft: Bool = false, handshake: [UInt8] = []
    ) {
        let body = wwt_socket_body(
            local_port: localPort, remote_port: remotePort, tcp: tcp, plaintext: plaintext, prelude: prelude,
            websocket: websocket, lacks_tls: 0, is_foreign: 0, hides_messages: 0, tls_number: 0,
            tls_is_whole: 0, reserved: 0)
        frame(
            isLeft ? WWT_SOCKET_LEFT : WWT_SOCKET_CLOSED, 0, time,
            raw(body) + text("10.0.0.9") + text(remote) + handshake)
    }

    package mutating func lost(_ transfer: UInt64 = 1, count: UInt64 = 1, why: wwt_lost_why = WWT_LOST_BUFFER_FULL) {
        frame(WWT_LOST, transfer, 3_900, raw(wwt_lost_body(count: count, why: why.rawValue, reserved: 0)))
    }

    package mutating func connection(
        _ transfer: UInt64 = 1, localPort: UInt32 = 5_000, remotePort: UInt32 = 80, remote: String = "10.0.0.1",
        tls: (version: String, cipher: String)? = nil, alpn: String = "", tcp: wwt_tcp = wwt_tcp(),
        plaintext: wwt_plaintext = wwt_plaintext(), prelude: wwt_prelude = wwt_prelude()
    ) {
        let body = wwt_connection_body(
            local_port: localPort, remote_port: remotePort, uses_tls: tls == nil ? 0 : 1, reserved: 0, tcp: tcp,
            plaintext: plaintext, prelude: prelude)
        frame(
            WWT_CONNECTION, transfer, 2_000,
            raw(body) + text("10.0.0.9") + text(remote) + text(tls?.version ?? "") + text(tls?.cipher ?? "")
                + text(alpn))
    }

    /// Adds the frame which reports that the transfer continues in another protocol.
    package mutating func foreign(_ transfer: UInt64 = 1, at time: UInt64 = 3_600) {
        frame(WWT_FOREIGN, transfer, time, [])
    }

    package mutating func stream(_ number: UInt32, session: UInt64 = 7, _ transfer: UInt64 = 1) {
        frame(WWT_STREAM, transfer, 2_000, raw(wwt_stream_body(session: session, stream: number, reserved: 0)))
    }

    package mutating func http2(session: UInt64 = 7, isBroken: Bool = false, _ parts: [wwt_http2_part]) {
        let body = wwt_http2_body(
            session: session, is_broken: isBroken ? 1 : 0, count: UInt32(parts.count), sequence: 0)
        frame(WWT_HTTP2, 0, 3_000, raw(body) + parts.flatMap(raw))
    }

    /// Makes the report on one HTTP/2 frame; `type` is that of RFC 9113, section 6.
    package static func part(
        _ stream: UInt32, type: UInt8, down: Bool = false, begins: Bool = true, overhead: UInt32 = 9,
        content: UInt64 = 0, flags: UInt8 = 0
    ) -> wwt_http2_part {
        wwt_http2_part(
            stream: stream, type: type, flags: flags, is_down: down ? 1 : 0, begins: begins ? 1 : 0, overhead: overhead,
            reserved: 0, content: content)
    }

    /// Adds a frame with arbitrary numbers in its header.
    package mutating func anything(kind: UInt32, size: UInt32, payload: [UInt8] = []) {
        bytes += raw(wwt_frame(size: size, kind: kind, transfer: 1, monotonic: 1)) + payload
    }

    /// Adds a whole exchange: 19 + 11 bytes up, 17 + 21 + 5 bytes down.
    package mutating func exchange(
        _ transfer: UInt64 = 1, handle: UInt64 = 0xA0, at time: UInt64 = 1_000, connects: Int64 = 1,
        localPort: UInt32 = 5_000
    ) {
        begin(transfer, handle: handle, at: time)
        request(transfer, at: time + 1_000, connects: connects, localPort: localPort)
        headOut(transfer, at: time + 1_000, "GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n")
        headIn(transfer, at: time + 2_000, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        body(transfer, bytes: 5, first: time + 2_100, last: time + 2_500)
        end(transfer, at: time + 3_000, headerSize: 38, connects: connects, localPort: localPort)
    }
}
