internal import Locks

#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking
#else
    internal import Foundation
#endif

/// The delegate of a canary's session: it counts the content received, and supplies the content of streamed uploads.
final class CanaryDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var received = 0
        var continuation: CheckedContinuation<Int, any Error>?
    }

    private let content: Data
    private let state = Mutex(State())

    init(content: Data) { self.content = content }

    /// Runs a task of this delegate's session.
    ///
    /// - Returns: the number of content bytes received.
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
