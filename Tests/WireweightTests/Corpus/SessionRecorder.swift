import Foundation
import Locks
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of the cases in that style: notes each callback, cancels where the case says so.
///
/// `@unchecked Sendable`: NSObject is not Sendable; all that changes is inside the mutex.
final class SessionRecorder: NSObject, @unchecked Sendable {
    private struct State {
        var events: [String] = []
        var body = Data()
        var status: Int?
        var continuation: CheckedContinuation<(Data, URLResponse?), any Error>?
    }

    private let corpusCase: CorpusCase
    private let state = Mutex(State())

    init(_ corpusCase: CorpusCase) { self.corpusCase = corpusCase }

    /// Begins a request, to be resumed at its end.
    func begin(_ continuation: CheckedContinuation<(Data, URLResponse?), any Error>) {
        state.withLock { $0 = State(continuation: continuation) }
    }

    /// The callbacks since the start.
    func takeEvents() -> [String] { state.withLock { $0.events } }

    private func note(_ event: String) {
        state.withLock { if $0.events.last != event { $0.events.append(event) } }
    }
}

extension SessionRecorder: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode
        state.withLock { $0.status = status }
        note("response \(status ?? 0)")
        // Foundation on Linux continues after `.cancel`, so the task must be cancelled, too.
        if case .afterHead = corpusCase.cancel { dataTask.cancel() }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("data")
        let count = state.withLock { state in
            state.body.append(data)
            return state.body.count
        }
        if case .afterBytes(let limit) = corpusCase.cancel, count >= limit { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note(error == nil ? "complete" : "complete with \((error as NSError?)?.code ?? 0)")
        let (continuation, body, status) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.continuation, state.body, state.status)
        }
        if let error {
            continuation?.resume(throwing: DelegateFailure(cause: error, body: body, status: status))
        } else {
            continuation?.resume(returning: (body, task.response))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        note("redirect \(response.statusCode)")
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        note("stream")
        completionHandler(InputStream(data: Data(Script.pattern(count: corpusCase.body.count))))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note("sent")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        note("challenge")
        guard corpusCase.hasCredential else { return completionHandler(.performDefaultHandling, nil) }
        completionHandler(.useCredential, URLCredential(user: "user", password: "pass", persistence: .none))
    }
}
