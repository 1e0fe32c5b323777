import Locks

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension ConformanceCall {
    /// Makes the request with a session, as a data task with a completion handler.
    ///
    /// It does not use an `async` call, because in Foundation for Linux, cancelling one while it ends can deadlock.
    public func send(in session: URLSession) async -> ConformanceResult {
        guard let url = URL(string: url) else { return ConformanceResult(status: nil, error: URLError(.badURL)) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        request.timeoutInterval = timeout
        for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        let running = Running()
        let sent = request
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = session.dataTask(with: sent) { body, response, error in
                    continuation.resume(
                        returning: ConformanceResult(
                            status: error == nil ? (response as? HTTPURLResponse)?.statusCode : nil,
                            body: body.map { Array($0) } ?? [], error: error))
                }
                task.resume()
                running.set(task)
            }
        } onCancel: {
            running.cancel()
        }
    }
}

/// Holds a session task that may be cancelled before it is made.
private final class Running: Sendable {
    private struct State {
        var task: URLSessionDataTask?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func set(_ task: URLSessionDataTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
