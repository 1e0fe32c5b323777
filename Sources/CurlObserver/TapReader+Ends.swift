internal import Clocks
internal import ConnectionAccounts
internal import HTTPWire
internal import Observing
internal import TrafficModel

/// Evidence that all of a response has come, including bytes that libcurl did not show.
struct ResponseEvidence {
    /// The bytes that its connection had received by then, inside of TLS if there is any; nil if not known.
    var received: Int64?
    /// Whether the next exchange of the same transfer goes over the same connection.
    var goesOn = false
    /// Whether libcurl may not have read the body that it did not show.
    ///
    /// It matters if nothing else counts those bytes.
    var mayBeUnread = false

    init() {}

    init(_ exchange: ObservedExchange?, _ kernel: KernelCount?, _ plaintext: PlaintextCount?) {
        // A CONNECT is outside of the TLS that it leads to.
        guard exchange?.isConnect != true else { return }
        received = Self.received(kernel, plaintext, isSecure: exchange?.target?.isSecure == true)
    }

    /// The bytes that a connection had received, inside of TLS if there is any; nil if they were not counted.
    static func received(_ kernel: KernelCount?, _ plaintext: PlaintextCount?, isSecure: Bool) -> Int64? {
        // The TLS may also be to a proxy.
        plaintext?.received ?? (isSecure ? nil : kernel.map { Int64(clamping: $0.received) })
    }
}

extension TapReader {
    /// Ends an attempt because the same transfer has begun the next one.
    ///
    /// - Parameters:
    ///   - transfer: the transfer.
    ///   - time: when the next request was sent.
    ///   - next: the next request.
    ///   - isNew: whether a connection was opened for it.
    /// - Returns: when this attempt was over and the next began.
    func finishAttempt(of transfer: TapTransfer, at time: UInt64, before next: TapFrame.Request, isNew: Bool) -> UInt64
    {
        guard let current = transfer.current else { return time }
        let answered = current.responseHeads.final != nil
        // libcurl does not report when a connection was lost, but it then opens the next one at once.
        let handshakes = isNew ? next.times.since(transfer.times).untilConnected : 0
        let lost = max(current.sentAt ?? 0, time - min(time, UInt64(clamping: handshakes)))
        let over = min(time, answered ? current.lastInAt ?? time : lost)
        var settled: ResponseEvidence?
        if answered {
            // If the connection is the same, all of this response has come, and nothing after it.
            let isSame = !isNew && current.request?.ends == next.ends
            settled = isSame ? ResponseEvidence(current, next.kernel, next.plaintext) : ResponseEvidence()
            settled?.goesOn = isSame
        }
        finishCurrent(of: transfer, at: over, outcome: Self.outcome(ofAttempt: answered), settled: settled)
        return over
    }

    private static func outcome(ofAttempt answered: Bool) -> ExchangeEnd.Outcome {
        answered
            ? .completed
            : .failed(
                ExchangeFailure(
                    .libcurl, code: 52,
                    message: "the connection was lost before the response, and the request sent again"))
    }

    /// Ends an attempt because libcurl had moved on to the next one, of which it sent nothing before the transfer
    /// ended: it found no name, the port was closed, or a handshake failed.
    ///
    /// - Returns: when this attempt was over and the next began; nil if there was no next one.
    private func finishAttempt(of transfer: TapTransfer, before end: TapFrame.End, at time: UInt64) -> UInt64? {
        guard let current = transfer.current, let request = current.request, !Self.isNotFollowed(end) else {
            return nil
        }
        let turnedAt = end.times.redirect ?? 0
        guard turnedAt > request.times.redirect ?? 0 || Self.isReconnect(end, after: current) else { return nil }
        let answered = current.responseHeads.final != nil
        let (turned, isTooLate) = transfer.beganAt.addingReportingOverflow(UInt64(clamping: turnedAt))
        let lost = max(current.sentAt ?? 0, isTooLate ? time : turned)
        let over = min(time, answered ? current.lastInAt ?? time : lost)
        current.countedHeads = end.headerSize - transfer.headsBefore
        transfer.headsBefore = end.headerSize
        connections.count(end.kernel, end.plaintext, of: end.ends)
        // If libcurl still names the connection of this attempt, nothing has gone over it since.
        let isSame = end.ends.isKnown && request.ends == end.ends
        finishCurrent(
            of: transfer, at: over, outcome: Self.outcome(ofAttempt: answered),
            isCounted: isSame && end.kernel != nil,
            settled: answered ? isSame ? ResponseEvidence(current, end.kernel, end.plaintext) : ResponseEvidence() : nil
        )
        return over
    }

    /// Whether libcurl failed to connect again to a proxy that had demanded credentials and closed the connection.
    ///
    /// libcurl does not report that it moves on to that request. The codes are CURLE_COULDNT_RESOLVE_PROXY,
    /// CURLE_COULDNT_RESOLVE_HOST and CURLE_COULDNT_CONNECT.
    private static func isReconnect(_ end: TapFrame.End, after exchange: ObservedExchange) -> Bool {
        end.how == .done && (5...7).contains(end.result) && exchange.requestHead?.method == "CONNECT"
            && exchange.responseHeads.final?.status == 407
    }

    /// Whether libcurl read a redirect and did not follow it: CURLE_TOO_MANY_REDIRECTS, or a target that it cannot
    /// parse or may not request (CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT).
    private static func isNotFollowed(_ end: TapFrame.End) -> Bool {
        end.how == .done && [1, 3, 47].contains(end.result)
    }

    /// Ends HTTP because another protocol follows in the same transfer: after a 101, in a proxy's tunnel, or after a
    /// redirect.
    func leaveHTTP(_ transfer: TapTransfer, at time: UInt64) {
        transfer.isForeign = true
        guard let current = transfer.current else { return }
        let status = current.responseHeads.final?.status ?? 0
        if status == 101 || current.requestHead?.method == "CONNECT" { connections.upgrade(current.transport) }
        finishCurrent(
            of: transfer, at: time, outcome: .completed, settled: status / 100 == 3 ? ResponseEvidence() : nil)
    }

    func finish(_ transfer: TapTransfer, with end: TapFrame.End, at time: UInt64) {
        let turnedAt = finishAttempt(of: transfer, before: end, at: time)
        if transfer.current == nil {
            guard !transfer.isForeign else { return }
            // Nothing was sent. It is still an attempt to reach an HTTP server, unless it was another protocol.
            guard let target = RequestTarget(url: end.url), target.isHTTP else { return }
            // CURLOPT_CONNECT_ONLY: the program itself uses a connection that libcurl has made.
            guard end.how != .done || end.result != 0 else {
                guard turnedAt == nil else { return }
                return connections.open(
                    end.ends, kernel: end.kernel, process: process,
                    at: Timestamp(monotonic: transfer.beganAt, wallOffset: wallOffset()),
                    next: identifiers.nextConnection)
            }
            let exchange = ObservedExchange(
                id: identifiers.nextExchange(), process: process, wallOffset: wallOffset(),
                beganAt: turnedAt ?? transfer.beganAt)
            if let previous = transfer.previous {
                exchange.task = previous.task
                exchange.attempt = previous.attempt + 1
            }
            exchange.target = target
            exchange.intendedMethod = end.method
            let adopted = connections.adopt(
                end.ends, isSecure: target.isSecure,
                hasHandshake: (end.times.since(transfer.times).appConnect ?? 0) > 0, process: process,
                openedAt: exchange.timestamp(exchange.beganAt), next: identifiers.nextConnection)
            if let adopted {
                exchange.connection = adopted.connection
                exchange.earlyShare = adopted.share
                exchange.remoteAddress = end.ends.remote
            }
            exchangeCount += 1
            transfer.before = transfer.times
            transfer.times = end.times
            transfer.current = exchange
        } else {
            // libcurl alone reports it again.
            if let appConnect = end.times.appConnect { transfer.times.appConnect = appConnect }
        }
        transfer.current?.countedHeads = end.headerSize - transfer.headsBefore
        connections.count(end.kernel, end.plaintext, of: end.ends)
        // libcurl has read a redirect that it did not follow. And if the transfer ended well, it may have read a body
        // that it does not show: from 8.5 on that of a 416 to a download that was complete.
        let isRead = Self.isNotFollowed(end) || end.how == .done && end.result == 0 && transfer.direction == .called
        var settled = isRead ? ResponseEvidence(transfer.current, end.kernel, end.plaintext) : nil
        settled?.mayBeUnread = end.result == 0
        var outcome = Self.outcome(of: end)
        if end.how == .removed, end.unsent == 0, let exchange = transfer.current {
            exchange.carried = connections.carried(exchange.stream)
            let (isLeft, hasEnded) = connections.closing(of: exchange.transport, by: time)
            outcome = exchange.outcomeWithoutResult(isLeft: isLeft, hasEnded: hasEnded, isDone: end.isDone)
            if outcome == .cancelled, let patience = end.patience, exchange.hasOutlasted(patience, at: time) {
                outcome = .timedOut
            }
        }
        finishCurrent(
            of: transfer, at: outcome == .completed ? Self.end(of: transfer, end, at: time) : time, outcome: outcome,
            isCounted: end.kernel != nil, settled: settled, unsent: end.unsent)
    }

    /// When a transfer that ended well was over, by libcurl's own clock, even if the program asks for the result later.
    ///
    /// That clock started no earlier than ours. For a transfer that was given up, it shows when libcurl last looked at
    /// it.
    private static func end(of transfer: TapTransfer, _ end: TapFrame.End, at time: UInt64) -> UInt64 {
        guard let total = end.times.total, total > 0, let lastIn = transfer.current?.lastInAt else { return time }
        let (over, isTooLate) = transfer.beganAt.addingReportingOverflow(UInt64(clamping: total))
        return isTooLate ? time : min(time, max(lastIn, over))
    }

    private static func outcome(of end: TapFrame.End) -> ExchangeEnd.Outcome {
        switch end.how {
        case .removed: return .cancelled
        case .stopped: return .abandoned
        case .cut:
            let domain = end.result == 0 ? ExchangeFailure.Domain.connection : .posix
            return .failed(ExchangeFailure(domain, code: Int(end.result), message: end.error))
        case .done:
            // CURLE_OK, CURLE_OPERATION_TIMEDOUT, CURLE_ABORTED_BY_CALLBACK
            // (https://curl.se/libcurl/c/libcurl-errors.html)
            switch end.result {
            case 0: return .completed
            case 28: return .timedOut
            case 42: return .cancelled
            default: return .failed(ExchangeFailure(.libcurl, code: Int(end.result), message: end.error))
            }
        }
    }

    func finishCurrent(
        of transfer: TapTransfer, at time: UInt64, outcome: ExchangeEnd.Outcome,
        isCounted: Bool = false, settled: ResponseEvidence? = nil, unsent: Int64 = 0
    ) {
        guard let exchange = transfer.current else { return }
        transfer.current = nil
        let transport = exchange.transport
        exchange.carried = connections.carriedToTheEnd(transport)
        exchange.isWhole = outcome == .completed
        exchange.includesContent = true
        // CURLE_HTTP_RETURNED_ERROR
        if outcome.failure?.code == 22 { exchange.isRefusedByStatus = true }
        // CURLE_FILESIZE_EXCEEDED
        if outcome.failure?.code == 63 { exchange.isRefusedByField = true }
        // CURLE_WEIRD_SERVER_REPLY
        if outcome.failure?.code == 8 { exchange.isRefusedAtLine = true }
        // Read only once, because parsing is most of the cost of an exchange here.
        let head = exchange.requestHead
        let heads = exchange.responseHeads
        link(exchange, head, of: transfer)
        transfer.previous = (exchange.task, exchange.attempt)
        var request = exchange.requestRecord(head)
        var response = exchange.responseRecord(heads, to: head)
        let hidden = settled == nil ? nil : exchange.hiddenBody(heads, to: head)
        let isCountNeeded = hidden != nil || exchange.hidesFraming(heads, to: head)
        let correction = connections.correction(
            of: transport, Self.bytes(request, response), isPlain: exchange.isPlain(head),
            settledAt: isCountNeeded ? settled?.received : nil,
            room: exchange.room(heads, to: head, isWhole: outcome == .completed),
            isIncomplete: outcome == .incomplete)
        if isCountNeeded, !correction.isVerified { connections.leaveUnsettled(transport) }
        switch transfer.direction {
        case .called:
            if correction.unsent > 0 { request = exchange.requestRecord(head, without: correction.unsent) }
        case .served:
            // The tap counts to the end of each response, the correction only to that of the last one. What TLS has added
            // to the bytes that were not sent is not known.
            response?.withdraw(
                max(unsent, correction.unsent), exchange.isPlain(head) ? .reported : .reconstructed)
        }
        if correction.mayBeUnsent, outcome != .completed {
            // Such as the frame that resets the stream: libcurl may drop it with the connection.
            request.size.framing.evidence = min(request.size.framing.evidence, .reconstructed)
        }
        if correction.unseen > 0 { response = exchange.responseRecord(heads, to: head, with: correction.unseen) }
        if let size = response?.size.interim, size.evidence == .reconstructed, correction.assumed > 0 {
            let count = min(correction.assumed, Int64(2 * heads.interimWithoutEnd))
            response?.size.interim = .init(ByteCount(size.bytes.bytes - count), .reported)
        }
        if let hidden, !correction.isVerified {
            response?.size.body = settled?.mayBeUnread == true ? .unknown : hidden
            response?.decodedBody = .unknown
        }
        if !correction.isVerified, heads.final?.lines.isComplete == false, response?.httpVersion.hasPrefix("1") == true
        {
            // libcurl shows whole lines only. Half of one may have come, which cannot be known.
            response?.size.fields.evidence = .reconstructed
        }
        if !correction.isVerified, response != nil { exchange.admitUnseenBody(of: &response!, heads, to: head) }
        if outcome == .incomplete {
            let (known, answer) = exchange.admittingLosses(request, response, head, heads)
            request = known
            response = answer
        }
        let rest = connections.add(
            transport, Self.bytes(request, response),
            version: exchange.carried == nil ? response?.httpVersion ?? request.httpVersion : "2",
            isOutsideTLS: head?.method == "CONNECT" && !exchange.isOfFrames, isCounted: isCounted,
            goesOn: settled?.goesOn ?? false,
            end: exchange.responseEnd(heads, to: head, outcome))
        let share = rest.map { $0 + (exchange.earlyShare ?? ConnectionShare()) } ?? exchange.earlyShare
        var end = exchange.end(
            at: time, outcome: outcome, steps: transfer.times.since(transfer.before),
            isAnswered: heads.final != nil || exchange.bodyIn != nil, share: share)
        if outcome == .incomplete {
            // `time` is the moment of the loss, not of the end.
            end.timings.total = nil
            end.timings.receive = nil
        }
        // A thread that serves requests follows no redirect of its own.
        if transfer.direction == .called {
            let status = response?.status ?? 0
            if let target = exchange.target, AttemptLinker.leadsOn(status: status) {
                linker.remember(
                    AttemptLinker.Attempt(
                        task: exchange.task, number: exchange.attempt, status: status,
                        location: response?.fields.firstValue(of: "Location"), target: target,
                        hadAuthorization: request.fields.firstValue(of: "Authorization") != nil, endedAt: time),
                    handle: transfer.handle)
            } else {
                linker.forget(handle: transfer.handle)
            }
        }
        // Last, so that the records are moved and not copied.
        queue(consume request, consume response, end)
    }

    private static func bytes(_ request: RequestRecord, _ response: ResponseRecord?) -> ByteFlow {
        ByteFlow(up: request.size.known, down: response?.size.known ?? .zero)
    }

    /// Finds the task that an exchange belongs to, once its headers are known.
    func link(_ exchange: ObservedExchange, _ head: RequestHead?, of transfer: TapTransfer) {
        guard transfer.direction == .called, exchange.task == exchange.id, exchange.attempt == 0,
            let target = exchange.target
        else { return }
        guard
            let earlier = linker.predecessor(
                handle: transfer.handle, target: target, at: exchange.beganAt,
                hasAuthorization: head?.lines.fields.firstValue(of: "Authorization") != nil)
        else { return }
        exchange.task = earlier.task
        exchange.attempt = earlier.number + 1
    }
}
