import Testing
import TrafficModel

/// Where each byte of a connection went, in literal numbers.
@Suite("The ledger of a connection")
struct ConnectionLedgerTests {
    private func connection(
        _ sent: ByteCount?, _ received: ByteCount?, tls: Bool, _ load: ConnectionLoad
    ) -> ConnectionRecord {
        ConnectionRecord(
            connection: ConnectionID(1), process: ProcessIdentity(pid: 1, name: "app"), localAddress: "127.0.0.1:1",
            remoteAddress: "127.0.0.1:2", tls: tls ? ConnectionRecord.TLS(version: "TLSv1.3") : nil,
            openedAt: Timestamp(nanoseconds: 0), payloadUp: sent, payloadDown: received, load: load)
    }

    private func side(
        _ side: ConnectionLedger.Side, _ payload: Int64, messages: Int64, tls: Int64, http2: Int64, unaccounted: Int64,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(side.payload == payload, sourceLocation: location)
        #expect(side.messages == messages, sourceLocation: location)
        #expect(side.tls == tls, sourceLocation: location)
        #expect(side.http2 == http2, sourceLocation: location)
        #expect(side.overhead == tls + http2, sourceLocation: location)
        #expect(side.unaccounted == unaccounted, sourceLocation: location)
        #expect(
            side.payload == side.messages + side.tls + side.http2 + side.unaccounted, sourceLocation: location)
    }

    @Test("In the clear, messages are all there is")
    func plain() throws {
        let load = ConnectionLoad(exchanges: 3, messages: ByteFlow(up: 500, down: 1_200))
        let ledger = try #require(connection(500, 1_200, tls: false, load).ledger)
        side(ledger.up, 500, messages: 500, tls: 0, http2: 0, unaccounted: 0)
        side(ledger.down, 1_200, messages: 1_200, tls: 0, http2: 0, unaccounted: 0)
        #expect(ledger.isClosed)
        #expect(ledger.evidence == .captured)
        let more = try #require(connection(501, 1_200, tls: false, load).ledger)
        side(more.up, 501, messages: 500, tls: 0, http2: 0, unaccounted: 1)
        #expect(!more.isClosed)
    }

    @Test("HTTP/2 in the clear has frames of its own")
    func h2c() throws {
        let load = ConnectionLoad(
            exchanges: 2, messages: ByteFlow(up: 80, down: 900), http2Control: ByteFlow(up: 64, down: 35))
        let ledger = try #require(connection(144, 935, tls: false, load).ledger)
        side(ledger.up, 144, messages: 80, tls: 0, http2: 64, unaccounted: 0)
        side(ledger.down, 935, messages: 900, tls: 0, http2: 35, unaccounted: 0)
        #expect(ledger.isClosed && ledger.evidence == .captured)
    }

    @Test("TLS takes what the kernel counted beyond the plaintext, and what is in the plaintext must be known")
    func tlsWithPlaintext() throws {
        var load = ConnectionLoad(
            exchanges: 1, messages: ByteFlow(up: 600, down: 9_000), http2Control: ByteFlow(up: 50, down: 60),
            plaintext: ByteFlow(up: 650, down: 9_060))
        let ledger = try #require(connection(1_400, 12_560, tls: true, load).ledger)
        side(ledger.up, 1_400, messages: 600, tls: 750, http2: 50, unaccounted: 0)
        side(ledger.down, 12_560, messages: 9_000, tls: 3_500, http2: 60, unaccounted: 0)
        #expect(ledger.isClosed && ledger.evidence == .reported)
        // Ten bytes of plaintext belong to no message and no frame: TLS does not swallow them.
        load.plaintext?.down = 9_070
        let open = try #require(connection(1_400, 12_560, tls: true, load).ledger)
        side(open.down, 12_560, messages: 9_000, tls: 3_490, http2: 60, unaccounted: 10)
        #expect(!open.isClosed)
    }

    @Test("TLS whose plaintext was not counted takes the rest, and says so")
    func tlsWithoutPlaintext() throws {
        let load = ConnectionLoad(exchanges: 1, messages: ByteFlow(up: 600, down: 9_000))
        let ledger = try #require(connection(1_400, 12_560, tls: true, load).ledger)
        side(ledger.up, 1_400, messages: 600, tls: 800, http2: 0, unaccounted: 0)
        side(ledger.down, 12_560, messages: 9_000, tls: 3_560, http2: 0, unaccounted: 0)
        #expect(ledger.isClosed && ledger.evidence == .reconstructed)
    }

    @Test("A CONNECT to a proxy goes outside of TLS")
    func proxy() throws {
        var load = ConnectionLoad(
            exchanges: 2, messages: ByteFlow(up: 800, down: 5_039), clearMessages: ByteFlow(up: 100, down: 39),
            plaintext: ByteFlow(up: 700, down: 5_000))
        let ledger = try #require(connection(1_500, 8_039, tls: true, load).ledger)
        side(ledger.up, 1_500, messages: 800, tls: 700, http2: 0, unaccounted: 0)
        side(ledger.down, 8_039, messages: 5_039, tls: 3_000, http2: 0, unaccounted: 0)
        load.plaintext = nil
        let reconstructed = try #require(connection(1_500, 8_039, tls: true, load).ledger)
        side(reconstructed.up, 1_500, messages: 800, tls: 700, http2: 0, unaccounted: 0)
    }

    @Test("Of a connection that was cut more was handed over than the kernel sent")
    func cut() throws {
        let load = ConnectionLoad(exchanges: 1, messages: ByteFlow(up: 1_000, down: 0))
        let plain = try #require(connection(400, 0, tls: false, load).ledger)
        side(plain.up, 400, messages: 1_000, tls: 0, http2: 0, unaccounted: -600)
        #expect(!plain.isClosed)
        var counted = load
        counted.plaintext = ByteFlow(up: 1_000, down: 0)
        let tls = try #require(connection(400, 0, tls: true, counted).ledger)
        side(tls.up, 400, messages: 1_000, tls: 0, http2: 0, unaccounted: -600)
    }

    @Test("If the kernel reported nothing, or half, there is no ledger")
    func unknown() {
        let load = ConnectionLoad(exchanges: 1, messages: ByteFlow(up: 1, down: 2))
        #expect(connection(nil, nil, tls: false, load).ledger == nil)
        #expect(connection(1, nil, tls: false, load).ledger == nil)
        #expect(connection(1, nil, tls: false, load).packets == nil)
    }

    @Test(
        "Headers are estimated by the address of the peer",
        arguments: [
            ("127.0.0.1:80", Int64(52)), ("[::1]:80", 72), ("[2001:db8::7]:443", 72), ("[::ffff:10.0.0.1]:443", 52),
            ("[::FFFF:10.0.0.1]:443", 52), ("", 52),
        ])
    func headers(peer: String, each: Int64) throws {
        var record = connection(1_000, 2_000, tls: false, ConnectionLoad())
        record.remoteAddress = peer
        #expect(record.packetHeaders == nil)
        record.segmentsUp = 10
        record.segmentsDown = 20
        #expect(record.packetHeaders == ByteFlow(up: ByteCount(10 * each), down: ByteCount(20 * each)))
        record.retransmitted = 300
        #expect(record.packets == ByteFlow(up: ByteCount(1_300 + 10 * each), down: ByteCount(2_000 + 20 * each)))
        record.segmentsUp = .max
        #expect(record.packetHeaders?.up == ByteCount(Int64.max))
    }

    @Test("What few connections have is a part of its own, outside of TLS or inside")
    func rare() throws {
        let parts: [ConnectionPart: ByteFlow] = [
            .socks: ByteFlow(up: 20, down: 12), .proxyProtocol: ByteFlow(up: 44), .afterMessage: ByteFlow(down: 234),
        ]
        let clear = ConnectionLoad(exchanges: 1, messages: ByteFlow(up: 100, down: 40), parts: parts)
        let plain = try #require(connection(165, 286, tls: false, clear).ledger)
        #expect(plain.up.parts.map(\.part) == [.messages, .socks, .proxyProtocol, .unaccounted])
        #expect(plain.up.parts.map(\.bytes) == [100, 20, 44, 1])
        #expect(plain.up.overhead == 64)
        #expect(plain.down.parts.map(\.part) == [.messages, .socks, .afterMessage])
        #expect(plain.down.unaccounted == 0)
        // TLS takes what is outside of neither.
        let inside = ConnectionLoad(
            exchanges: 1, messages: ByteFlow(up: 100, down: 40), plaintext: ByteFlow(up: 100, down: 274), parts: parts)
        let secure = try #require(connection(1_000, 2_000, tls: true, inside).ledger)
        #expect(secure.up.parts.map(\.bytes) == [100, 1_000 - 100 - 64, 20, 44])
        #expect(secure.down.parts.map(\.bytes) == [40, 2_000 - 274 - 12, 12, 234])
        #expect(secure.isClosed)
    }

    @Test("The parts add up to the payload, whatever they are")
    func partsAddUp() throws {
        for seed in Int64(1)...200 {
            func any(_ step: Int64) -> ByteCount { ByteCount(seed &* step % 977) }
            func flow(_ step: Int64) -> ByteFlow { ByteFlow(up: any(step), down: any(step + 7)) }
            var load = ConnectionLoad(
                exchanges: 1, messages: flow(3), clearMessages: flow(1), http2Control: flow(5),
                plaintext: seed % 3 == 0 ? nil : flow(11))
            for (offset, part) in ConnectionPart.rare.enumerated() where seed % Int64(offset + 2) == 0 {
                load.parts[part] = flow(Int64(offset + 13))
            }
            let record = connection(any(101), any(103), tls: seed % 2 == 0, load)
            let ledger = try #require(record.ledger)
            #expect(ledger.up.parts.reduce(0) { $0 + $1.bytes } == ledger.up.payload)
            #expect(ledger.down.parts.reduce(0) { $0 + $1.bytes } == ledger.down.payload)
        }
    }
}
