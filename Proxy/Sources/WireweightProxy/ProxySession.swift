import NIOCore
import NIOPosix
import ProxyTLS
import ProxyWire

/// One connection of a client, and the connection to a server that belongs to it.
///
/// What comes is sent on as it came. There is one connection to a server for one of a client, so that each end sees the
/// other's pauses, ends and failures. All of it happens on the event loop of the client's channel.
final class ProxySession {
    enum Phase {
        /// Nothing has come.
        case start
        case socksRequest
        /// At or in the header section of a request.
        case head
        case body(BodyScanner)
        /// A connection to a server is being made.
        case connecting
        case tunnel
        /// In a tunnel that may be opened, before the client's hello.
        case hello(Authority)
        /// The server's handshake is under way.
        case opening
        /// The client is to read the last response; what it still sends is dropped.
        case ending
        case closed
    }

    /// A request whose response has not ended.
    struct Asked {
        let isHEAD: Bool
        let wantsClose: Bool
        let offersUpgrade: Bool
    }

    enum Response {
        case head
        case body(BodyScanner)
    }

    /// Bytes of a header section: the meter reads lines of this length.
    static let mostHead = 64 * 1024
    /// More requests wait in the client's connection.
    static let mostAsked = 100

    let client: any Channel
    /// Of a client that is to be on another network.
    var network: ConditionedEnd?
    let context: ProxyContext
    var phase = Phase.start
    /// What the client has sent and was not taken yet.
    var input = ByteBuffer()
    var headEnd = HeadEnd(allowsBareLF: false)
    var hasClientEnded = false
    /// A whole request of the client waits for the responses before it.
    var isWaiting = false
    private var hasRequested = false
    private var hasPassedEnd = false

    var server: (any Channel)?
    /// A connection that is being made.
    var attempt: (any Channel)?
    var origin: Authority?
    /// How that server is reached.
    var way = Way.direct
    var asked = CircularBuffer<Asked>()
    var response = Response.head
    var responseInput = ByteBuffer()
    var responseEnd = HeadEnd(allowsBareLF: true)
    var hasServerEnded = false
    /// The client waits for 100 with the body of its newest request, and may never send it.
    var isBodyHeld = false
    /// The response under way is the last one.
    var isLast = false

    /// The two sides of a tunnel that was opened.
    var clientTLS: TLSEnd?
    var serverTLS: TLSEnd?
    /// Its host, until it is known whether the client has used it.
    var openedHost: String?

    /// Of SOCKS: the greeting has not come yet.
    var takesGreeting = false
    var isSOCKS = false

    /// What any request is answered with.
    var refusal: (status: RefusalStatus, reason: String)?

    private var headTimer: Scheduled<Void>?
    /// While it is ending: whether all has gone out.
    private var hasFlushed = false

    init(client: any Channel, network: ConditionedEnd?, context: ProxyContext) {
        self.client = client
        self.network = network
        self.context = context
    }

    var loop: any EventLoop { client.eventLoop }
    var clientAddress: IPAddress? { client.remoteAddress?.ip }

    // MARK: the client

    func begin() {
        guard let address = clientAddress else { return close() }
        // It is said when a request has come, so that there is a request that it answers.
        if !context.gate.admits(address) {
            refusal = (
                .forbidden,
                "\(address) may not use it yet; on the computer, its address on the terminal, the page of '--inspect' or '--allow' lets it in"
            )
        } else {
            refuseCrowd(context.sessions.add(self, of: address, on: loop), of: address)
        }
        if refusal != nil, !context.sessions.addRefused(self, of: address) { return close() }
        watchHead()
        client.read()
    }

    private func refuseCrowd(_ answer: ConnectionShares.Answer, of client: IPAddress) {
        let sessions = context.sessions
        switch answer {
        case .taken: return
        case .full: refusal = (.unavailable, "it has \(sessions.most) connections, its most")
        case .shareIsTaken:
            let reason = "\(client) has \(sessions.share) connections, the most of one device"
            refusal = (.unavailable, reason)
            if sessions.noteCrowd(client) { Desk.say("\(reason); more are refused while it keeps them") }
        }
    }

    func clientSent(_ buffer: ByteBuffer) {
        switch phase {
        case .tunnel:
            if openedHost != nil { noteOpened(.use) }
            server?.write(buffer, promise: nil)
        case .ending, .closed: break
        default:
            var buffer = buffer
            if input.readableBytes == 0 { input = buffer } else { input.writeBuffer(&buffer) }
            process()
        }
    }

    func clientPaused() {
        server?.flush()
        readClient()
    }

    func clientDrained() { readServer() }

    func clientEnded() {
        hasClientEnded = true
        if !hasServerEnded { noteOpened(.silence) }
        switch phase {
        case .start, .socksRequest: close()
        case .ending: if hasFlushed { close() }
        case .connecting, .opening, .closed: break
        case .hello:
            phase = .tunnel
            process()
            passEndOn()
        case .tunnel, .head, .body: passEndOn()
        }
    }

    /// A server sees the end of what the client sends, as it would without the proxy, and may still answer.
    func passEndOn() {
        guard hasClientEnded, !isWaiting else { return }
        switch phase {
        case .head where asked.isEmpty: end(with: nil)
        case .tunnel, .head, .body:
            if !hasPassedEnd { endOutput(of: server) }
            hasPassedEnd = true
        default: break
        }
    }

    func clientFailed(_ error: any Error) {
        noteOpened((error as? TLSFailure)?.isRefusal == true ? .refusal : .silence)
        if let server { Self.reset(server) }
        close()
    }

    /// Reads on where the server can take more.
    func readClient() {
        guard !hasClientEnded else { return }
        switch phase {
        case .connecting, .opening, .closed: return
        case .start, .socksRequest, .hello, .ending: client.read()
        case .tunnel, .body: if server?.isWritable ?? true { client.read() }
        case .head:
            if asked.count < Self.mostAsked, input.readableBytes <= Self.mostHead, server?.isWritable ?? true {
                client.read()
            }
        }
    }

    // MARK: time

    /// Ends a client that does not get a header section done.
    func watchHead() {
        guard headTimer == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        headTimer = loop.scheduleTask(in: context.settings.headTime) { bound.value.headIsLate() }
    }

    private func headIsLate() {
        headTimer = nil
        switch phase {
        case .start, .socksRequest: close()
        // A response is under way, into which the proxy cannot write its own.
        case .head where !asked.isEmpty: watchHead()
        case .head: refuse(.timedOut, "the request's header section did not come in time")
        default: break
        }
    }

    func headIsThere() {
        hasRequested = true
        headTimer?.cancel()
        headTimer = nil
    }

    /// Between two requests a client may take its time.
    func nothingIsThere() { if hasRequested { headIsThere() } }

    // MARK: the ends

    /// Sends the proxy's own response, and closes when the client has read it.
    func refuse(_ status: RefusalStatus, _ reason: String) { end(with: Refusal.response(status, reason)) }

    func end(with last: ByteBuffer?) {
        switch phase {
        case .ending, .closed: return
        default: break
        }
        headIsThere()
        phase = .ending
        input.clear()
        dropServer()
        let bound = NIOLoopBound(self, eventLoop: loop)
        // However long the client takes for what it is to get.
        client.writeAndFlush(last ?? ByteBuffer()).whenComplete { _ in bound.value.outputHasGone() }
        if !hasClientEnded { client.read() }
    }

    private func outputHasGone() {
        hasFlushed = true
        if hasClientEnded { return close() }
        // Closed at once, with bytes unread, the system would reset the connection, and the response be lost.
        client.close(mode: .output, promise: nil)
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: .seconds(2)) { bound.value.close() }
    }

    /// Lets the exchange under way finish, and closes.
    func finish() {
        switch phase {
        case .start, .head: if asked.isEmpty, input.readableBytes == 0 { end(with: nil) } else { isLast = true }
        case .socksRequest, .connecting, .hello, .opening, .tunnel, .body: isLast = true
        case .ending, .closed: break
        }
    }

    func close() {
        if case .closed = phase { return }
        headIsThere()
        phase = .closed
        dropServer()
        client.close(promise: nil)
        context.sessions.remove(self)
    }

    func dropServer() {
        let server = self.server
        self.server = nil
        attempt?.close(promise: nil)
        attempt = nil
        hasPassedEnd = false
        origin = nil
        server?.close(promise: nil)
    }

    /// Ends one direction when all that was written before has gone.
    func endOutput(of channel: (any Channel)?) {
        guard let channel else { return }
        channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(mode: .output, promise: nil) }
    }

    /// Closes in the way that the other end did: its peer gets a reset, too.
    static func reset(_ channel: any Channel) {
        if let options = channel as? any SocketOptionProvider {
            _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
    }
}
