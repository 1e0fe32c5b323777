internal import HTTPWire
internal import TrafficModel

/// Whether messages are whole, by what they say of their own length: what libcurl made of a transfer is known only where
/// the program asks for it.
extension ObservedExchange {
    /// Whether all of the response has come.
    ///
    /// - Parameters:
    ///   - heads: ``responseHeads``.
    ///   - requestHead: the head of the request that it answers.
    ///   - isDone: whether libcurl was done with it: that is all there is to go by where frames of HTTP/2 cannot be seen.
    /// - Returns: nil where only the end of the connection tells, and for what is no response of HTTP.
    func hasWholeResponse(_ heads: ResponseHeads, to requestHead: RequestHead?, isDone: Bool = false) -> Bool? {
        if let carried, carried.down.isEnded { return heads.final != nil }
        guard let head = heads.final else { return heads.byteCount == 0 && bodyIn != nil ? nil : false }
        // Behind these, other protocols begin: they end in their own way.
        let isUpgrade = head.status == 101 || (requestHead?.method == "CONNECT" && (200..<300).contains(head.status))
        guard head.lines.isComplete, !isUpgrade else { return false }
        let isBinary = head.httpVersion.isBinaryHTTP
        let length = BodyLength.ofResponse(
            status: head.status, to: requestHead?.method ?? "", fields: head.lines.fields, isHTTP2: isBinary)
        let isWhole = (bodyIn?.metered ?? MeteredBody()).isWhole(as: length)
        // A stream without a length says with a flag that it is at its end.
        return isBinary ? isWhole ?? (isDone && carried == nil) : isWhole
    }

    /// Whether all of the request was sent.
    func hasWholeRequest(_ head: RequestHead?, isDone: Bool = false) -> Bool {
        if let carried, carried.up.isEnded { return true }
        guard let head, head.lines.isComplete else { return false }
        let isBinary = head.httpVersion.isBinaryHTTP
        let length = BodyLength.ofRequest(fields: head.lines.fields, isHTTP2: isBinary)
        // Over HTTP/1 there is no body without a length; over HTTP/2 its end is a flag.
        return (bodyOut?.metered ?? MeteredBody()).isWhole(as: length) ?? (!isBinary || isDone && carried == nil)
    }

    /// What became of a transfer that the program took back without having asked libcurl for a result.
    ///
    /// - Parameters:
    ///   - isLeft: whether libcurl had closed the connection by then, as it does with one that it cannot use again.
    ///   - hasEnded: whether the peer had ended the connection, as one that has sent all does.
    ///   - isDone: whether libcurl was done with it, and had named no error.
    /// - Returns: completed where all of the response has come; cancelled where it has not, and more could have come.
    func outcomeWithoutResult(isLeft: Bool, hasEnded: Bool, isDone: Bool) -> ExchangeEnd.Outcome {
        let head = requestHead
        let heads = responseHeads
        let isWhole = hasWholeResponse(heads, to: head, isDone: isDone)
        if isWhole ?? (isLeft && hasEnded && isPlain(head)) {
            // From 300 on libcurl does not send what is left of the request.
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
    /// Then its own timer had run out, and no cancel can have come first. URLSession's timer on Linux begins a moment before
    /// the transfer, and anew whenever libcurl asks for content or hands over lines or content.
    func hasOutlasted(_ patience: UInt64, at time: UInt64) -> Bool {
        let last = [beganAt, headInAt, bodyOut?.last, bodyIn?.last].compactMap(\.self).max() ?? beganAt
        // A busy machine hands the transfer to libcurl late.
        let slack = min(patience / 10, 50_000_000)
        return time >= last && time - last >= patience - slack
    }

    // MARK: losses

    /// The records with sizes unknown for what the meter has lost.
    ///
    /// - Returns: a response also where nothing was seen of one: whether one came is not known.
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
