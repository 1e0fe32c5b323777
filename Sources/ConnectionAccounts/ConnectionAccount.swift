internal import TrafficModel

/// A connection, and the sums of its exchanges.
struct ConnectionAccount {
    var record: ConnectionRecord
    /// The HTTP/2 session that the connection carries.
    var session: UInt64?
    /// The sums of the exchanges that have ended.
    private var ended = ConnectionLoad()
    /// The plaintext of TLS at the time of the kernel's last count.
    private var plaintext: ByteFlow?
    /// The plaintext of TLS to a proxy at that time, if there is another TLS inside it.
    private var proxyPlaintext: ByteFlow?
    /// Whether ``plaintext`` is of TLS to a proxy, because there is no other TLS.
    private var isPlaintextProxys = false
    /// The version of HTTP/1 of a CONNECT; empty if there was none.
    var proxyVersion = ""
    /// Whether its last count has come, so that nothing else will name its protocol.
    private var isCounted = false
    /// The exchange that ran when TLS was described.
    private var described: ExchangeID?
    /// The frames that followed a 101 that switches to WebSocket.
    private var webSocket: WebSocketCount?
    /// Whether its first exchange is for a URL whose scheme requires TLS.
    private let isSecure: Bool
    /// Whether it has TLS; nil if only ``isSecure`` says so.
    private var hasTLS: Bool?
    /// The share of overhead that exchanges have received already.
    private var given = ConnectionShare()
    /// The number of exchanges that have begun and not ended.
    private(set) var open = 0
    /// The exchange that began last; when all have ended, the bytes that are left over belong to it.
    private(set) var newest: ExchangeID?
    /// Whether ``newest`` has ended.
    private var hasNewestEnded = true
    /// The exchanges whose end was not reported when the next one began, and what had been received by then.
    ///
    /// Nothing that began before the first of them runs.
    private var overtaken: [(exchange: ExchangeID, received: Int64)] = []
    /// Whether it carries nothing but HTTP/1 in the clear, so that its messages are all that the kernel counts.
    private(set) var isPlain = true
    /// Whether nothing more can come, because it was closed or the peer has ended it.
    var isOver = false
    /// Whether it has switched to another protocol than HTTP.
    private(set) var isUpgraded = false
    /// Whether it was open before metering started.
    ///
    /// The kernel's count then includes bytes that the meter did not see, so it proves nothing.
    let wasOpen: Bool
    /// When it was closed; monotonic, in nanoseconds.
    var closedMonotonic: UInt64?
    /// Whether the peer has closed its side after sending everything (FIN).
    private(set) var hasEnded = false
    /// Whether the meter has lost parts of its messages, so that they do not add up to the kernel's count.
    var isIncomplete = false
    /// Whether bytes of an exchange that has ended were not seen, and not counted.
    var isUnsettled = false
    /// The bytes before its first message, by part.
    private var prelude: [ConnectionPart: ByteFlow] = [:]
    /// Whether the headers of each response so far set its end, so that bytes after a response belong to none.
    private var isDelimited = true
    /// Whether something has changed since its record was last sent.
    var hasChanged = false

    init(record: ConnectionRecord, wasOpen: Bool = false) {
        self.record = record
        self.wasOpen = wasOpen
        isSecure = record.tls != nil
    }

    /// Records that bytes after this belong to no message.
    mutating func upgrade() {
        isUpgraded = true
        isPlain = false
    }

    mutating func begin(_ exchange: ExchangeID) {
        open += 1
        newest = exchange
        hasNewestEnded = false
    }

    /// Records what had been received when the next exchange was about to begin.
    mutating func overtake(received: Int64) {
        guard let newest, !hasNewestEnded, open == overtaken.count + 1, open < Self.mostOvertaken else { return }
        overtaken.append((newest, received))
    }

    private static let mostOvertaken = 64

    /// Ends an exchange.
    ///
    /// - Returns: whether it is the last of all that run; if others began after it, and all before it have been added, what
    ///   had been received when the next one began.
    private mutating func end(_ exchange: ExchangeID) -> (isLast: Bool, overtaken: Int64?) {
        open -= 1
        if newest == exchange { hasNewestEnded = true }
        if overtaken.first?.exchange == exchange { return (false, overtaken.removeFirst().received) }
        // What came before those that are left will be known no more.
        overtaken = []
        return (open == 0 && newest == exchange, nil)
    }

    /// Records the kernel's count, and the plaintext of TLS at the same time.
    mutating func take(_ kernel: KernelCount, _ plaintext: PlaintextCount?) {
        // A server still sends after its client has ended its side.
        if kernel.isOver, record.direction == .called || !kernel.isEnded || kernel.isGone { isOver = true }
        if kernel.isEnded { hasEnded = true }
        record.roundTrip = kernel.roundTrip
        guard !wasOpen else { return }
        // Up is from the client to the server, whichever of them is metered.
        let isServed = record.direction == .served
        record.payloadUp = ByteCount(isServed ? kernel.received : kernel.sent)
        record.payloadDown = ByteCount(isServed ? kernel.sent : kernel.received)
        record.retransmitted = ByteCount(kernel.retransmitted)
        record.segmentsUp = isServed ? kernel.segmentsReceived : kernel.segmentsSent
        record.segmentsDown = isServed ? kernel.segmentsSent : kernel.segmentsReceived
        if let plaintext {
            self.plaintext = plaintext.flow(record.direction)
            proxyPlaintext = plaintext.proxy.map { ByteFlow(up: ByteCount($0.sent), down: ByteCount($0.received)) }
        }
    }

    /// Records that TLS is in use.
    ///
    /// If the URL's scheme does not require it, it can only be TLS to a proxy.
    mutating func take(_ tls: ConnectionRecord.TLS) {
        record.tls = tls
        hasTLS = true
        described = newest
        isPlaintextProxys = !isSecure
        isPlain = false
    }

    /// Records what a socket has carried by the end of the connection or of the program.
    mutating func take(_ socket: SocketCount) {
        take(socket.kernel, socket.plaintext)
        if let webSocket = socket.webSocket, !wasOpen { self.webSocket = webSocket }
        if socket.isForeign { upgrade() }
        if socket.lacksTLS, hasTLS == nil {
            hasTLS = false
            record.tls = nil
        }
        takeUnseen(socket)
        isCounted = true
    }

    /// Records whether TLS in the tunnel of a proxy cannot be looked into, because its library is not known.
    private mutating func takeUnseen(_ socket: SocketCount) {
        record.unseen =
            socket.hidesMessages ? UnseenTraffic(reason: .tls, serverName: socket.handshake?.serverName ?? "") : nil
        // That of the proxy's TLS says nothing of what is inside.
        if socket.hidesMessages { record.applicationProtocol = "" }
    }

    /// Records the bytes before its first message.
    mutating func take(_ prelude: ConnectionPrelude) {
        guard !wasOpen else { return }
        if prelude.socks.sent > 0 || prelude.socks.received > 0 {
            self.prelude[.socks] = ByteFlow(up: ByteCount(prelude.socks.sent), down: ByteCount(prelude.socks.received))
        }
        if prelude.proxyLine > 0 { self.prelude[.proxyProtocol] = ByteFlow(up: ByteCount(prelude.proxyLine)) }
    }

    private var outside: ByteFlow { prelude.isEmpty ? .zero : prelude.values.reduce(.zero, +) }

    /// The bytes of an exchange that the kernel counted and the observer did not see, once the exchange is over.
    ///
    /// There is nothing to correct while more may come, or while another exchange has not been added yet, unless it is known
    /// what had come when that one began: libcurl gives its connection away before the program asks how a transfer ended.
    /// The messages alone also have to be all that the connection carries.
    mutating func correction(
        of exchange: ExchangeID, _ size: ByteFlow, isPlain isExchangePlain: Bool, settledAt settled: Int64? = nil,
        room: Int64? = nil
    ) -> ConnectionCorrection {
        if !isExchangePlain { isPlain = false }
        let (isLast, overtaken) = end(exchange)
        guard isLast || overtaken != nil, !wasOpen, !isIncomplete else { return ConnectionCorrection() }
        // Bytes before the messages are no part of them.
        let all = ended.messages + size + outside
        func bounded(_ unseen: Int64) -> Int64 { max(0, min(unseen, room ?? unseen)) }
        if record.direction == .served {
            // What the program has not handed over it cannot have sent, and what it has not read it has not received.
            guard isPlain, isOver, isLast, let sent = record.payloadDown else { return ConnectionCorrection() }
            return ConnectionCorrection(unsent: min(size.down.bytes, max(0, all.down.bytes - sent.bytes)))
        }
        guard isPlain, isOver, isLast, let sent = record.payloadUp, let received = record.payloadDown else {
            guard !isUnsettled, let settled = settled == nil ? nil : overtaken ?? settled else {
                return ConnectionCorrection()
            }
            let clear = isPlaintextProxys ? ByteCount.zero : ended.clearMessages.down
            let other = record.tls == nil ? 0 : (clear + outside.down).bytes
            return ConnectionCorrection(unseen: bounded(settled - (all.down.bytes - other)), isVerified: true)
        }
        let unsent = min(size.up.bytes, max(0, all.up.bytes - sent.bytes))
        guard !isUnsettled else { return ConnectionCorrection(unsent: unsent) }
        return ConnectionCorrection(
            unsent: unsent,
            unseen: bounded(received.bytes - all.down.bytes), assumed: max(0, all.down.bytes - received.bytes),
            isVerified: true)
    }

    /// The same for an HTTP/2 exchange, of whose stream `unsent` bytes are known not to have been sent.
    mutating func correction(
        of exchange: ExchangeID, _ size: ByteFlow, unsentOfStream unsent: ByteCount
    ) -> ConnectionCorrection {
        isPlain = false
        _ = end(exchange)
        guard !wasOpen, !isIncomplete else { return ConnectionCorrection() }
        let isHidden = record.tls != nil && plaintext == nil
        return ConnectionCorrection(unsent: min(size.up.bytes, unsent.bytes), mayBeUnsent: isHidden)
    }

    /// The HTTP/2 bytes that were handed over and not sent: libcurl gathers small frames, and drops them at the close.
    func unsent(_ session: HTTP2Session) -> ByteCount {
        let outside = record.tls == nil ? ByteCount.zero : ended.clearMessages.up
        guard let sent = record.tls == nil ? record.payloadUp : plaintext?.up else { return .zero }
        let handed = ended.messages.up + session.running.up + session.others.up
        let before = record.tls == nil ? self.outside.up : .zero
        return ByteCount(handed.bytes &- outside.bytes &- (sent.bytes &- before.bytes))
    }

    /// Adds an exchange that has ended.
    ///
    /// - Parameters:
    ///   - exchange: the exchange.
    ///   - size: its messages.
    ///   - isOutsideTLS: whether its messages are not in TLS even if the connection has it.
    ///   - end: how the response ended.
    mutating func add(
        _ exchange: ExchangeID, _ size: ByteFlow, isOutsideTLS: Bool, _ end: ResponseEnd
    ) {
        // Only TLS to a proxy can exist before the tunnel does.
        if isOutsideTLS, described == exchange { isPlaintextProxys = true }
        if end == .unknown { isDelimited = false }
        if end == .leavesHTTP { isUpgraded = true }
        ended.exchanges += 1
        ended.messages += size
        if isOutsideTLS { ended.clearMessages += size }
    }

    /// Brings the record's load up to date with the kernel's count.
    ///
    /// Both are sent in one record; otherwise a mismatch could be mere timing.
    mutating func settle(_ session: HTTP2Session?) {
        // After a CONNECT, TLS may come or not.
        if isSecure, hasTLS == nil { record.tls = isOnlyMessages ? nil : record.tls ?? ConnectionRecord.TLS() }
        if isCounted, record.applicationProtocol.isEmpty { nameProtocol() }
        // Early data is sent before either is negotiated (RFC 8446, section 2.3).
        if let handshake, record.tls?.version.isEmpty == true {
            record.tls = ConnectionRecord.TLS(version: handshake.version, cipher: handshake.cipher)
        }
        record.load = load(session)
    }

    /// The handshake of the TLS that its exchanges are in, and not that of a proxy in front of it.
    private var handshake: TLSHandshake? {
        let isProxys = isPlaintextProxys && record.unseen == nil
        return isProxys ? nil : record.handshake
    }

    /// Names the protocol of a connection on which nothing but CONNECTs has ended: that of TLS in the tunnel, or theirs.
    private mutating func nameProtocol() {
        if let handshake {
            record.applicationProtocol = handshake.applicationProtocol
        } else if !proxyVersion.isEmpty {
            record.applicationProtocol = "http/\(proxyVersion)"
        }
    }

    /// Whether all that it has carried is exchanges that have ended: TLS would have added something.
    private var isOnlyMessages: Bool {
        guard let sent = record.payloadUp, let received = record.payloadDown else { return false }
        return ended.exchanges > 0 && ended.messages + outside == ByteFlow(up: sent, down: received)
    }

    private func load(_ session: HTTP2Session?) -> ConnectionLoad {
        var load = ended
        load.plaintext = plaintext
        load.parts = prelude
        if let proxyTLS { load.parts[.proxyTLS] = proxyTLS }
        if let session {
            load.messages += session.running
            load.http2Control = session.others
            load.http2Control.up = ByteCount(load.http2Control.up.bytes - unsent(session).bytes)
        } else if record.unseen != nil {
            if open == 0 { nameUnseen(in: &load) }
        } else if open == 0, isDelimited, !isUnsettled, load.exchanges > 0 || isUpgraded {
            nameRest(in: &load)
        }
        return load
    }

    /// Names all bytes that are no message and belong to nothing else that was seen.
    private func nameUnseen(in load: inout ConnectionLoad) {
        guard let sent = record.payloadUp, let received = record.payloadDown else { return }
        let seen = load.parts.values.reduce(load.messages, +)
        let rest = ByteFlow(
            up: ByteCount(sent.bytes - seen.up.bytes), down: ByteCount(received.bytes - seen.down.bytes))
        if rest != .zero { load.parts[.unseen] = rest }
    }

    /// Names the bytes that are unaccounted for, if they can be only one thing.
    private func nameRest(in load: inout ConnectionLoad) {
        guard record.tls == nil || load.plaintext != nil else { return }
        guard let ledger = record.ledger(of: load) else { return }
        let rest = ByteFlow(up: ByteCount(ledger.up.unaccounted), down: ByteCount(ledger.down.unaccounted))
        if isUpgraded {
            nameUpgraded(rest, in: &load)
        } else if ledger.up.unaccounted == 0, rest.down > 0 {
            // Nothing was sent that could have been another request.
            load.parts[.afterMessage] = rest
        }
    }

    /// The overhead of TLS to a proxy; nil if there is none, or if the TLS inside it is not known.
    private var proxyTLS: ByteFlow? {
        guard record.tls != nil, let sent = record.payloadUp, let received = record.payloadDown,
            let inside = proxyPlaintext ?? (isPlaintextProxys ? plaintext : nil)
        else { return nil }
        return ByteFlow(
            up: ByteCount(sent.bytes - outside.up.bytes - inside.up.bytes),
            down: ByteCount(received.bytes - outside.down.bytes - inside.down.bytes))
    }

    /// Splits the bytes after HTTP into frame headers and payload, as far as the frames were seen.
    ///
    /// The bytes that were handed over and the kernel has not sent are at the end of the payload.
    private func nameUpgraded(_ rest: ByteFlow, in load: inout ConnectionLoad) {
        guard let webSocket else {
            if rest != .zero { load.parts[.upgraded] = rest }
            return
        }
        func split(_ rest: ByteCount, _ side: WebSocketCount.Side) -> (frames: ByteCount, payload: ByteCount) {
            let frames = min(side.overhead, rest.bytes)
            return (ByteCount(frames), ByteCount(min(side.payload, rest.bytes - frames)))
        }
        let (up, down) = (split(rest.up, webSocket.up), split(rest.down, webSocket.down))
        let parts: [(ConnectionPart, ByteFlow)] = [
            (.webSocket, ByteFlow(up: up.frames, down: down.frames)),
            (.webSocketPayload, ByteFlow(up: up.payload, down: down.payload)),
            (
                .upgraded,
                ByteFlow(
                    up: ByteCount(rest.up.bytes - (up.frames + up.payload).bytes),
                    down: ByteCount(rest.down.bytes - (down.frames + down.payload).bytes))
            ),
        ]
        for (part, flow) in parts where flow != .zero { load.parts[part] = flow }
        func side(_ side: WebSocketCount.Side) -> WebSocketLoad.Side {
            WebSocketLoad.Side(frames: side.frames, controlFrames: side.controlFrames, messages: side.messages)
        }
        load.webSocket = WebSocketLoad(up: side(webSocket.up), down: side(webSocket.down))
    }

    /// The overhead that the connection has carried since the last call; nil if the kernel's count is not known.
    mutating func takeShare(_ session: HTTP2Session?) -> ConnectionShare? { takeShare(of: load(session)) }

    /// The same of a record that was just settled.
    mutating func takeSettledShare() -> ConnectionShare? { takeShare(of: record.load) }

    private mutating func takeShare(of load: ConnectionLoad) -> ConnectionShare? {
        guard let ledger = record.ledger(of: load) else { return nil }
        let total = ConnectionShare(
            overhead: ByteFlow(up: ByteCount(ledger.up.overhead), down: ByteCount(ledger.down.overhead)),
            packetHeaders: record.packetHeaders ?? .zero)
        let share = ConnectionShare(
            overhead: Self.rest(total.overhead, given.overhead),
            packetHeaders: Self.rest(total.packetHeaders, given.packetHeaders))
        give(share)
        return share
    }

    /// Records that an exchange has received that share.
    mutating func give(_ share: ConnectionShare) {
        given.overhead += share.overhead
        given.packetHeaders += share.packetHeaders
    }

    private static func rest(_ total: ByteFlow, _ given: ByteFlow) -> ByteFlow {
        ByteFlow(
            up: ByteCount(total.up.bytes - given.up.bytes), down: ByteCount(total.down.bytes - given.down.bytes))
    }
}
