internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking) && !APPLE_STAND_IN
    internal import FoundationNetworking
#endif

/// The session that sends requests on, and the delegate that gives each callback to the load it belongs to.
///
/// `@unchecked Sendable`: NSObject is not Sendable; all that changes is inside the mutex. It is an object of its own
/// because a protocol class cannot be Sendable, as a session's delegate must be.
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

    /// Makes a task; nil after the end.
    ///
    /// Not to be called while ``retire()`` runs.
    func makeTask(_ request: URLRequest, for load: Load) -> URLSessionDataTask? {
        // Not inside the lock: making a task waits for the session's own queue.
        guard let task = state.withLock({ $0.session })?.dataTask(with: request) else { return nil }
        let identifier = task.taskIdentifier
        state.withLock { $0.loads[identifier] = load }
        return task
    }

    /// Lets the tasks that run come to their end; after that a task of this session would be fatal.
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
