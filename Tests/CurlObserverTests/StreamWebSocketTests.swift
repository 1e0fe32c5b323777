#if os(Linux)
    import Testing
    import TrafficModel
    import WireweightTesting

    /// WebSocket below HTTP libraries.
    @Suite struct StreamWebSocketTests {
        private static let request = StreamPlay.Step.up(
            Array("GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n".utf8))
        private static func response(_ name: String) -> [UInt8] {
            Array("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: \(name)\r\n\r\n".utf8)
        }

        private func play(_ steps: [StreamPlay.Step]) throws -> ConnectionRecord {
            let whole = try StreamPlay(steps, isSecure: false)
            for split in StreamPlay.Split.allCases {
                for isSecure in [true, false] {
                    let other = try StreamPlay(steps, split: split, isSecure: isSecure)
                    let connection = try #require(other.sink.connections.last)
                    #expect(connection.ledger?.isClosed == true, "\(connection)")
                    #expect(connection.load.webSocket == whole.sink.connections.last?.load.webSocket)
                    #expect(connection.load.parts == whole.sink.connections.last?.load.parts)
                }
            }
            #expect(whole.sink.responses.map(\.status) == [101])
            return try #require(whole.sink.connections.last)
        }

        @Test("frames both ways, fragments, and control frames, the first with the 101")
        func frames() throws {
            let mask: [UInt8] = [1, 2, 3, 4]
            let connection = try play([
                Self.request, .down(Self.response("websocket") + [0x81, 2, 7, 7]),
                .up([0x81, 0x82] + mask + [5, 6]), .down([0x89, 0]),
                .up([0x01, 0x81] + mask + [5] + [0x80, 0x81] + mask + [6]), .down([0x88, 2, 3, 0xE8]),
            ])
            #expect(
                connection.load.webSocket
                    == WebSocketLoad(
                        up: .init(frames: 3, controlFrames: 0, messages: 2),
                        down: .init(frames: 3, controlFrames: 2, messages: 1)))
            #expect(connection.load.parts[.webSocket] == ByteFlow(up: 18, down: 6))
            #expect(connection.load.parts[.webSocketPayload] == ByteFlow(up: 4, down: 4))
        }

        @Test("another protocol is one sum")
        func other() throws {
            let connection = try play([
                Self.request, .down(Self.response("other") + [0x81, 2, 7, 7]), .up([0x81, 0x80]),
            ])
            #expect(connection.load.webSocket == nil)
            #expect(connection.load.parts[.upgraded] == ByteFlow(up: 2, down: 4))
        }
    }
#endif
