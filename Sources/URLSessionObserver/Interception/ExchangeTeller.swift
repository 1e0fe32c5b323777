internal import Foundation
internal import HTTPWire
internal import Observing
internal import Synchronization
internal import TrafficModel

#if canImport(FoundationNetworking) && !APPLE_STAND_IN
    internal import FoundationNetworking
#endif

/// Reports one task that is seen through `URLProtocol`: one exchange after the other, as redirects follow.
///
/// Every size is reconstructed. The sink is called inside the lock, which is safe because it never blocks. So the end
/// is the last event of an exchange, whichever thread ends it. If a body is compressed again, the end is reported on
/// the compressing queue.
final class ExchangeTeller: Sendable {
    /// The fields and cookies that the session adds to a request.
    struct Surroundings: Sendable {
        var additionalFields: [ShownField] = []
        /// The storage from which the loader takes cookies when it sends; nil if the visible request already has them.
        var cookieStorage: HTTPCookieStorage?
        var wantsCookies = true
    }

    private struct Hop {
        var id: ExchangeID
        var number: Int
        var request: URLRequest
        var beganAt: Timestamp
        /// The storage's cookies when the request was sent, because its response may change them.
        var cookies: [ShownField]
        var sent: Int64 = 0
        var response: HTTPURLResponse?
        var respondedAt: Timestamp?
        var pieces = PieceTally()
        var sawBody = false
        /// The decoded body, to be compressed again; nil if its size is known in another way.
        var recompressed: Recompression.Body?
    }

    private struct State {
        var hop: Hop?
        var task: ExchangeID?
        var hops = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let output: ObserverOutput
    private let surroundings: Surroundings
    /// Whether another observer reports the task; then this one reports nothing.
    private let isSilent: Bool
    private let recompression: Recompression

    init(
        output: ObserverOutput, surroundings: Surroundings, recompression: Recompression, isSilent: Bool,
        continuing task: ExchangeID? = nil, hop: Int = 0
    ) {
        self.output = output
        self.recompression = recompression
        self.surroundings = surroundings
        self.isSilent = isSilent
        state.withLock {
            $0.task = task
            $0.hops = hop
        }
    }

    /// The task and the number of its exchanges so far, for the object that continues it.
    var trail: (task: ExchangeID, hops: Int)? {
        state.withLock { state in state.task.map { ($0, state.hops) } }
    }

    /// Starts the exchange of a request; a redirect to another scheme than HTTP's starts none.
    func begin(_ request: URLRequest) {
        state.withLock { state in
            guard !state.isOver, request.isHTTP else { return }
            let id = output.identifiers.nextExchange()
            let task = state.task ?? id
            state.task = task
            let hop = Hop(
                id: id, number: state.hops, request: request, beganAt: output.now(), cookies: cookies(for: request))
            state.hop = hop
            state.hops += 1
            tell(.request(self.request(of: hop, task: task, size: estimate(hop))))
        }
    }

    /// Takes the header fields of the request as it is sent, including those that the loader added.
    func sends(_ request: URLRequest) {
        state.withLock { state in
            guard state.hop?.response == nil, request.url == state.hop?.request.url else { return }
            state.hop?.request.allHTTPHeaderFields = request.allHTTPHeaderFields
        }
    }

    /// Counts the bytes of the request's body that were sent since the last call.
    func sent(_ count: Int64) {
        state.withLock { state in
            guard let sent = state.hop?.sent else { return }
            let (sum, overflow) = sent.addingReportingOverflow(max(0, count))
            state.hop?.sent = overflow ? .max : sum
        }
    }

    /// Takes the headers of the response.
    func receive(_ response: URLResponse) {
        state.withLock { state in
            guard let response = response as? HTTPURLResponse, state.hop?.response == nil else { return }
            state.hop?.response = response
            state.hop?.respondedAt = output.now()
            let request = state.hop?.request
            state.hop?.recompressed = recompressed(response, to: request)
        }
    }

    /// Takes a piece of the decoded body.
    func receive(_ data: Data) {
        state.withLock { state in
            state.hop?.sawBody = true
            state.hop?.pieces.add(data.count)
            state.hop?.recompressed?.add(data)
        }
    }

    /// Records that the body is visible to us, so if no piece comes, the body is empty.
    func watchBody() { state.withLock { $0.hop?.sawBody = true } }

    /// Ends the exchange, because its response is a redirect.
    func redirect(_ response: URLResponse) {
        receive(response)
        state.withLock { finish(&$0, .completed) }
    }

    /// Replaces the request, because the loader followed redirects unseen; reports an untapped loss.
    func replaceRequest(_ request: URLRequest) {
        guard request.isHTTP else { return }
        state.withLock { $0.hop?.request = request }
        tell(.loss(TrafficLoss(reason: .untapped, count: 1)))
    }

    /// Reports a loss, because a transfer continues out of our sight.
    func lose() { tell(.loss(TrafficLoss(reason: .untapped, count: 1))) }

    /// Ends the task; nothing is reported of it afterwards.
    func end(_ outcome: ExchangeEnd.Outcome) {
        state.withLock { state in
            guard !state.isOver else { return }
            finish(&state, outcome)
            state.isOver = true
        }
    }

    private func tell(_ event: TrafficEvent) {
        if !isSilent { output.sink.record(event) }
    }

    // MARK: records

    private func finish(_ state: inout State, _ outcome: ExchangeEnd.Outcome) {
        guard let hop = state.hop, let task = state.task else { return }
        state.hop = nil
        // The wall clock may have been set back, but an exchange must not end before its start.
        let now = max(hop.beganAt, output.now())
        tell(.request(request(of: hop, task: task, size: sentSize(hop, outcome))))
        var timings = ExchangeTimings(receive: hop.respondedAt.map { $0.span(to: now) })
        timings.close(over: hop.beganAt.span(to: now))
        let end = ExchangeEnd(exchange: hop.id, endedAt: now, outcome: outcome, timings: timings)
        guard let recompressed = hop.recompressed else { return tell(hop, end, recompressed: nil) }
        recompressed.finish { [self] in tell(hop, end, recompressed: $0) }
    }

    /// Reports the response, if there is one, and the end: the last events of an exchange.
    private func tell(_ hop: Hop, _ end: ExchangeEnd, recompressed: Int64?) {
        if let response = response(of: hop, end.outcome, recompressed: recompressed) { tell(.response(response)) }
        tell(.end(end))
    }

    /// Returns an estimator that compresses the body again, if nothing else shows the size of the compressed body.
    private func recompressed(_ response: HTTPURLResponse, to request: URLRequest?) -> Recompression.Body? {
        guard !isSilent, request?.httpMethod != "HEAD", response.value(forHTTPHeaderField: "Content-Length") == nil,
            let coding = response.value(forHTTPHeaderField: "Content-Encoding")
        else { return nil }
        return recompression.body(contentEncoding: coding)
    }

    private func request(of hop: Hop, task: ExchangeID, size: WireSize) -> RequestRecord {
        let target = hop.request.url.flatMap { RequestTarget(url: $0.absoluteString) }
        return RequestRecord(
            exchange: hop.id, task: task, hop: hop.number, process: output.process, startedAt: hop.beganAt,
            method: hop.request.httpMethod ?? "GET", scheme: target?.scheme ?? "", host: target?.host ?? "",
            port: target?.port ?? 0, path: target?.path ?? "", query: target?.query, httpVersion: "",
            fields: FieldSection(shown: hop.request.allHTTPHeaderFields ?? [:]), size: size)
    }

    private func response(
        of hop: Hop, _ outcome: ExchangeEnd.Outcome, recompressed: Int64?
    ) -> ResponseRecord? {
        guard let response = hop.response else { return nil }
        let shown = response.shownFields
        let fields = FieldSection(shown: shown)
        let content = hop.pieces.content
        let isCoded = !fields.contentCoding.isEmpty
        let body: ShownResponse.Body =
            if !hop.sawBody {
                .unseen
            } else if isCoded {
                .decoded(content, recompressed: content == 0 ? nil : recompressed)
            } else {
                .wire(content)
            }
        let estimate = Reconstruction.response(
            ShownResponse(
                status: response.statusCode, fields: shown.map { ShownField($0.key, $0.value) },
                requestMethod: hop.request.httpMethod ?? "GET",
                requestExpectsContinue: hop.request.value(forHTTPHeaderField: "Expect") != nil, body: body,
                pieces: hop.sawBody && !isCoded ? hop.pieces : nil, isComplete: outcome == .completed),
            profile: profile(of: hop))
        return ResponseRecord(
            exchange: hop.id, firstByteAt: hop.respondedAt ?? hop.beganAt, status: response.statusCode, reason: "",
            httpVersion: "", fields: fields, size: estimate.sizeWithMargin,
            decodedBody: hop.sawBody ? .init(ByteCount(content), .reconstructed) : .unknown,
            contentType: fields.mediaType, contentEncoding: fields.contentCoding)
    }

    // MARK: sizes

    private func profile(of hop: Hop) -> PlatformProfile {
        HostProfile.current(isSecure: hop.request.url?.scheme?.lowercased() == "https")
    }

    private func cookies(for request: URLRequest) -> [ShownField] {
        guard surroundings.wantsCookies, request.httpShouldHandleCookies, let storage = surroundings.cookieStorage,
            let url = request.url
        else { return [] }
        return (storage.cookies(for: url) ?? []).map { ShownField($0.name, $0.value) }
    }

    private func estimate(_ hop: Hop) -> WireSize {
        let request = hop.request
        let hasOwn = request.value(forHTTPHeaderField: "Cookie") != nil
        let body: ShownRequest.Body
        if let data = request.httpBody, !data.isEmpty {
            body = .length(Int64(data.count))
        } else if request.httpBodyStream != nil {
            // Only the loader reads the stream, so the bytes are counted as they are sent.
            body = .stream(length: nil, counted: hop.sent)
        } else {
            body = .none
        }
        return Reconstruction.request(
            ShownRequest(
                method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "",
                fields: (request.allHTTPHeaderFields ?? [:]).map { ShownField($0.key, $0.value) },
                additionalFields: surroundings.additionalFields,
                cookies: hasOwn ? [] : hop.cookies, wantsCookies: surroundings.wantsCookies, body: body,
                holdsBody: request.httpBody?.isEmpty == false || request.httpBodyStream != nil),
            profile: profile(of: hop)
        ).sizeWithMargin
    }

    /// The size of the part of the request that was sent, as far as the outcome shows it.
    private func sentSize(_ hop: Hop, _ outcome: ExchangeEnd.Outcome) -> WireSize {
        guard hop.response == nil else { return estimate(hop) }
        if outcome == .completed { return estimate(hop) }
        if let failure = outcome.failure, failure.domain == .urlSession,
            Self.codesBeforeSending.contains(failure.code)
        {
            let none = WireSize.Part(.zero, .reconstructed)
            return WireSize(
                startLine: none, fields: none, cookies: none, interim: none, body: none, framing: none)
        }
        // Nothing shows how much of the request was sent.
        return .unknown
    }

    /// The codes of errors that occur before the first byte of a request is sent.
    private static let codesBeforeSending: Set<Int> = [
        NSURLErrorBadURL, NSURLErrorUnsupportedURL, NSURLErrorCannotFindHost, NSURLErrorCannotConnectToHost,
        NSURLErrorDNSLookupFailed, NSURLErrorNotConnectedToInternet, NSURLErrorSecureConnectionFailed,
        NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateUntrusted,
        NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid,
    ]
}
