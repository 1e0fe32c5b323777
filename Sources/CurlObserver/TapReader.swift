internal import HTTPWire
package import TrafficModel

/// Turns the frames of one process into traffic events.
///
/// Used by one thread at a time.
package final class TapReader {
    /// A transfer that runs: one exchange after the other.
    private final class Transfer {
        let handle: UInt64
        let beganAt: UInt64
        /// Whether it speaks another protocol.
        var isForeign = false
        var current: ObservedExchange?
        /// libcurl's figures when the current exchange began; they add up over the hops.
        var before = TapFrame.Times()
        var times = TapFrame.Times()
        var connectsBefore: Int64 = 0
        var headsBefore: Int64 = 0
        var hops = 0
        /// The stream of HTTP/2 that the next request is sent on.
        var nextStream: ObservedExchange.Stream?
        /// The exchange before the current one: what libcurl sends in one transfer is one task.
        var previous: (task: ExchangeID, hop: Int)?

        init(handle: UInt64, beganAt: UInt64) {
            self.handle = handle
            self.beganAt = beganAt
        }
    }

    private let sink: any TrafficSink
    private let identifiers: IdentifierSource
    private let wallOffset: () -> Int64
    private var process: ProcessIdentity
    private var transfers: [UInt64: Transfer] = [:]
    private var untold: Set<UInt64> = []
    private var connections = ConnectionTable()
    private var linker = HopLinker()

    private var exchangeCount = 0
    /// Who speaks, once it has said so.
    package private(set) var hello: TapFrame.Hello?

    /// A reader for one process.
    ///
    /// - Parameters:
    ///   - process: who speaks, if that is known before it says so.
    ///   - sink: takes the events.
    ///   - identifiers: numbers for exchanges and connections, shared by all readers of one store.
    ///   - wallOffset: wall clock minus monotonic clock, in nanoseconds.
    package init(
        process: ProcessIdentity, sink: any TrafficSink, identifiers: IdentifierSource,
        wallOffset: @escaping () -> Int64
    ) {
        self.process = process
        self.sink = sink
        self.identifiers = identifiers
        self.wallOffset = wallOffset
    }

    /// How many exchanges have begun since the last call.
    package func takeNewExchangeCount() -> Int {
        defer { exchangeCount = 0 }
        return exchangeCount
    }

    /// Takes some whole frames, and tells what has come of them.
    ///
    /// - Throws: when the bytes are not frames; what stood before has been taken.
    package func take(_ bytes: UnsafeRawBufferPointer) throws(MalformedFrame) {
        defer { tellRunning() }
        var frames = TapFrameReader(bytes)
        while let (transfer, time, frame) = try frames.next() { take(frame, of: transfer, at: time) }
    }

    /// The process is gone, or no longer watched: what runs is over.
    package func finish(at time: UInt64) {
        for number in transfers.keys.sorted() {
            guard let transfer = transfers[number], transfer.current != nil else { continue }
            finishCurrent(of: transfer, at: time, outcome: .abandoned, total: nil)
        }
        transfers = [:]
        untold = []
        tellRunning()
    }

    // MARK: frames

    private func take(_ frame: TapFrame, of number: UInt64, at time: UInt64) {
        switch frame {
        case .hello(let hello):
            // Who has said who it is stays that.
            guard self.hello == nil else { return }
            self.hello = hello
            let name = hello.path.split(separator: "/").last.map(String.init) ?? process.name
            process = ProcessIdentity(pid: hello.pid, name: name)
        case .begin(let handle):
            if let old = transfers[number], old.current != nil {
                finishCurrent(of: old, at: time, outcome: .abandoned, total: nil)
            }
            transfers[number] = Transfer(handle: handle, beganAt: time)
        case .lost(let count, let isUntapped):
            sink.record(.loss(TrafficLoss(reason: isUntapped ? .untapped : .bufferFull, count: count)))
            // The end of this one will not come.
            if let transfer = transfers.removeValue(forKey: number), transfer.current != nil {
                finishCurrent(of: transfer, at: time, outcome: .abandoned, total: nil)
            }
        case .http2(let frames): connections.add(frames)
        case .socketClosed(let socket):
            connections.close(socket, at: Timestamp(nanoseconds: Int64(clamping: time) &+ wallOffset()))
        default:
            // Frames of a transfer whose begin was lost tell nothing that could be placed.
            guard let transfer = transfers[number] else { return }
            take(frame, of: transfer, number: number, at: time)
        }
    }

    private func take(_ frame: TapFrame, of transfer: Transfer, number: UInt64, at time: UInt64) {
        switch frame {
        case .request(let request): begin(request, of: transfer, at: time)
        case .connection(let connection):
            let share = connections.describe(connection)
            if let current = transfer.current, !current.reusedConnection { current.earlyShare = share }
        case .stream(let session, let number):
            carry(transfer, over: ObservedExchange.Stream(session: session, number: number))
        case .headOut(let bytes):
            transfer.current?.headOut += bytes
        case .headIn(let bytes):
            transfer.current?.headIn.append(bytes)
            if bytes.starts(with: "HTTP/".utf8) { transfer.current?.headInAt = time }
        case .bodyOut(let body): transfer.current?.bodyOut = body
        case .bodyIn(let body): transfer.current?.bodyIn = body
        case .contentOut(let bytes): transfer.current?.contentOut += bytes
        case .contentIn(let bytes): transfer.current?.contentIn += bytes
        case .end(let end):
            transfers[number] = nil
            untold.remove(number)
            finish(transfer, with: end, at: time)
            return
        default: return
        }
        untold.insert(number)
    }

    private func begin(_ request: TapFrame.Request, of transfer: Transfer, at time: UInt64) {
        guard let target = RequestTarget(url: request.url), target.isHTTP else {
            transfer.isForeign = true
            return
        }
        let isNew = request.connects > transfer.connectsBefore
        if transfer.current != nil {
            transfer.current?.countedHeads = request.headerSize - transfer.headsBefore
            finishHop(of: transfer, at: time, before: request, isNew: isNew)
        }
        transfer.headsBefore = request.headerSize
        let exchange = ObservedExchange(
            id: identifiers.nextExchange(), process: process, wallOffset: wallOffset(),
            beganAt: transfer.hops == 0 ? transfer.beganAt : time)
        if let previous = transfer.previous {
            exchange.task = previous.task
            exchange.hop = previous.hop + 1
        }
        exchange.sentAt = time
        exchange.request = request
        exchange.target = target
        exchange.connection = connections.use(
            request, by: exchange.id, isNew: isNew, isSecure: target.scheme == "https", process: process,
            at: exchange.timestamp(time), next: identifiers.nextConnection)
        exchange.reusedConnection = !isNew
        exchange.remoteAddress = ConnectionTable.address(request.remoteAddress, request.remotePort)
        transfer.connectsBefore = request.connects
        transfer.before = transfer.times
        transfer.times = request.times
        transfer.hops += 1
        exchangeCount += 1
        transfer.current = exchange
        if let stream = transfer.nextStream {
            transfer.nextStream = nil
            exchange.stream = stream
            connections.claim(stream, for: exchange)
        }
    }

    /// libcurl gives a request to HTTP/2 before it shows the head, or behind it where the connection became HTTP/2 because
    /// of that request.
    private func carry(_ transfer: Transfer, over stream: ObservedExchange.Stream) {
        if let current = transfer.current, current.stream == nil,
            stream.number == 1 || current.requestHead?.httpVersion.hasPrefix("2") == true
        {
            current.stream = stream
            connections.claim(stream, for: current)
        } else {
            transfer.nextStream = stream
        }
    }

    // MARK: ends

    /// Says that all of a response has come, also what was not shown of it.
    private struct Settled {
        /// What its connection had received by then, inside of TLS if there is any; nil where that is not known.
        var received: Int64?

        init() {}

        init(_ exchange: ObservedExchange?, _ kernel: TapFrame.KernelCount?, _ plaintext: TapFrame.Plaintext?) {
            // A CONNECT is outside of what TLS it leads to.
            guard exchange?.requestHead?.method != "CONNECT" else { return }
            let isSecure = exchange?.target?.scheme == "https"
            received = isSecure ? plaintext?.received : kernel.map { Int64(clamping: $0.received) }
        }
    }

    /// A hop is over because the same transfer has begun the next.
    private func finishHop(of transfer: Transfer, at time: UInt64, before next: TapFrame.Request, isNew: Bool) {
        guard let current = transfer.current else { return }
        let answered = current.responseHeads.final != nil
        let outcome: ExchangeEnd.Outcome =
            answered
            ? .completed
            : .failed(code: 52, message: "the connection was lost before the response, and the request sent again")
        let lastIn = max(current.bodyIn?.last ?? 0, current.headInAt ?? time)
        var settled: Settled?
        if answered {
            // On the same connection: then all of this response has come, and nothing after it.
            let isSame = !isNew && current.request.map { ConnectionTable.haveSameEnds($0, next) } == true
            settled = isSame ? Settled(current, next.kernel, next.plaintext) : Settled()
        }
        finishCurrent(
            of: transfer, at: answered ? lastIn : time, outcome: outcome, total: nil, settled: settled)
    }

    private func finish(_ transfer: Transfer, with end: TapFrame.End, at time: UInt64) {
        if transfer.current == nil {
            guard !transfer.isForeign else { return }
            // Nothing was sent. It is still an attempt to reach an HTTP server, unless it was another protocol.
            guard let target = RequestTarget(url: end.url), target.isHTTP else { return }
            let exchange = ObservedExchange(
                id: identifiers.nextExchange(), process: process, wallOffset: wallOffset(),
                beganAt: transfer.beganAt)
            exchange.target = target
            let carrier = connections.adopt(
                end, isSecure: target.scheme == "https", process: process,
                openedAt: exchange.timestamp(transfer.beganAt), next: identifiers.nextConnection)
            if let carrier {
                exchange.connection = carrier.connection
                exchange.earlyShare = carrier.share
                exchange.remoteAddress = ConnectionTable.address(end.remoteAddress, end.remotePort)
            }
            exchangeCount += 1
            transfer.current = exchange
        }
        transfer.times.appConnect = end.times.appConnect
        transfer.current?.countedHeads = end.headerSize - transfer.headsBefore
        connections.count(end)
        // CURLE_TOO_MANY_REDIRECTS: the last one was read, and not followed.
        let isUnfollowed = end.how == .done && end.result == 47
        finishCurrent(
            of: transfer, at: time, outcome: Self.outcome(of: end),
            total: transfer.hops <= 1 ? end.times.total : nil, isCounted: end.kernel != nil,
            settled: isUnfollowed ? Settled(transfer.current, end.kernel, end.plaintext) : nil)
    }

    private static func outcome(of end: TapFrame.End) -> ExchangeEnd.Outcome {
        switch end.how {
        case .removed: return .cancelled
        case .stopped: return .abandoned
        case .done:
            // CURLE_OK, CURLE_OPERATION_TIMEDOUT, CURLE_ABORTED_BY_CALLBACK
            // (https://curl.se/libcurl/c/libcurl-errors.html)
            switch end.result {
            case 0: return .completed
            case 28: return .timedOut
            case 42: return .cancelled
            default: return .failed(code: Int(end.result), message: end.error)
            }
        }
    }

    private func finishCurrent(
        of transfer: Transfer, at time: UInt64, outcome: ExchangeEnd.Outcome, total: Int64?,
        isCounted: Bool = false, settled: Settled? = nil
    ) {
        guard let exchange = transfer.current else { return }
        transfer.current = nil
        exchange.carried = connections.carriedToTheEnd(exchange)
        exchange.isWhole = outcome == .completed
        // CURLE_HTTP_RETURNED_ERROR
        if case .failed(code: 22, _) = outcome { exchange.isRefusedByStatus = true }
        // Read once: parsing is most of what an exchange costs here.
        let head = exchange.requestHead
        let heads = exchange.responseHeads
        link(exchange, head, of: transfer)
        transfer.previous = (exchange.task, exchange.hop)
        var request = exchange.requestRecord(head)
        var response = exchange.responseRecord(heads, to: head)
        let hidden = settled == nil ? nil : exchange.hiddenBody(heads, to: head)
        let correction = connections.correction(
            of: exchange, Self.bytes(request, response), isPlain: exchange.isPlain(head),
            settledAt: hidden == nil ? nil : settled?.received)
        if correction.unsent > 0 { request = exchange.requestRecord(head, without: correction.unsent) }
        if correction.unseen > 0 { response = exchange.responseRecord(heads, to: head, with: correction.unseen) }
        if let size = response?.size.interim, size.evidence == .reconstructed, correction.assumed > 0 {
            let count = min(correction.assumed, Int64(2 * heads.interimWithoutEnd))
            response?.size.interim = .init(ByteCount(size.bytes.bytes - count), .reported)
        }
        if let hidden, !correction.isVerified {
            response?.size.body = hidden
            response?.decodedBody = .unknown
        }
        if !correction.isVerified, heads.final?.lines.isComplete == false, response?.httpVersion.hasPrefix("1") == true
        {
            // libcurl shows whole lines only; half of one may have come, and nobody can say.
            response?.size.fields.evidence = .reconstructed
        }
        let rest = connections.add(
            exchange, Self.bytes(request, response),
            version: exchange.carried == nil ? response?.httpVersion ?? request.httpVersion : "2",
            isOutsideTLS: head?.method == "CONNECT", isCounted: isCounted)
        let share = rest.map { $0 + (exchange.earlyShare ?? ConnectionShare()) } ?? exchange.earlyShare
        sink.record(.request(request))
        if let response { sink.record(.response(response)) }
        sink.record(
            .end(
                exchange.end(
                    at: time, outcome: outcome, times: transfer.times, since: transfer.before, total: total,
                    share: share)))
        let status = response?.status ?? 0
        guard let target = exchange.target, HopLinker.leadsOn(status: status) else {
            return linker.forget(handle: transfer.handle)
        }
        linker.remember(
            HopLinker.Trace(
                task: exchange.task, hop: exchange.hop, status: status,
                location: response?.fields.firstValue(of: "Location"), target: target,
                hadAuthorization: request.fields.firstValue(of: "Authorization") != nil),
            handle: transfer.handle)
    }

    private static func bytes(_ request: RequestRecord, _ response: ResponseRecord?) -> ByteFlow {
        ByteFlow(up: request.size.known, down: response?.size.known ?? .zero)
    }

    /// Finds the task that an exchange belongs to, once its head is known.
    private func link(_ exchange: ObservedExchange, _ head: RequestHead?, of transfer: Transfer) {
        guard exchange.task == exchange.id, exchange.hop == 0, let target = exchange.target else { return }
        guard
            let trace = linker.predecessor(
                handle: transfer.handle, target: target,
                hasAuthorization: head?.lines.fields.firstValue(of: "Authorization") != nil)
        else { return }
        exchange.task = trace.task
        exchange.hop = trace.hop + 1
    }

    // MARK: what runs

    private func tellRunning() {
        for number in untold.sorted() {
            guard let transfer = transfers[number], let exchange = transfer.current else { continue }
            guard !exchange.headOut.isEmpty else { continue }
            let head = exchange.requestHead
            link(exchange, head, of: transfer)
            exchange.carried = connections.carried(exchange)
            sink.record(.request(exchange.requestRecord(head)))
            if let response = exchange.responseRecord(exchange.responseHeads, to: head) {
                sink.record(.response(response))
            }
        }
        untold = []
        for record in connections.takeUntold() { sink.record(.connection(record)) }
    }
}

extension RequestTarget {
    var isHTTP: Bool { scheme == "http" || scheme == "https" }
}
