internal import Dispatch
internal import Foundation
internal import Locks
internal import TrafficModel

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One request that our session sends: it passes the inner task's response to the client of the protocol object.
///
/// `@unchecked Sendable`: all mutable state is inside the mutex; only ``deliver(_:)`` uses the protocol object, which
/// cannot be Sendable.
final class Load: @unchecked Sendable {
    private struct State {
        var isOver = false
        var isSuspended = false
        var task: URLSessionDataTask?
        /// The content held back until it is complete; see ``receive(_:)-(Data)``.
        var body = Data()
        /// The status that was last delivered to the client.
        var deliveredStatus: Int?
        /// The calls that wait for the client's queue.
        var pending: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let metered: MeteredConfiguration
    private let reporter: ExchangeReporter
    private nonisolated(unsafe) weak var owner: URLProtocol?
    #if canImport(ObjectiveC)
        private let thread = ClientThread()
    #else
        private let outer: URLSessionTask?
    #endif

    init(owner: URLProtocol, metered: MeteredConfiguration, reporter: ExchangeReporter) {
        self.owner = owner
        self.metered = metered
        self.reporter = reporter
        #if !canImport(ObjectiveC)
            outer = owner.task
        #endif
    }

    // MARK: from the outer task

    func start(_ request: URLRequest) {
        reporter.begin(request)
        metered.control.async { [self] in
            guard !state.withLock({ $0.isOver }) else { return }
            guard let task = metered.makeTask(request, for: self) else {
                return complete(URLError(.cancelled), response: nil)
            }
            #if !canImport(ObjectiveC)
                if let sent = task.originalRequest { reporter.sends(sent) }
            #endif
            let begins = state.withLock { state in
                state.task = task
                return !state.isSuspended && !state.isOver
            }
            if begins { task.resume() }
        }
    }

    func suspend() {
        setSuspended(true) { $0.suspend() }
        // If the task is suspended after a 401 was delivered, Foundation for Linux answers the challenge with a loader
        // of its own, which we do not see.
        let retries = state.withLock { state in
            defer { if state.isOver { state.deliveredStatus = nil } }
            return state.isOver && state.deliveredStatus == 401
        }
        if retries, metered.observer.isRunning { reporter.lose() }
    }

    /// Handles `startLoading` after the outer task was resumed, by the program or by
    /// ``deliver(isLast:status:orElse:_:)``.
    func resume() {
        while let next = state.withLock({ $0.pending.isEmpty ? nil : $0.pending.removeFirst() }) { next() }
        setSuspended(false) { $0.resume() }
    }

    private func setSuspended(_ isSuspended: Bool, _ change: @escaping @Sendable (URLSessionTask) -> Void) {
        metered.control.async { [self] in
            let task = state.withLock { state -> URLSessionDataTask? in
                guard !state.isOver, state.isSuspended != isSuspended else { return nil }
                state.isSuspended = isSuspended
                return state.task
            }
            task.map(change)
        }
    }

    /// Handles the cancellation or end of the outer task.
    func stop() {
        let (wasOver, task) = state.withLock { state in
            defer {
                state.isOver = true
                state.task = nil
                state.pending = []
            }
            return (state.isOver, state.task)
        }
        if !wasOver {
            metered.control.async { task?.cancel() }
            reporter.end(.cancelled)
        }
    }

    // MARK: from the inner task

    func sent(_ count: Int64) { reporter.sent(count) }

    func receive(_ response: URLResponse) {
        reporter.receive(response)
        reporter.watchBody()
        #if canImport(ObjectiveC)
            let policy = CachePolicy.storage(for: response, to: state.withLock { $0.task?.currentRequest })
            deliver { $1.urlProtocol($0, didReceive: response, cacheStoragePolicy: policy) }
        #endif
    }

    func receive(_ data: Data) {
        reporter.receive(data)
        #if canImport(ObjectiveC)
            deliver { $1.urlProtocol($0, didLoad: data) }
        #else
            // If several pieces come, Foundation for Linux passes only the last one to a completion handler. So this
            // holds the pieces back.
            state.withLock { $0.body.append(data) }
        #endif
    }

    func redirect(
        _ response: HTTPURLResponse, to request: URLRequest, _ proceed: @escaping @Sendable (URLRequest?) -> Void
    ) {
        reporter.redirect(response)
        #if canImport(ObjectiveC)
            // The client decides about the redirect, and loads the next request with another protocol object.
            let next = RequestTag.passingOn(request, trail: reporter.trail)
            proceed(nil)
            deliver { [self] owner, client in
                client.urlProtocol(owner, wasRedirectedTo: next, redirectResponse: response)
                stop()
                client.urlProtocol(owner, didFailWithError: CocoaError(.userCancelled))
            }
        #else
            // On Linux `wasRedirectedTo` is fatal. Only tasks without a delegate come here, and they follow redirects.
            state.withLock { $0.body = Data() }
            let next = metered.settingCookies(on: request)
            // After 307 and 308, Foundation for Linux sends the headers of a body, with the length 0, and no body.
            reporter.begin(next, sendsBody: false)
            proceed(next)
        #endif
    }

    func answer(
        _ challenge: URLAuthenticationChallenge,
        _ proceed: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(ObjectiveC)
            let answer = ChallengeAnswer(proceed)
            deliver(orElse: { proceed(.cancelAuthenticationChallenge, nil) }) {
                $1.urlProtocol(
                    $0, didReceive: URLAuthenticationChallenge(authenticationChallenge: challenge, sender: answer))
            }
        #else
            // Without a credential the inner task ends with 401, and that makes the client look for one.
            proceed(.performDefaultHandling, nil)
        #endif
    }

    func complete(_ error: (any Error)?, response: URLResponse?) {
        let body = state.withLock { state -> Data? in
            guard !state.isOver else { return nil }
            return state.body
        }
        guard let body else { return }
        if let response { reporter.receive(response) }
        let failure = error ?? (response == nil ? URLError(.badServerResponse) : nil)
        reporter.end(ExchangeEnd.Outcome(failure))
        deliver(isLast: true, status: (response as? HTTPURLResponse)?.statusCode) { owner, client in
            if let failure { return client.urlProtocol(owner, didFailWithError: failure) }
            #if !canImport(ObjectiveC)
                if let response { client.urlProtocol(owner, didReceive: response, cacheStoragePolicy: .notAllowed) }
                if !body.isEmpty { client.urlProtocol(owner, didLoad: body) }
            #endif
            client.urlProtocolDidFinishLoading(owner)
        }
    }

    // MARK: to the client

    /// Calls the client, unless the outer task has ended; after a last call, there are no more.
    private func deliver(
        isLast: Bool = false, status: Int? = nil, orElse fallback: @escaping @Sendable () -> Void = {},
        _ call: @escaping @Sendable (URLProtocol, any URLProtocolClient) -> Void
    ) {
        let perform: @Sendable () -> Void = { [self] in
            let isWanted = state.withLock { state in
                guard !state.isOver else { return false }
                if isLast {
                    state.isOver = true
                    state.task = nil
                    state.deliveredStatus = status
                }
                return true
            }
            guard isWanted else { return fallback() }
            guard let owner, let client = owner.client else { return fallback() }
            call(owner, client)
        }
        #if canImport(ObjectiveC)
            thread.perform(perform)
        #else
            // In Foundation for Linux, the client reads state that the session's own queue writes, so it is safe to
            // call it only on that queue. The one way there is `resume`: on a running task it only calls `startLoading`
            // again, on that queue. A suspended task calls it when the program resumes it, a cancelled one never.
            state.withLock { $0.pending.append(perform) }
            if let outer, outer.state == .running { outer.resume() }
        #endif
    }
}
