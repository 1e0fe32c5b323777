import ConnectionAccounts
import HTTPWire
import Testing
import TrafficModel

/// A connection's account from the plain values that any observer can pass in.
@Suite struct ConnectionTableTests {
    private static let ends = ConnectionEnds(localPort: 5_000, remotePort: 80, remoteAddress: "203.0.113.9")
    private static let process = ProcessIdentity(pid: 1, name: "test")
    private let exchange = ExchangeID(7)
    private let number = ConnectionID(3)

    private func transport(_ stream: HTTP2StreamID? = nil) -> ExchangeTransport {
        ExchangeTransport(exchange: exchange, connection: number, ends: Self.ends, stream: stream)
    }

    private func table(isSecure: Bool = false) -> ConnectionTable {
        var table = ConnectionTable(limit: 64)
        let used = table.use(
            Self.ends, by: exchange, isNew: true, isSecure: isSecure, process: Self.process,
            at: Timestamp(nanoseconds: 10), next: { number })
        #expect(used == number)
        return table
    }

    private func kernel(_ sent: UInt64, _ received: UInt64, isOver: Bool = false) -> KernelCount {
        KernelCount(
            sent: sent, received: received, retransmitted: 0, segmentsSent: 2, segmentsReceived: 2, roundTrip: 1_000,
            isOver: isOver)
    }

    private func socket(_ kernel: KernelCount, plaintext: PlaintextCount? = nil) -> SocketCount {
        SocketCount(
            ends: Self.ends, localAddress: "192.0.2.1", kernel: kernel, plaintext: plaintext,
            prelude: ConnectionPrelude(socks: (0, 0), proxyLine: 0, beginsTLS: false), webSocket: nil)
    }

    private func flow(_ up: Int, _ down: Int) -> ByteFlow { ByteFlow(up: ByteCount(up), down: ByteCount(down)) }

    @Test func theMessagesOfAConnectionAreAllThatTheKernelCounts() throws {
        var table = table()
        table.close(socket(kernel(100, 200)), at: Timestamp(nanoseconds: 90))
        let correction = table.correction(of: transport(), flow(100, 200), isPlain: true)
        #expect((correction.unsent, correction.unseen, correction.isVerified) == (0, 0, true))
        let share = table.add(
            transport(), flow(100, 200), version: "1.1", isOutsideTLS: false, isCounted: false, goesOn: false,
            end: .delimited)
        #expect(share?.overhead == .zero)
        let changes = table.takeChanges()
        let record = try #require(changes.last)
        #expect(record.ledger?.isClosed == true)
        #expect(record.remoteAddress == "203.0.113.9:80")
        #expect(record.localAddress == "192.0.2.1:5000")
        #expect(record.applicationProtocol == "http/1.1")
        let later = table.takeChanges()
        #expect(later.isEmpty)
    }

    @Test func theKernelsCountShowsWhatTheObserverDidNotSee() {
        var table = table()
        table.close(socket(kernel(90, 250)), at: Timestamp(nanoseconds: 90))
        let correction = table.correction(of: transport(), flow(100, 200), isPlain: true)
        #expect((correction.unsent, correction.unseen) == (10, 50))
    }

    @Test func framesOfNoExchangeBelongToTheConnection() throws {
        var table = table()
        let stream = HTTP2StreamID(session: 1, number: 1)
        func part(_ stream: UInt32, _ kind: HTTP2Piece.Kind, _ overhead: Int, _ content: Int, isDown: Bool)
            -> HTTP2Frames.Part
        {
            HTTP2Frames.Part(
                isDown: isDown,
                piece: HTTP2Piece(
                    stream: stream, kind: kind, begins: true, overhead: ByteCount(overhead),
                    content: ByteCount(content)))
        }
        table.claim(stream, for: transport(stream))
        table.add(
            HTTP2Frames(
                session: 1, isBroken: false,
                parts: [
                    part(0, .other, 27, 0, isDown: false), part(1, .headers, 9, 41, isDown: false),
                    part(1, .headers, 9, 11, isDown: true), part(1, .data, 9, 500, isDown: true),
                ]))
        let end = table.carriedToTheEnd(transport(stream))
        let carried = try #require(end)
        #expect(carried.bytes == flow(50, 529))
        table.close(socket(kernel(77, 529)), at: Timestamp(nanoseconds: 90))
        _ = table.correction(of: transport(stream), carried.bytes, isPlain: false)
        let share = table.add(
            transport(stream), carried.bytes, version: "2", isOutsideTLS: false, isCounted: false, goesOn: false,
            end: .delimited)
        #expect(share?.overhead == flow(27, 0))
        let changes = table.takeChanges()
        let record = try #require(changes.last)
        #expect(record.load.http2Control == flow(27, 0))
        #expect(record.ledger?.isClosed == true)
        #expect(record.applicationProtocol == "h2c")
    }

    @Test func aFailedHandshakeIsTheOverheadOfTheRequestThatWasNeverSent() {
        var table = ConnectionTable(limit: 64)
        table.close(socket(kernel(517, 7)), at: Timestamp(nanoseconds: 90))
        let unused = table.takeChanges()
        #expect(unused.isEmpty)
        let adopted = table.adopt(
            Self.ends, isSecure: true, hasHandshake: false, process: Self.process,
            openedAt: Timestamp(nanoseconds: 10), next: { number })
        #expect(adopted?.connection == number)
        #expect(adopted?.share?.overhead == flow(517, 7))
        let changes = table.takeChanges()
        #expect(changes.map(\.closedAt) == [Timestamp(nanoseconds: 90)])
    }
}
