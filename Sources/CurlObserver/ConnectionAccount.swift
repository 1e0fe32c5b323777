internal import TrafficModel

/// A connection, and what its exchanges add up to.
struct ConnectionAccount {
    var record: ConnectionRecord
    /// The session of HTTP/2 that it carries.
    var session: UInt64?
    /// The messages of exchanges that have ended.
    private var ended = ConnectionLoad()
    /// What passed through TLS when the kernel was last asked.
    private var plaintext: ByteFlow?
    /// What has been given to exchanges.
    private var given = ConnectionShare()
    /// Exchanges that have begun and not ended.
    private(set) var open = 0
    /// The one that began last: what is left over when all have ended is its.
    private(set) var newest: ExchangeID?
    /// Whether it carries nothing but HTTP/1 in the clear, so that its messages are all that the kernel counts.
    private(set) var isPlain = true
    /// Whether nothing more can come, because it is closed, or the peer has ended it.
    var isOver = false
    /// Whether it was open before anybody looked: the kernel's count then has what nobody metered, and proves nothing.
    private let wasOpen: Bool
    /// Whether something has changed that is not told yet.
    var isUntold = false

    init(record: ConnectionRecord, wasOpen: Bool = false) {
        self.record = record
        self.wasOpen = wasOpen
    }

    mutating func begin(_ exchange: ExchangeID) {
        open += 1
        newest = exchange
    }

    /// The kernel's count, with TLS's at the same time.
    mutating func take(_ kernel: TapFrame.KernelCount, _ plaintext: TapFrame.Plaintext?) {
        if kernel.isOver { isOver = true }
        record.roundTrip = kernel.roundTrip
        guard !wasOpen else { return }
        record.sent = ByteCount(kernel.sent)
        record.received = ByteCount(kernel.received)
        record.retransmitted = ByteCount(kernel.retransmitted)
        record.segmentsSent = kernel.segmentsSent
        record.segmentsReceived = kernel.segmentsReceived
        if let plaintext {
            self.plaintext = ByteFlow(up: ByteCount(plaintext.sent), down: ByteCount(plaintext.received))
        }
    }

    /// What the kernel knows of an exchange that is over and libcurl does not show.
    ///
    /// There is nothing to correct while more may come, or while another exchange has not been added yet (the next one
    /// may begin before the end of the last is told), and where the messages are not all that the connection carries.
    mutating func correction(
        of exchange: ExchangeID, _ size: ByteFlow, isPlain isExchangePlain: Bool, _ session: HTTP2Session? = nil,
        settledAt settled: Int64? = nil
    ) -> Correction {
        if !isExchangePlain { isPlain = false }
        open -= 1
        guard open == 0, newest == exchange, !wasOpen else { return Correction() }
        if let session {
            return isOver ? Correction(unsent: min(size.up.bytes, unsent(session).bytes)) : Correction()
        }
        let all = ended.messages + size
        guard isPlain, isOver, let sent = record.sent, let received = record.received else {
            guard let settled else { return Correction() }
            let outside = record.tls == nil ? 0 : ended.clearMessages.down.bytes
            return Correction(unseen: max(0, settled - (all.down.bytes - outside)), isVerified: true)
        }
        return Correction(
            unsent: min(size.up.bytes, max(0, all.up.bytes - sent.bytes)),
            unseen: max(0, received.bytes - all.down.bytes), assumed: max(0, all.down.bytes - received.bytes),
            isVerified: true)
    }

    /// What HTTP/2 has handed to libcurl, and libcurl has not sent: it gathers small frames, and drops them at the close.
    func unsent(_ session: HTTP2Session) -> ByteCount {
        let outside = record.tls == nil ? ByteCount.zero : ended.clearMessages.up
        guard let sent = record.tls == nil ? record.sent : plaintext?.up else { return .zero }
        let handed = ended.messages.up + session.running.up + session.others.up
        return ByteCount(handed.bytes &- outside.bytes &- sent.bytes)
    }

    /// What the kernel knows of an exchange and libcurl does not show.
    struct Correction {
        /// Bytes that libcurl handed to the kernel and that never left: the connection was reset before.
        var unsent: Int64 = 0
        /// Bytes that libcurl took from the kernel and did not show, such as half a line of a head.
        var unseen: Int64 = 0
        /// Bytes that were taken to have come, for libcurl does not show them, and had not: the empty line behind an
        /// interim response.
        var assumed: Int64 = 0
        /// Whether the kernel could be asked.
        var isVerified = false
    }

    /// Adds an exchange that has ended.
    mutating func add(_ size: ByteFlow, isOutsideTLS: Bool) {
        ended.exchanges += 1
        ended.messages += size
        if isOutsideTLS { ended.clearMessages += size }
    }

    /// Brings the record's load up to the kernel's count: the two are told together.
    mutating func settle(_ session: HTTP2Session?) { record.load = load(session) }

    private func load(_ session: HTTP2Session?) -> ConnectionLoad {
        var load = ended
        load.plaintext = plaintext
        if let session {
            load.messages += session.running
            load.http2Control = session.others
            load.http2Control.up = ByteCount(load.http2Control.up.bytes - unsent(session).bytes)
        }
        return load
    }

    /// What the connection has carried beside messages since this was last asked; nil where the kernel did not tell.
    mutating func takeShare(_ session: HTTP2Session?) -> ConnectionShare? {
        var now = record
        now.load = load(session)
        guard let ledger = now.ledger else { return nil }
        let total = ConnectionShare(
            overhead: ByteFlow(up: ByteCount(ledger.up.overhead), down: ByteCount(ledger.down.overhead)),
            packetHeaders: record.packetHeaders ?? .zero)
        let share = ConnectionShare(
            overhead: Self.rest(total.overhead, given.overhead),
            packetHeaders: Self.rest(total.packetHeaders, given.packetHeaders))
        give(share)
        return share
    }

    /// An exchange has got that share.
    mutating func give(_ share: ConnectionShare) {
        given.overhead += share.overhead
        given.packetHeaders += share.packetHeaders
    }

    private static func rest(_ total: ByteFlow, _ given: ByteFlow) -> ByteFlow {
        ByteFlow(
            up: ByteCount(total.up.bytes - given.up.bytes), down: ByteCount(total.down.bytes - given.down.bytes))
    }
}
