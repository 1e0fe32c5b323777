internal import HTTPWire
internal import TrafficModel

/// Says that all of a response has come, also what was not shown of it.
struct Settled {
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

extension TapReader {
    /// A hop is over because the same transfer has begun the next.
    func finishHop(of transfer: TapTransfer, at time: UInt64, before next: TapFrame.Request, isNew: Bool) {
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

    func finish(_ transfer: TapTransfer, with end: TapFrame.End, at time: UInt64) {
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

    func finishCurrent(
        of transfer: TapTransfer, at time: UInt64, outcome: ExchangeEnd.Outcome, total: Int64?,
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
        tellLater(
            request, response,
            exchange.end(
                at: time, outcome: outcome, times: transfer.times, since: transfer.before, total: total, share: share))
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
    func link(_ exchange: ObservedExchange, _ head: RequestHead?, of transfer: TapTransfer) {
        guard exchange.task == exchange.id, exchange.hop == 0, let target = exchange.target else { return }
        guard
            let trace = linker.predecessor(
                handle: transfer.handle, target: target,
                hasAuthorization: head?.lines.fields.firstValue(of: "Authorization") != nil)
        else { return }
        exchange.task = trace.task
        exchange.hop = trace.hop + 1
    }
}
