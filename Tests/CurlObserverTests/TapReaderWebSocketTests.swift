import CCurlTap
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// What follows a 101 that switches to WebSocket is frames and payload, as far as the tap could take it apart.
@Suite struct TapReaderWebSocketTests {
    private static let request = "GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
    private static let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"

    private static func side(_ overhead: UInt64, _ payload: UInt64, frames: UInt64 = 3) -> wwt_websocket_side {
        wwt_websocket_side(
            overhead: overhead, payload: payload, frames: frames, control_frames: 1, messages: frames - 1)
    }

    /// A connection that carried so much after its 101, by the kernel's count and by the scanner's.
    private func connection(
        up: UInt64, down: UInt64, _ websocket: wwt_websocket, isLeft: Bool = false
    ) throws -> ConnectionRecord {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "ws://h/chat")
            frames.headOut(Self.request)
            frames.headIn(Self.switching)
            frames.foreign()
            frames.socketClosed(
                tcp: FrameBuilder.tcp(
                    sent: UInt64(Self.request.utf8.count) + up, received: UInt64(Self.switching.utf8.count) + down),
                websocket: websocket, isLeft: isLeft)
        }
        return try #require(sink.connections.last)
    }

    @Test("all of it is frame headers and payload", arguments: [true, false])
    func separated(_ isLeft: Bool) throws {
        let websocket = wwt_websocket(known: 1, up: Self.side(18, 80), down: Self.side(8, 1_000, frames: 4))
        let connection = try connection(up: 98, down: 1_008, websocket, isLeft: isLeft)
        #expect(
            connection.load.parts == [
                .webSocket: ByteFlow(up: 18, down: 8), .webSocketPayload: ByteFlow(up: 80, down: 1_000),
            ])
        #expect(
            connection.load.webSocket
                == WebSocketLoad(
                    up: .init(frames: 3, controlFrames: 1, messages: 2),
                    down: .init(frames: 4, controlFrames: 1, messages: 3)))
        let ledger = try #require(connection.ledger)
        #expect(ledger.isClosed && ledger.up.overhead == 18 && ledger.down.overhead == 8)
        #expect((connection.closedAt == nil) == isLeft)
    }

    @Test("what is no frame stays one sum")
    func malformed() throws {
        let websocket = wwt_websocket(known: 1, up: Self.side(6, 10), down: Self.side(2, 5))
        let connection = try connection(up: 16, down: 30, websocket)
        #expect(connection.load.parts[.upgraded] == ByteFlow(down: 23))
        #expect(connection.ledger?.isClosed == true)
    }

    @Test("what the kernel has not sent is no payload, and then no frame header")
    func unsent() throws {
        let websocket = wwt_websocket(known: 1, up: Self.side(18, 80), down: Self.side(8, 100))
        let cut = try connection(up: 50, down: 108, websocket)
        #expect(cut.load.parts[.webSocket] == ByteFlow(up: 18, down: 8))
        #expect(cut.load.parts[.webSocketPayload] == ByteFlow(up: 32, down: 100))
        #expect(cut.ledger?.isClosed == true)
        let none = try connection(up: 10, down: 108, websocket)
        #expect(none.load.parts[.webSocket] == ByteFlow(up: 10, down: 8))
        #expect(none.ledger?.isClosed == true)
    }

    @Test("what was not seen is not taken apart")
    func unseen() throws {
        let connection = try connection(up: 98, down: 108, wwt_websocket())
        #expect(connection.load.parts == [.upgraded: ByteFlow(up: 98, down: 108)])
        #expect(connection.load.webSocket == nil)
    }
}
