internal import HTTPWire
internal import TrafficModel

/// Finds the exchanges in the streams of an HTTP/2 connection (RFC 9113).
///
/// The parts of a message mean the same as for the tap: see ``HTTPWire/HTTP2Message``. Frames of the connection, and of
/// streams that are over or not followed, count as the connection's own.
struct HTTP2Reader {
    /// The number of open streams that are followed; further ones are not.
    private static let mostStreams = 1_024

    private var sides: (up: HTTP2Side, down: HTTP2Side)
    private var streams: [UInt32: HTTP2Exchange] = [:]
    /// The number of the client's newest stream; numbers only grow (section 5.1.1).
    private var newest: UInt32 = 0
    /// When the first byte of an incomplete frame header came; its stream is not known until it is complete.
    private var heldAt: (up: Timestamp?, down: Timestamp?)
    private(set) var bytes = ConnectionBytes()

    init(decoder: () -> (any HeaderDecoder)?) {
        sides = (HTTP2Side(ofClient: true, decoder: decoder()), HTTP2Side(ofClient: false, decoder: decoder()))
    }

    /// The number of bytes of an incomplete frame header.
    func held(_ direction: Direction) -> Int {
        direction == .up ? sides.up.scanner.pending : sides.down.scanner.pending
    }

    /// Takes the exchange that asked for HTTP/2 in HTTP/1.1: its response comes on stream 1 (RFC 7540, section 3.2).
    mutating func adopt(_ exchange: HTTP1Exchange) {
        var stream = HTTP2Exchange(number: exchange.number, at: exchange.startedAt)
        stream.before = exchange
        streams[1] = stream
        newest = max(newest, 1)
    }

    /// Takes the next bytes of a direction.
    mutating func receive(
        _ bytes: ArraySlice<UInt8>, _ direction: Direction, at time: Timestamp, count: inout Int,
        into events: inout [ConnectionEvent]
    ) {
        var frames: [HTTP2Frame] = []
        if direction == .up {
            sides.up.scanner.read(bytes) { frames.append($0) }
        } else {
            sides.down.scanner.read(bytes) { frames.append($0) }
        }
        for frame in frames {
            // Only the first frame of these bytes can have begun earlier.
            let heldSince = direction == .up ? heldAt.up : heldAt.down
            setHeld(nil, direction)
            take(frame, direction, beganAt: heldSince ?? time, at: time, count: &count, into: &events)
        }
        let isHeld = held(direction) > 0
        let since = direction == .up ? heldAt.up : heldAt.down
        setHeld(isHeld ? since ?? time : nil, direction)
    }

    private mutating func setHeld(_ time: Timestamp?, _ direction: Direction) {
        if direction == .up { heldAt.up = time } else { heldAt.down = time }
    }

    private mutating func take(
        _ frame: HTTP2Frame, _ direction: Direction, beganAt: Timestamp, at time: Timestamp, count: inout Int,
        into events: inout [ConnectionEvent]
    ) {
        let stream = frame.piece.stream
        let (content, sign) = direction == .up ? sides.up.take(frame) : sides.down.take(frame)
        if direction == .up, frame.kind == .headers, frame.piece.begins, stream > newest, stream % 2 == 1 {
            newest = stream
            if streams.count < Self.mostStreams {
                count += 1
                streams[stream] = HTTP2Exchange(number: count, at: beganAt)
            }
        }
        if stream == 0 || streams[stream] == nil {
            bytes.http2Control[direction] += frame.piece.bytes
        } else {
            bytes.messages[direction] += frame.piece.bytes
            if direction == .up {
                streams[stream]?.request.add(frame.piece, content, beganAt: beganAt, at: time)
            } else {
                if streams[stream]?.response == nil { streams[stream]?.response = .init(at: beganAt) }
                streams[stream]?.response?.add(frame.piece, content, beganAt: beganAt, at: time)
            }
        }
        if let sign { take(sign, direction, at: time, count: &count, into: &events) }
        guard frame.ends, frame.kind != .headers || frame.endsHeaders else { return }
        if streams[stream]?.isOver == true { finish(stream, .completed, at: time, into: &events) }
    }

    private mutating func take(
        _ sign: HTTP2Side.Sign, _ direction: Direction, at time: Timestamp, count: inout Int,
        into events: inout [ConnectionEvent]
    ) {
        switch sign {
        case .block(let stream, let promised?, let fields):
            guard direction == .down, promised % 2 == 0, promised > 0, streams[promised] == nil,
                streams.count < Self.mostStreams
            else { return }
            count += 1
            var exchange = HTTP2Exchange(number: count, at: time)
            exchange.isPushed = true
            exchange.request.hasHead = true
            if let beganAt = streams[stream]?.response?.lastByteAt { exchange.request.sectionBeganAt = beganAt }
            streams[promised] = exchange
            events.append(.request(Self.request(exchange, promised, fields)))
        case .block(let stream, nil, let fields):
            if direction == .up {
                takeRequest(fields, stream, into: &events)
            } else {
                takeResponse(fields, stream, into: &events)
            }
        case .reset(let stream, let code): finish(stream, .reset(code: code), at: time, into: &events)
        case .goAway(let last):
            guard direction == .down else { return }
            for stream in streams.keys.sorted() where stream % 2 == 1 && stream > last {
                finish(stream, .refused, at: time, into: &events)
            }
        case .tableSize(let size):
            // The size that one side allows is the limit of the other side's encoder.
            if direction == .up { sides.down.allow(tableSize: size) } else { sides.up.allow(tableSize: size) }
        }
    }

    // MARK: header sections

    private mutating func takeRequest(_ fields: HTTP2Fields?, _ stream: UInt32, into events: inout [ConnectionEvent]) {
        guard let exchange = streams[stream], !exchange.request.hasHead, exchange.before == nil else { return }
        streams[stream]?.request.hasHead = true
        streams[stream]?.request.cookies = fields?.cookies
        announce(exchange, stream, fields, into: &events)
        streams[stream]?.early = nil
    }

    private func announce(
        _ exchange: HTTP2Exchange, _ stream: UInt32, _ fields: HTTP2Fields?, into events: inout [ConnectionEvent]
    ) {
        events.append(.request(Self.request(exchange, stream, fields)))
        if let early = exchange.early { events.append(.response(early)) }
    }

    private static func request(_ exchange: HTTP2Exchange, _ stream: UInt32, _ fields: HTTP2Fields?) -> PassiveRequest {
        let method = fields?.method ?? ""
        return PassiveRequest(
            exchange: exchange.number, stream: stream, isPushed: exchange.isPushed,
            startedAt: exchange.request.sectionBeganAt, method: method,
            target: method == "CONNECT" && fields?.path.isEmpty == true ? fields?.authority ?? "" : fields?.path ?? "",
            scheme: fields?.scheme ?? "", authority: fields?.authority ?? "", httpVersion: "2",
            fields: fields?.lines ?? FieldSection(), isWhole: fields != nil)
    }

    private mutating func takeResponse(_ fields: HTTP2Fields?, _ stream: UInt32, into events: inout [ConnectionEvent]) {
        guard let exchange = streams[stream], let response = exchange.response, !response.hasHead else { return }
        if let status = fields?.status, (100..<200).contains(status) {
            streams[stream]?.response?.interimCount += 1
            return
        }
        streams[stream]?.response?.hasHead = true
        streams[stream]?.response?.cookies = fields?.cookies
        let head = PassiveResponse(
            exchange: exchange.number, firstByteAt: response.sectionBeganAt, status: fields?.status ?? 0, reason: "",
            httpVersion: "2", fields: fields?.lines ?? FieldSection(), isWhole: fields != nil)
        if exchange.request.hasHead || exchange.before != nil {
            events.append(.response(head))
        } else {
            streams[stream]?.early = head
        }
    }

    // MARK: ends

    private mutating func finish(
        _ stream: UInt32, _ reason: PassiveEnd.Reason, at time: Timestamp, into events: inout [ConnectionEvent]
    ) {
        guard let exchange = streams.removeValue(forKey: stream) else { return }
        if exchange.before == nil, !exchange.request.hasHead {
            announce(exchange, stream, nil, into: &events)
        }
        events.append(.end(exchange.end(exchange.isOver ? .completed : reason, at: time)))
    }

    /// Ends all streams: after a direction was closed, none gets further.
    mutating func close(at time: Timestamp, into events: inout [ConnectionEvent]) {
        for stream in streams.keys.sorted() { finish(stream, .closed, at: time, into: &events) }
    }
}
