internal import HTTPWire
internal import TrafficModel

/// An HTTP/2 stream (RFC 9113, section 5) as an exchange.
struct HTTP2Exchange {
    struct Message {
        var frames = HTTP2Message()
        var body = BodyMeter()
        var lastByteAt: Timestamp
        /// When the first byte of the newest header section came.
        var sectionBeganAt: Timestamp
        /// The size of the cookies in bytes, if the fields could be decoded.
        var cookies: Int?
        /// Whether the final header section is complete.
        var hasHead = false
        var interimCount = 0

        init(at time: Timestamp) { (lastByteAt, sectionBeganAt) = (time, time) }

        mutating func add(_ piece: HTTP2Piece, _ content: ArraySlice<UInt8>, beganAt: Timestamp, at time: Timestamp) {
            if piece.kind == .headers, piece.begins { sectionBeganAt = beganAt }
            frames.add(piece)
            body.add(content)
            lastByteAt = time
        }

        var end: PassiveEnd.Message {
            var size = frames.size(interim: interimCount)
            size.cookies = cookies.map { .captured($0) } ?? (frames.sections.isEmpty ? .captured(0) : .unknown)
            return PassiveEnd.Message(
                size: size, bodyDigest: body.digest, bodyTail: body.tail, lastByteAt: lastByteAt,
                isWhole: isWhole)
        }

        /// Whether its header section is complete, and its side has ended the stream.
        var isWhole: Bool { hasHead && frames.isEnded }
    }

    let number: Int
    var request: Message
    var response: Message?
    /// The request in HTTP/1.1 that asked for HTTP/2, and the 101 that agreed (RFC 7540, section 3.2).
    var before: HTTP1Exchange?
    /// Whether the server has promised it.
    var isPushed = false
    /// Its response, if that came before the header section of the request was complete.
    var early: PassiveResponse?

    init(number: Int, at time: Timestamp) {
        self.number = number
        request = Message(at: time)
    }

    /// Whether both messages are whole.
    var isOver: Bool { (request.isWhole || before != nil || isPushed) && response?.isWhole == true }

    func end(_ reason: PassiveEnd.Reason, at time: Timestamp) -> PassiveEnd {
        var sent = request.end
        var received = response?.end
        if isPushed { sent.isWhole = true }
        if let before {
            let frames = sent.size.known
            sent = before.request.end
            sent.size.framing = .init(sent.size.framing.bytes + frames, .captured)
            let interim = before.response?.size.interim.bytes ?? .zero
            var response = received ?? before.response?.end
            if received != nil, let frames = response?.size.interim.bytes {
                response?.size.interim = .init(frames + interim, .captured)
            }
            received = response
        }
        return PassiveEnd(exchange: number, request: sent, response: received, endedAt: time, reason: reason)
    }
}
