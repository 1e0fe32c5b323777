package import HTTPWire
package import TrafficModel

/// Finds the exchanges in the plaintext of one connection, however it is split, without I/O.
///
/// It reads HTTP/1 (RFC 9112) and HTTP/2 (RFC 9113), notices within the first line that a connection carries neither,
/// and measures each part of each message. It measures content without keeping it. So its memory is bounded, whatever
/// comes: a header section for each direction, and figures of the exchanges that run.
///
/// Bytes must come in order in each direction, and a request before its response.
package struct ConnectionReader {
    private var scanner = HTTP1Scanner()
    private var http1 = HTTP1Reader()
    private var http2: HTTP2Reader?
    private let makeDecoder: () -> (any HeaderDecoder)?
    private let makeUpgraded: (_ protocolName: String) -> (any UpgradedReader)?
    /// The reader of the protocol that the connection has switched to; nil before, and for a protocol that none reads.
    package private(set) var upgraded: (any UpgradedReader)?
    private var hasUpgraded = false
    private var count = 0
    /// When the first of the held bytes came.
    private var heldAt: (up: Timestamp?, down: Timestamp?)

    /// A reader of a connection on which nothing has passed.
    ///
    /// - Parameters:
    ///   - decoder: makes a decoder for the header blocks of one direction of HTTP/2. Without one, all bytes are still
    ///     counted, but cookies and interim responses have no size of their own, and fields are unknown.
    ///   - upgraded: makes a reader for the bytes that follow, once the connection has switched to that protocol. By
    ///     default WebSocket is read.
    package init(
        decoder: @escaping () -> (any HeaderDecoder)? = { nil },
        upgraded: @escaping (_ protocolName: String) -> (any UpgradedReader)? = Self.webSocket
    ) {
        makeDecoder = decoder
        makeUpgraded = upgraded
    }

    private static func webSocket(_ protocolName: String) -> (any UpgradedReader)? {
        protocolName.lowercased() == WebSocketReader.protocolName ? WebSocketReader() : nil
    }

    /// All bytes so far, by what they belonged to.
    package var bytes: ConnectionBytes {
        guard let http2 = http2?.bytes else { return http1.bytes }
        var bytes = http1.bytes
        bytes.messages += http2.messages
        bytes.http2Control += http2.http2Control
        return bytes
    }

    /// The number of bytes whose kind is not known yet: two dozen at most.
    package var held: ByteFlow {
        ByteFlow(
            up: ByteCount(scanner.held(ofResponse: false) + (http2?.held(.up) ?? 0)),
            down: ByteCount(scanner.held(ofResponse: true) + (http2?.held(.down) ?? 0)))
    }

    /// Takes the next bytes of a direction.
    ///
    /// - Returns: the events that these bytes cause.
    package mutating func receive(_ bytes: [UInt8], _ direction: Direction, at time: Timestamp) -> [ConnectionEvent] {
        var events: [ConnectionEvent] = []
        let isDown = direction == .down
        var heldSince = isDown ? heldAt.down : heldAt.up
        for piece in scanner.add(bytes, ofResponse: isDown) {
            take(piece, bytes[piece.range], direction, heldSince: heldSince, at: time, into: &events)
            heldSince = nil
        }
        let since = scanner.held(ofResponse: isDown) > 0 ? heldSince ?? time : nil
        if isDown { heldAt.down = since } else { heldAt.up = since }
        return events
    }

    /// Ends a direction, because it was closed.
    ///
    /// - Returns: the events that this causes, such as the ends of exchanges that waited for it.
    package mutating func end(_ direction: Direction, at time: Timestamp) -> [ConnectionEvent] {
        var events: [ConnectionEvent] = []
        if let piece = scanner.end(ofResponse: direction == .down) {
            let heldSince = direction == .down ? heldAt.down : heldAt.up
            take(piece, [], direction, heldSince: heldSince, at: time, into: &events)
        }
        http1.close(direction, at: time, into: &events)
        if direction == .down { http2?.close(at: time, into: &events) }
        upgraded?.end(direction, at: time)
        return events
    }

    private mutating func take(
        _ piece: HTTP1Piece, _ content: ArraySlice<UInt8>, _ direction: Direction, heldSince: Timestamp?,
        at time: Timestamp, into events: inout [ConnectionEvent]
    ) {
        if piece.kind == .http2 {
            if !piece.lead.isEmpty { receive2(piece.lead[...], direction, at: heldSince ?? time, into: &events) }
            if !content.isEmpty { receive2(content, direction, at: time, into: &events) }
            return
        }
        let beganAt = piece.lead.isEmpty ? time : heldSince ?? time
        let outcome = http1.take(
            piece, content, direction, beganAt: beganAt, at: time, upgrade: piece.endsHead ? scanner.upgrade : "",
            count: &count,
            into: &events)
        if case .becomesHTTP2(let exchange) = outcome {
            startHTTP2()
            http2?.adopt(exchange)
        }
        if piece.kind == .upgraded {
            if !hasUpgraded {
                hasUpgraded = true
                upgraded = makeUpgraded(scanner.upgrade)
            }
            upgraded?.receive(piece.lead + content, direction, at: time)
        }
    }

    private mutating func startHTTP2() {
        if http2 == nil { http2 = HTTP2Reader(decoder: makeDecoder) }
    }

    private mutating func receive2(
        _ bytes: ArraySlice<UInt8>, _ direction: Direction, at time: Timestamp, into events: inout [ConnectionEvent]
    ) {
        startHTTP2()
        http2?.receive(bytes, direction, at: time, count: &count, into: &events)
    }
}
