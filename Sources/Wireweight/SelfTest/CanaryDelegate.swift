internal import Synchronization

#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking
#else
    internal import Foundation
#endif

/// The delegate of a canary's session: counts what comes, and hands out what is to be sent.
final class CanaryDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var received = 0
        var continuation: CheckedContinuation<Int, any Error>?
    }

    private let content: Data
    private let state = Mutex(State())

    init(content: Data) { self.content = content }

    /// Runs a task of the session that this is the delegate of.
    ///
    /// - Returns: how many bytes of content came.
    func run(_ task: URLSessionTask) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.continuation = continuation }
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.received += data.count }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { completionHandler(InputStream(data: content)) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (continuation, received) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.continuation, state.received)
        }
        if let error { continuation?.resume(throwing: error) } else { continuation?.resume(returning: received) }
    }
}
