internal import CCurlTap
internal import ConnectionAccounts
internal import HTTPWire
internal import TrafficModel

/// Decodes what frames say about connections into the values that a ``ConnectionTable`` takes from any observer.
extension TapFrameReader {
    /// The ends of a connection; the peer's address is next in the payload.
    static func ends(
        _ localPort: UInt32, _ remotePort: UInt32, _ payload: inout FramePayload
    ) throws(MalformedFrame) -> ConnectionEnds {
        ConnectionEnds(localPort: localPort, remotePort: remotePort, remoteAddress: try payload.text())
    }

    static func socketCount(_ payload: inout FramePayload) throws(MalformedFrame) -> SocketCount {
        let body = try payload.take(wwt_socket_body.self)
        let localAddress = try payload.text()
        return SocketCount(
            ends: try ends(body.local_port, body.remote_port, &payload), localAddress: localAddress,
            kernel: kernel(body.tcp), plaintext: plaintext(body.plaintext), prelude: prelude(body.prelude),
            webSocket: webSocket(body.websocket), handshake: try handshake(&payload), lacksTLS: body.lacks_tls != 0,
            isForeign: body.is_foreign != 0, hidesMessages: body.hides_messages != 0)
    }

    private static func handshake(_ payload: inout FramePayload) throws(MalformedFrame) -> TLSHandshake? {
        guard !payload.isAtEnd else { return nil }
        let body = try payload.take(wwt_handshake_body.self)
        let isResumed: Bool? =
            switch wwt_resumption(body.resumption) {
            case WWT_NEW_SESSION: false
            case WWT_RESUMED: true
            default: nil
            }
        return TLSHandshake(
            serverName: try payload.text(), offered: try payload.bytes(), chosen: try payload.bytes(),
            version: body.version, cipher: body.cipher, isResumed: isResumed, certificate: try payload.bytes(),
            chainSize: Int64(body.chain_size))
    }

    static func unseen(_ payload: inout FramePayload) throws(MalformedFrame) -> UnseenConnection {
        let body = try payload.take(wwt_unseen_body.self)
        let localAddress = try payload.text()
        let socket = SocketCount(
            ends: try ends(body.socket.local_port, body.socket.remote_port, &payload), localAddress: localAddress,
            kernel: kernel(body.socket.tcp), plaintext: plaintext(body.socket.plaintext),
            prelude: prelude(body.socket.prelude), webSocket: nil, handshake: try handshake(&payload))
        return UnseenConnection(
            socket: socket, reason: reason(body.why), usesTLS: body.uses_tls != 0, isOpen: body.is_open != 0,
            direction: direction(body.is_served != 0),
            openedMonotonic: body.opened, opening: opening(body))
    }

    private static func opening(_ body: wwt_unseen_body) -> ConnectionOpening? {
        guard body.is_served == 0 else { return nil }
        func time(_ from: UInt64, _ to: UInt64) -> Int64? {
            from > 0 && to >= from ? Int64(clamping: to - from) : nil
        }
        let opening = ConnectionOpening(
            dns: body.lookup > 0 ? Int64(clamping: body.lookup) : nil, connect: time(body.opened, body.connected),
            firstByte: time(body.connected, body.heard))
        return opening == ConnectionOpening() ? nil : opening
    }

    private static func reason(_ why: UInt32) -> UnseenTraffic.Reason {
        switch wwt_unseen_why(why) {
        case WWT_UNSEEN_TLS: .tls
        case WWT_UNSEEN_NOTHING: .nothingSent
        case WWT_UNSEEN_HTTP2: .http2
        case WWT_UNSEEN_BYPASSED: .bypassed
        case WWT_UNSEEN_TAKEN_OVER: .takenOver
        default: .torn
        }
    }

    static func prelude(_ prelude: wwt_prelude) -> ConnectionPrelude {
        ConnectionPrelude(
            socks: (Int64(prelude.socks_sent), Int64(prelude.socks_received)), proxyLine: Int64(prelude.proxy_line),
            beginsTLS: prelude.begins_tls != 0)
    }

    static func connection(_ payload: inout FramePayload) throws(MalformedFrame) -> ConnectionDescription {
        let body = try payload.take(wwt_connection_body.self)
        let localAddress = try payload.text()
        return ConnectionDescription(
            ends: try ends(body.local_port, body.remote_port, &payload), localAddress: localAddress,
            usesTLS: body.uses_tls != 0, tlsVersion: try payload.text(), cipher: try payload.text(),
            applicationProtocol: try payload.text(), kernel: body.tcp.known != 0 ? kernel(body.tcp) : nil,
            plaintext: plaintext(body.plaintext), prelude: prelude(body.prelude))
    }

    static func http2(_ payload: inout FramePayload) throws(MalformedFrame) -> TapFrame {
        let body = try payload.take(wwt_http2_body.self)
        var result = HTTP2Frames(session: body.session, isBroken: body.is_broken != 0, parts: [])
        // Nothing is reserved by the stated count: each part has to be there.
        for _ in 0..<body.count {
            let part = try payload.take(wwt_http2_part.self)
            let piece = HTTP2Piece(
                stream: part.stream, kind: .init(type: part.type), begins: part.begins != 0,
                endsStream: HTTP2Piece.isEndOfStream(type: part.type, flags: part.flags),
                overhead: ByteCount(part.overhead), content: ByteCount(part.content))
            result.parts.append(HTTP2Frames.Part(isDown: part.is_down != 0, piece: piece))
        }
        return .http2(result, sequence: body.sequence)
    }

    static func block(_ payload: inout FramePayload) throws(MalformedFrame) -> TapFrame.Block {
        let body = try payload.take(wwt_block_body.self)
        let kind: TapFrame.Block.Kind =
            switch wwt_block_kind(UInt32(body.kind)) {
            case WWT_BLOCK_HEADERS: .headers
            case WWT_BLOCK_PROMISE: .promise
            case WWT_BLOCK_TABLE_SIZE: .tableSize
            case WWT_BLOCK_OVER: .over
            default: .lost
            }
        return TapFrame.Block(
            session: body.session, sequence: body.sequence, kind: kind, isDown: body.is_down != 0,
            begins: body.begins != 0, ends: body.ends != 0, tableSize: Int(body.table_size), bytes: payload.rest())
    }

    static func plaintext(_ plaintext: wwt_plaintext) -> PlaintextCount? {
        guard plaintext.known != 0 else { return nil }
        let proxy = plaintext.proxy_known != 0 ? (count(plaintext.proxy_sent), count(plaintext.proxy_received)) : nil
        return PlaintextCount(
            sent: count(plaintext.sent), received: count(plaintext.received), proxy: proxy)
    }

    static func webSocket(_ webSocket: wwt_websocket) -> WebSocketCount? {
        guard webSocket.known != 0 else { return nil }
        func side(_ side: wwt_websocket_side) -> WebSocketCount.Side {
            WebSocketCount.Side(
                overhead: count(side.overhead), payload: count(side.payload), frames: count(side.frames),
                controlFrames: count(side.control_frames), messages: count(side.messages))
        }
        return WebSocketCount(up: side(webSocket.up), down: side(webSocket.down))
    }

    static func kernel(_ tcp: wwt_tcp) -> KernelCount {
        KernelCount(
            sent: UInt64(count(tcp.sent)), received: UInt64(count(tcp.received)),
            retransmitted: UInt64(count(tcp.retransmitted)),
            segmentsSent: Int64(tcp.segments_sent), segmentsReceived: Int64(tcp.segments_received),
            roundTrip: Int64(tcp.round_trip) * 1_000, isOver: tcp.known >= WWT_TCP_OVER.rawValue,
            isEnded: tcp.known >= WWT_TCP_ENDED.rawValue, isGone: tcp.known == WWT_TCP_GONE.rawValue)
    }
}
