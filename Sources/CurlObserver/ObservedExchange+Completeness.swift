internal import ConnectionAccounts
internal import HTTPWire
internal import TrafficModel

/// Whether messages are whole, by the lengths that they state themselves: libcurl's result is known only if the program
/// asks for it.
extension ObservedExchange {
    /// Whether all of the response has come.
    ///
    /// - Parameters:
    ///   - heads: the value of ``responseHeads``.
    ///   - requestHead: the start line and headers of its request.
    ///   - isDone: whether libcurl was done with it. If the frames of HTTP/2 cannot be seen, this is the only evidence.
    /// - Returns: nil if only the end of the connection ends the response, and if it is not a response of HTTP.
    func hasWholeResponse(_ heads: ResponseHeads, to requestHead: RequestHead?, isDone: Bool = false) -> Bool? {
        if let carried, carried.down.isEnded { return heads.final != nil }
        guard let head = heads.final else { return heads.byteCount == 0 && bodyIn != nil ? nil : false }
        // After these, other protocols start, which end in their own ways.
        let isUpgrade = head.status == 101 || (requestHead?.method == "CONNECT" && (200..<300).contains(head.status))
        guard head.lines.isComplete, !isUpgrade else { return false }
        let isBinary = head.httpVersion.isBinaryHTTP
        let length = BodyLength.ofResponse(
            status: head.status, to: requestHead?.method ?? "", head.lines.common, isHTTP2: isBinary)
        let isWhole = (bodyIn?.metered ?? MeteredBody()).isWhole(as: length)
        // A stream without a length marks its end with a flag, chunks mark it with the last one.
        let isEndHidden = isBinary || hidesFraming(heads, to: requestHead)
        return isEndHidden ? isWhole ?? (isDone && carried == nil) : isWhole
    }

    /// Whether all of the request was sent.
    func hasWholeRequest(_ head: RequestHead?, isDone: Bool = false) -> Bool {
        if let carried, carried.up.isEnded { return true }
        guard let head, head.lines.isComplete else { return false }
        let isBinary = head.httpVersion.isBinaryHTTP
        let length = BodyLength.ofRequest(head.lines.common, isHTTP2: isBinary)
        // Over HTTP/1 there is no body without a length; over HTTP/2 a flag marks its end.
        return (bodyOut?.metered ?? MeteredBody()).isWhole(as: length) ?? (!isBinary || isDone && carried == nil)
    }

    /// The outcome of a transfer that the program took back without asking libcurl for a result.
    ///
    /// - Parameters:
    ///   - isLeft: whether libcurl had closed the connection by then, as it does with one that it cannot use again.
    ///   - hasEnded: whether the peer had closed its side after sending everything (FIN).
    ///   - isDone: whether libcurl was done with it, and had named no error.
    /// - Returns: completed if all of the response has come; cancelled if it has not, and more could have come.
    func outcomeWithoutResult(isLeft: Bool, hasEnded: Bool, isDone: Bool) -> ExchangeEnd.Outcome {
        let head = requestHead
        let heads = responseHeads
        let isWhole = hasWholeResponse(heads, to: head, isDone: isDone)
        if isWhole ?? (isLeft && hasEnded && isPlain(head)) {
            // From 300 on libcurl does not send the rest of the request.
            return hasWholeRequest(head, isDone: isDone) || (heads.final?.status ?? 0) >= 300 ? .completed : .cancelled
        }
        guard isLeft, isWhole != nil else { return .cancelled }
        return .failed(
            ExchangeFailure(
                .libcurl, code: 0,
                message: "libcurl closed the connection before the response was whole; the program did not ask why"))
    }

    /// Whether nothing had come or gone for as long as the program waits, when it took the transfer back.
    ///
    /// Then its own timer had run out; a cancel cannot have come first. URLSession's timer on Linux starts a moment
    /// before the transfer, and again whenever libcurl requests content, or passes on lines or content.
    func hasOutlasted(_ patience: UInt64, at time: UInt64) -> Bool {
        let last = [beganAt, headInAt, bodyOut?.last, bodyIn?.last].compactMap(\.self).max() ?? beganAt
        // On a busy machine the transfer reaches libcurl late.
        let slack = min(patience / 10, 50_000_000)
        return time >= last && time - last >= patience - slack
    }

    // MARK: losses

    /// The records, with the sizes of the parts that the meter has lost set to unknown.
    ///
    /// - Returns: a response even if nothing of one was seen, because it is not known whether one came.
    func admittingLosses(
        _ request: RequestRecord, _ response: ResponseRecord?, _ head: RequestHead?, _ heads: ResponseHeads
    ) -> (RequestRecord, ResponseRecord) {
        var request = request
        if head?.lines.isComplete != true {
            request.size = .unknown
        } else if !hasWholeRequest(head) {
            request.size.body = .unknown
            request.size.framing = .unknown
            request.bodyDigest = nil
        }
        guard var response, heads.final?.lines.isComplete == true else {
            let status = response?.status ?? 0
            return (
                request,
                ResponseRecord(
                    exchange: id, firstByteAt: response?.firstByteAt ?? timestamp(sentAt ?? beganAt), status: status,
                    reason: response?.reason ?? "", httpVersion: response?.httpVersion ?? "",
                    fields: response?.fields ?? FieldSection(), size: .unknown)
            )
        }
        if hasWholeResponse(heads, to: head) != true {
            response.size.body = .unknown
            response.size.framing = .unknown
            response.decodedBody = .unknown
            response.bodyDigest = nil
        }
        return (request, response)
    }
}
