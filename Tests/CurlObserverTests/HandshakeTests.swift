import CCurlTap
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// What was in the clear as TLS began belongs to its connection, whether its messages were seen or not.
@Suite struct HandshakeTests {
    private let frames = FrameBuilder.handshake(
        serverName: "a.test", chosen: "h2", version: 0x0303, cipher: 0xC02F, WWT_NEW_SESSION, certificate: [0x30, 0],
        chainSize: 4_321)

    private func expect(_ handshake: TLSHandshake?) {
        #expect(handshake?.serverName == "a.test" && handshake?.offeredProtocols == ["h2", "http/1.1"])
        #expect(handshake?.version == "TLSv1.2" && handshake?.applicationProtocol == "h2")
        #expect(handshake?.isResumed == false && handshake?.certificate?.chainSize == 4_321)
    }

    @Test func ofAConnectionWithMessages() throws {
        let sink = try Hearing.of { frames in
            frames.exchange()
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 30, received: 43), handshake: self.frames)
        }
        let connection = try #require(sink.connections.last)
        expect(connection.handshake)
        // It may be a tunnel's, and says nothing of the connection's own TLS.
        #expect(connection.tls == nil && connection.unseen == nil)
    }

    @Test func ofOneThatIsOpenAtTheEnd() throws {
        let sink = try Hearing.of { frames in
            frames.exchange()
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 30, received: 43), isLeft: true, handshake: self.frames)
        }
        expect(sink.connections.last?.handshake)
    }

    @Test func ofOneWhoseMessagesWereNotSeen() throws {
        let sink = try Hearing.of { frames in
            frames.unseen(WWT_UNSEEN_TLS, tcp: FrameBuilder.tcp(sent: 700, received: 4_000), handshake: self.frames)
        }
        let connection = try #require(sink.connections.first)
        expect(connection.handshake)
        #expect(connection.unseen == UnseenTraffic(reason: .tls, serverName: "a.test"))
        #expect(
            connection.tls
                == ConnectionRecord.TLS(version: "TLSv1.2", cipher: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"))
        #expect(connection.applicationProtocol == "h2")
    }

    @Test func whetherASessionGoesOn() throws {
        let known: [(wwt_resumption, Bool?)] = [
            (WWT_RESUMED, true), (WWT_NEW_SESSION, false), (WWT_RESUMPTION_UNKNOWN, nil),
        ]
        for (resumption, isResumed) in known {
            let sink = try Hearing.of { frames in
                frames.unseen(
                    WWT_UNSEEN_TLS, tcp: FrameBuilder.tcp(sent: 7, received: 4),
                    handshake: FrameBuilder.handshake(serverName: "a.test", version: 0x0304, resumption))
            }
            #expect(sink.connections.first?.handshake?.isResumed == isResumed)
        }
    }

    @Test func theTimesOfAnOpening() throws {
        func opening(isServed: Bool = false, heard: UInt64 = 0, lookup: UInt64 = 0) throws -> ConnectionOpening? {
            try Hearing.of { frames in
                frames.unseen(
                    WWT_UNSEEN_TLS, tcp: FrameBuilder.tcp(sent: 7, received: 4), isServed: isServed, heard: heard,
                    lookup: lookup)
            }.connections.first?.opening
        }
        #expect(
            try opening(heard: 2_000, lookup: 500) == ConnectionOpening(dns: 500, connect: 300, firstByte: 700))
        // What is earlier than what it follows is not known.
        #expect(try opening(heard: 1_200) == ConnectionOpening(connect: 300))
        #expect(try opening() == ConnectionOpening(connect: 300))
        #expect(try opening(isServed: true, heard: 2_000) == nil)
    }

    @Test func oneThatIsCutIsNoFrame() throws {
        for count in 1..<frames.count {
            #expect(throws: (any Error).self) {
                try Hearing.of { frames in
                    frames.socketClosed(
                        tcp: FrameBuilder.tcp(sent: 30, received: 43), handshake: Array(self.frames[..<count]))
                }
            }
        }
    }
}
