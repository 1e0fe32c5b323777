import Foundation
import Locks
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs a case, and records what Foundation shows of each attempt.
///
/// All tasks have a delegate, as an observer would be; the content is passed as the case says.
struct ShownDriver {
    /// Where the origin is, such as `http://127.0.0.1:8080`.
    var address: String

    /// Makes all copies of the case's request, and returns the attempts of all of them in order.
    func run(_ entry: Corpus.Entry) async throws -> [ShownExchange] {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = 6
        let watcher = SessionWatcher(
            streamed: entry.corpusCase.body.count, hasCredential: entry.corpusCase.hasCredential)
        let session = URLSession(configuration: configuration, delegate: watcher, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("shown-\(UUID().uuidString)")
        if case .file(let count) = entry.corpusCase.body { try Data(Script.pattern(count: count)).write(to: file) }
        defer { try? FileManager.default.removeItem(at: file) }
        var shown: [ShownExchange] = []
        for _ in 0..<entry.corpusCase.copies {
            shown += await perform(try request(for: entry), entry.corpusCase, session, watcher, file)
        }
        return shown
    }

    private func request(for entry: Corpus.Entry) throws -> URLRequest {
        guard let url = URL(string: address + entry.target) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = entry.corpusCase.method
        for field in entry.corpusCase.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }

    private func perform(
        _ plain: URLRequest, _ corpusCase: CorpusCase, _ session: URLSession, _ watcher: SessionWatcher, _ file: URL
    ) async -> [ShownExchange] {
        var exchange = ShownExchange(request: plain)
        switch corpusCase.body {
        case .none: break
        case .data(let count), .file(let count): exchange.content = .upload(count)
        case .stream(let count) where corpusCase.style == .delegate: exchange.content = .streamedUpload(count)
        case .stream(let count): exchange.content = .stream(count)
        }
        if case .file = corpusCase.body {
            return await exchange.perform(session, watcher) { session.uploadTask(with: $0, fromFile: file) }
        }
        if corpusCase.style == .download {
            return await exchange.perform(session, watcher) { session.downloadTask(with: $0) }
        }
        return await exchange.perform(session, watcher)
    }
}

extension ShownExchange {
    /// Sends it, and returns what is shown of it and of each attempt that followed.
    func perform(
        _ session: URLSession, _ watcher: SessionWatcher, task makeTask: ((URLRequest) -> URLSessionTask)? = nil
    ) async -> [ShownExchange] {
        var first = self
        first.cookies = request.url.flatMap { session.configuration.httpCookieStorage?.cookies(for: $0) } ?? []
        func pattern(_ count: Int) -> Data { Data(Script.pattern(count: count)) }
        let task: URLSessionTask
        switch content {
        case _ where makeTask != nil: task = makeTask?(request) ?? session.dataTask(with: request)
        case .none: task = session.dataTask(with: request)
        case .body(let count):
            first.request.httpBody = pattern(count)
            task = session.dataTask(with: first.request)
        case .upload(let count): task = session.uploadTask(with: request, from: pattern(count))
        case .streamedUpload: task = session.uploadTask(withStreamedRequest: request)
        case .stream(let count):
            first.request.httpBodyStream = InputStream(data: pattern(count))
            task = session.dataTask(with: first.request)
        }
        return await withCheckedContinuation { continuation in
            watcher.begin(first, continuation)
            task.resume()
        }
    }
}

/// Notes what a delegate is shown of one task after the other.
///
/// `@unchecked Sendable`: NSObject is not Sendable; all that changes is inside the mutex.
final class SessionWatcher: NSObject, @unchecked Sendable {
    private struct State {
        var hops: [ShownExchange] = []
        var continuation: CheckedContinuation<[ShownExchange], Never>?
    }

    private let streamed: Int
    private let hasCredential: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - streamed: the number of bytes in a stream that Foundation requests.
    ///   - hasCredential: whether to answer a challenge with user `user` and password `pass`.
    init(streamed: Int = 0, hasCredential: Bool = false) {
        self.streamed = streamed
        self.hasCredential = hasCredential
    }

    func begin(_ exchange: ShownExchange, _ continuation: CheckedContinuation<[ShownExchange], Never>) {
        state.withLock { $0 = State(hops: [exchange], continuation: continuation) }
    }

    private func changeLast(_ change: (inout ShownExchange) -> Void) {
        state.withLock { if !$0.hops.isEmpty { change(&$0.hops[$0.hops.count - 1]) } }
    }

    private func add(piece: Data) {
        changeLast {
            $0.callbacks.append(piece.count)
            $0.decoded.append(piece)
        }
    }
}

extension SessionWatcher: URLSessionDataDelegate, URLSessionDownloadDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { add(piece: data) }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        add(piece: Data(count: Int(bytesWritten)))
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        changeLast {
            $0.response = response
            // Foundation keeps the content of a redirect to itself.
            $0.showsContent = false
        }
        // Cookies are not looked up again, and the content is not sent again.
        state.withLock { $0.hops.append(ShownExchange(request: request)) }
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        completionHandler(InputStream(data: Data(Script.pattern(count: streamed))))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard hasCredential else { return completionHandler(.performDefaultHandling, nil) }
        state.withLock { state in
            guard var next = state.hops.last else { return }
            state.hops[state.hops.count - 1].response = challenge.failureResponse as? HTTPURLResponse
            next.decoded = Data()
            next.callbacks = []
            // Foundation adds it to the loader's copy of the request, which it does not show.
            next.request.setValue("Basic dXNlcjpwYXNz", forHTTPHeaderField: "Authorization")
            state.hops.append(next)
        }
        completionHandler(.useCredential, URLCredential(user: "user", password: "pass", persistence: .none))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if error == nil { changeLast { $0.response = task.response as? HTTPURLResponse } }
        let (continuation, hops) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.continuation, state.hops)
        }
        continuation?.resume(returning: hops)
    }
}
