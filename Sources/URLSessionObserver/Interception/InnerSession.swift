internal import Foundation
internal import Locks

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The session that sends our requests, and its delegate, which passes each callback to its load.
///
/// `@unchecked Sendable`: NSObject is not Sendable; all mutable state is inside the mutex. It is a separate object,
/// because a session's delegate must be Sendable, and a protocol class cannot be.
final class InnerSession: NSObject, @unchecked Sendable {
    private struct State {
        var session: URLSession?
        var loads: [Int: Load] = [:]
    }

    private let state = Mutex(State())

    init(configuration: URLSessionConfiguration) {
        super.init()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "URLSessionObserver.inner"
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        state.withLock { $0.session = session }
    }

    /// Makes a task for a load; nil after ``retire()``.
    ///
    /// Do not call it while ``retire()`` runs.
    func makeTask(_ request: URLRequest, for load: Load) -> URLSessionDataTask? {
        // Outside the lock, because making a task waits for the session's own queue.
        guard let task = state.withLock({ $0.session })?.dataTask(with: request) else { return nil }
        let identifier = task.taskIdentifier
        state.withLock { $0.loads[identifier] = load }
        return task
    }

    /// Lets running tasks finish; making a task of the session afterwards would be fatal.
    func retire() {
        state.withLock { state in
            defer { state.session = nil }
            return state.session
        }?.finishTasksAndInvalidate()
    }

    private func load(of task: URLSessionTask) -> Load? {
        let identifier = task.taskIdentifier
        return state.withLock { $0.loads[identifier] }
    }

    private func forget(_ task: URLSessionTask) -> Load? {
        let identifier = task.taskIdentifier
        return state.withLock { $0.loads.removeValue(forKey: identifier) }
    }
}

extension InnerSession: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let load = load(of: task) else { return completionHandler(request) }
        load.redirect(response, to: request, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let load = load(of: task) else { return completionHandler(.performDefaultHandling, nil) }
        load.answer(challenge, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        load(of: task)?.sent(bytesSent)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        load(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        load(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        forget(task)?.complete(error, response: task.response)
    }
}
