import Foundation
import Locks
import TestSupport
import Testing
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and all that a program can see of it.
struct DifferentialCase: Sendable, CustomTestStringConvertible {
    enum Style: String, Sendable, CaseIterable {
        case async, completion, delegate
    }

    struct Seen: Hashable, Sendable {
        var status: Int?
        var url: String?
        var fields: [String: String] = [:]
        var body = Data()
        var error: String?
        /// The delegate's callbacks, data put together.
        var callbacks: [String] = []
    }

    var name: String
    var method = "GET"
    var target = "/"
    var fields: [String: String] = [:]
    var body: Data?
    var streamed = false
    var timeout: Double?
    var configure: @Sendable (URLSessionConfiguration) -> Void = { _ in }
    var followsRedirects = true
    var hasCredential = false
    /// Seconds after the request's arrival at its origin, so that the client has read the response by then.
    var cancelAfter: Double?
    var styles = Style.allCases
    /// The number of exchanges that the observer must report in a style without a delegate.
    var exchanges = 1
    var script: @Sendable (OriginRequest) -> Script

    var testDescription: String { name }

    func request(to address: String) -> URLRequest {
        var request = URLRequest(url: URL(string: address + target)!)
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        if streamed, let body { request.httpBodyStream = InputStream(data: body) } else { request.httpBody = body }
        if let timeout { request.timeoutInterval = timeout }
        return request
    }

    func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 10
        configure(configuration)
        return configuration
    }

    /// Makes the request.
    func perform(in configuration: URLSessionConfiguration, style: Style, origin: LoopbackOrigin) async -> Seen {
        switch style {
        case .async: return await performAsync(configuration, origin)
        case .completion: return await performWithHandler(configuration, origin)
        case .delegate: return await performWithDelegate(configuration, origin)
        }
    }

    private func performAsync(_ configuration: URLSessionConfiguration, _ origin: LoopbackOrigin) async -> Seen {
        let request = request(to: origin.address)
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let call = Task { () -> Seen in
            do {
                let (body, response) = try await session.data(for: request)
                return Seen(response, body)
            } catch {
                return Seen(error: error)
            }
        }
        cancel(at: origin) { call.cancel() }
        return await call.value
    }

    private func performWithHandler(_ configuration: URLSessionConfiguration, _ origin: LoopbackOrigin) async -> Seen {
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        return await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request(to: origin.address)) { body, response, error in
                continuation.resume(
                    returning: error.map { Seen(error: $0) } ?? Seen(response, body ?? Data()))
            }
            task.resume()
            cancel(at: origin) { task.cancel() }
        }
    }

    private func performWithDelegate(_ configuration: URLSessionConfiguration, _ origin: LoopbackOrigin) async -> Seen {
        let recorder = DelegateRecorder(self)
        let session = URLSession(configuration: configuration, delegate: recorder, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return await withCheckedContinuation { continuation in
            recorder.begin(continuation)
            let task = session.dataTask(with: request(to: origin.address))
            task.resume()
            cancel(at: origin) { task.cancel() }
        }
    }

    /// Calls it when it is time to cancel, should the case be one that is cancelled.
    func cancel(at origin: LoopbackOrigin, _ cancel: @escaping @Sendable () -> Void) {
        guard let cancelAfter else { return }
        origin.after(cancelAfter, arrivalOf: target, cancel)
    }
}

extension DifferentialCase.Seen {
    init(_ response: URLResponse?, _ body: Data) {
        let response = response as? HTTPURLResponse
        status = response?.statusCode
        url = response?.url?.path
        self.body = body
        for (name, value) in response?.allHeaderFields ?? [:] { fields["\(name)"] = "\(value)" }
    }

    init(error: any Error) {
        let error = error as NSError
        self.error = "\(error.domain) \(error.code)"
    }
}

/// Notes each callback.
///
/// `@unchecked Sendable`: NSObject is not Sendable; all that changes is inside the mutex.
final class DelegateRecorder: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct State {
        var seen = DifferentialCase.Seen()
        var continuation: CheckedContinuation<DifferentialCase.Seen, Never>?
        var response: URLResponse?
    }

    private let differential: DifferentialCase
    private let state = Mutex(State())

    init(_ differential: DifferentialCase) { self.differential = differential }

    func begin(_ continuation: CheckedContinuation<DifferentialCase.Seen, Never>) {
        state.withLock { $0.continuation = continuation }
    }

    private func note(_ event: String) {
        state.withLock { if $0.seen.callbacks.last != event { $0.seen.callbacks.append(event) } }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        state.withLock { $0.response = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("data")
        state.withLock { $0.seen.body.append(data) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note("sent")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note("redirect \(response.statusCode)")
        completionHandler(differential.followsRedirects ? request : nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        note("challenge \(challenge.previousFailureCount)")
        guard differential.hasCredential, challenge.previousFailureCount == 0 else {
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        completionHandler(.useCredential, URLCredential(user: "user", password: "pass", persistence: .none))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note(error == nil ? "complete" : "complete with \((error as NSError?)?.code ?? 0)")
        let (continuation, result) = state.withLock { state in
            defer { state.continuation = nil }
            let shown = DifferentialCase.Seen(state.response, state.seen.body)
            state.seen.status = shown.status
            state.seen.fields = shown.fields
            state.seen.url = shown.url
            state.seen.error = error.map { DifferentialCase.Seen(error: $0).error ?? "" }
            return (state.continuation, state.seen)
        }
        continuation?.resume(returning: result)
    }
}
