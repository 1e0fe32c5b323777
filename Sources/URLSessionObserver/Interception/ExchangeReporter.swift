internal import Foundation
internal import HTTPWire
internal import Observing
internal import Locks
internal import TrafficModel

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Reports one task that is seen through `URLProtocol`: one exchange after the other, as redirects follow.
///
/// Every size is reconstructed. The sink is called inside the lock, which is safe because it never blocks. So the end
/// is the last event of an exchange, whichever thread ends it. If a body is compressed again, the end is reported on
/// the compressing queue.
final class ExchangeReporter: Sendable {
    /// The fields and cookies that the session adds to a request.
    struct Surroundings: Sendable {
        var additionalFields: [ShownField] = []
        /// The storage from which the loader takes cookies when it sends; nil if the visible request already has them.
        var cookieStorage: HTTPCookieStorage?
        var wantsCookies = true
    }

    private struct Attempt {
        var id: ExchangeID
        var number: Int
        var request: URLRequest
        var beganAt: Timestamp
        /// The storage's cookies when the request was sent, because its response may change them.
        var cookies: [ShownField]
        /// Whether the loader sends the body that the request has.
        var sendsBody = true
        var sent: Int64 = 0
        var response: HTTPURLResponse?
        var respondedAt: Timestamp?
        var pieces = PieceTally()
        var sawBody = false
        /// The decoded body, to be compressed again; nil if its size is known in another way.
        var recompressed: Recompression.Body?
    }

    private struct State {
        var attempt: Attempt?
        var task: ExchangeID?
        var attempts = 0
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
        continuing task: ExchangeID? = nil, attempt: Int = 0
    ) {
        self.output = output
        self.recompression = recompression
        self.surroundings = surroundings
        self.isSilent = isSilent
        state.withLock {
            $0.task = task
            $0.attempts = attempt
        }
    }

    /// The task and the number of its exchanges so far, for the object that continues it.
    var trail: (task: ExchangeID, attempts: Int)? {
        state.withLock { state in state.task.map { ($0, state.attempts) } }
    }

    /// Starts the exchange of a request; a redirect to another scheme than HTTP's starts none.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - sendsBody: whether the loader sends the body that the request has.
    func begin(_ request: URLRequest, sendsBody: Bool = true) {
        state.withLock { state in
            guard !state.isOver, request.isHTTP else { return }
            let id = output.identifiers.nextExchange()
            let task = state.task ?? id
            state.task = task
            let attempt = Attempt(
                id: id, number: state.attempts, request: request, beganAt: output.now(), cookies: cookies(for: request),
                sendsBody: sendsBody)
            state.attempt = attempt
            state.attempts += 1
            report(.request(self.request(of: attempt, task: task, size: estimate(attempt))))
        }
    }

    /// Takes the header fields of the request as it is sent, including those that the loader added.
    func sends(_ request: URLRequest) {
        state.withLock { state in
            guard state.attempt?.response == nil, request.url == state.attempt?.request.url else { return }
            state.attempt?.request.allHTTPHeaderFields = request.allHTTPHeaderFields
        }
    }

    /// Counts the bytes of the request's body that were sent since the last call.
    func sent(_ count: Int64) {
        state.withLock { state in
            guard let sent = state.attempt?.sent else { return }
            let (sum, overflow) = sent.addingReportingOverflow(max(0, count))
            state.attempt?.sent = overflow ? .max : sum
        }
    }

    /// Takes the headers of the response.
    func receive(_ response: URLResponse) {
        state.withLock { state in
            guard let response = response as? HTTPURLResponse, state.attempt?.response == nil else { return }
            state.attempt?.response = response
            state.attempt?.respondedAt = output.now()
            let request = state.attempt?.request
            state.attempt?.recompressed = recompressed(response, to: request)
        }
    }

    /// Takes a piece of the decoded body.
    func receive(_ data: Data) {
        state.withLock { state in
            state.attempt?.sawBody = true
            state.attempt?.pieces.add(data.count)
            state.attempt?.recompressed?.add(data)
        }
    }

    /// Records that the body is visible to us, so if no piece comes, the body is empty.
    func watchBody() { state.withLock { $0.attempt?.sawBody = true } }

    /// Ends the exchange, because its response is a redirect.
    func redirect(_ response: URLResponse) {
        receive(response)
        state.withLock { finish(&$0, .completed) }
    }

    /// Replaces the request, because the loader followed redirects unseen; reports an untapped loss.
    func replaceRequest(_ request: URLRequest) {
        guard request.isHTTP else { return }
        state.withLock { $0.attempt?.request = request }
        report(.loss(TrafficLoss(reason: .untapped, count: 1)))
    }

    /// Reports a loss, because a transfer continues out of our sight.
    func lose() { report(.loss(TrafficLoss(reason: .untapped, count: 1))) }

    /// Ends the task; nothing is reported of it afterwards.
    func end(_ outcome: ExchangeEnd.Outcome) {
        state.withLock { state in
            guard !state.isOver else { return }
            finish(&state, outcome)
            state.isOver = true
        }
    }

    private func report(_ event: TrafficEvent) {
        if !isSilent { output.sink.record(event) }
    }

    // MARK: records

    private func finish(_ state: inout State, _ outcome: ExchangeEnd.Outcome) {
        guard let attempt = state.attempt, let task = state.task else { return }
        state.attempt = nil
        // The wall clock may have been set back, but an exchange must not end before its start.
        let now = max(attempt.beganAt, output.now())
        report(.request(request(of: attempt, task: task, size: sentSize(attempt, outcome))))
        var timings = ExchangeTimings(receive: attempt.respondedAt.map { $0.span(to: now) })
        timings.close(over: attempt.beganAt.span(to: now))
        let end = ExchangeEnd(exchange: attempt.id, endedAt: now, outcome: outcome, timings: timings)
        guard let recompressed = attempt.recompressed else { return report(attempt, end, recompressed: nil) }
        recompressed.finish { [self] in report(attempt, end, recompressed: $0) }
    }

    /// Reports the response, if there is one, and the end: the last events of an exchange.
    private func report(_ attempt: Attempt, _ end: ExchangeEnd, recompressed: Int64?) {
        if let response = response(of: attempt, end.outcome, recompressed: recompressed) { report(.response(response)) }
        report(.end(end))
    }

    /// Returns an estimator that compresses the body again, if nothing else shows the size of the compressed body.
    private func recompressed(_ response: HTTPURLResponse, to request: URLRequest?) -> Recompression.Body? {
        guard !isSilent, request?.httpMethod != "HEAD", response.value(forHTTPHeaderField: "Content-Length") == nil,
            let coding = response.value(forHTTPHeaderField: "Content-Encoding")
        else { return nil }
        return recompression.body(contentEncoding: coding)
    }

    private func request(of attempt: Attempt, task: ExchangeID, size: WireSize) -> RequestRecord {
        let target = attempt.request.url.flatMap { RequestTarget(url: $0.absoluteString) }
        return RequestRecord(
            exchange: attempt.id, task: task, resendCount: attempt.number, process: output.process,
            startedAt: attempt.beganAt,
            method: attempt.request.httpMethod ?? "GET", scheme: target?.scheme ?? "", host: target?.host ?? "",
            port: target?.port ?? 0, path: target?.path ?? "", query: target?.query, httpVersion: "",
            fields: FieldSection(shown: attempt.request.allHTTPHeaderFields ?? [:]), size: size)
    }

    private func response(
        of attempt: Attempt, _ outcome: ExchangeEnd.Outcome, recompressed: Int64?
    ) -> ResponseRecord? {
        guard let response = attempt.response else { return nil }
        let shown = response.shownFields
        let fields = FieldSection(shown: shown)
        let content = attempt.pieces.content
        let isCoded = !fields.contentCoding.isEmpty
        let body: ShownResponse.Body =
            if !attempt.sawBody {
                .unseen
            } else if isCoded {
                .decoded(content, recompressed: content == 0 ? nil : recompressed)
            } else {
                .wire(content)
            }
        let estimate = Reconstruction.response(
            ShownResponse(
                status: response.statusCode, fields: shown.map { ShownField($0.key, $0.value) },
                requestMethod: attempt.request.httpMethod ?? "GET",
                requestExpectsContinue: attempt.request.value(forHTTPHeaderField: "Expect") != nil, body: body,
                pieces: attempt.sawBody && !isCoded ? attempt.pieces : nil, isComplete: outcome == .completed),
            profile: profile(of: attempt))
        return ResponseRecord(
            exchange: attempt.id, firstByteAt: attempt.respondedAt ?? attempt.beganAt, status: response.statusCode,
            reason: "",
            httpVersion: "", fields: fields, size: estimate.sizeWithMargin,
            decodedBody: attempt.sawBody ? .init(ByteCount(content), .reconstructed) : .unknown,
            contentType: fields.mediaType, contentEncoding: fields.contentCoding)
    }

    // MARK: sizes

    private func profile(of attempt: Attempt) -> PlatformProfile {
        HostProfile.current(isSecure: attempt.request.url?.scheme?.lowercased() == "https")
    }

    private func cookies(for request: URLRequest) -> [ShownField] {
        guard surroundings.wantsCookies, request.httpShouldHandleCookies, let storage = surroundings.cookieStorage,
            let url = request.url
        else { return [] }
        return (storage.cookies(for: url) ?? []).map { ShownField($0.name, $0.value) }
    }

    private func estimate(_ attempt: Attempt) -> WireSize {
        let request = attempt.request
        let hasOwn = request.value(forHTTPHeaderField: "Cookie") != nil
        let body: ShownRequest.Body
        if !attempt.sendsBody {
            body = .none
        } else if let data = request.httpBody, !data.isEmpty {
            body = .length(Int64(data.count))
        } else if request.httpBodyStream != nil {
            // Only the loader reads the stream, so the bytes are counted as they are sent.
            body = .stream(length: nil, counted: attempt.sent)
        } else {
            body = .none
        }
        return Reconstruction.request(
            ShownRequest(
                method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "",
                fields: (request.allHTTPHeaderFields ?? [:]).map { ShownField($0.key, $0.value) },
                additionalFields: surroundings.additionalFields,
                cookies: hasOwn ? [] : attempt.cookies, wantsCookies: surroundings.wantsCookies, body: body,
                holdsBody: request.httpBody?.isEmpty == false || request.httpBodyStream != nil),
            profile: profile(of: attempt)
        ).sizeWithMargin
    }

    /// The size of the part of the request that was sent, as far as the outcome shows it.
    private func sentSize(_ attempt: Attempt, _ outcome: ExchangeEnd.Outcome) -> WireSize {
        guard attempt.response == nil else { return estimate(attempt) }
        if outcome == .completed { return estimate(attempt) }
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
