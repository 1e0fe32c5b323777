import Foundation
import Locks

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests over URLSession.
final class URLSessionTransport: NSObject, URLSessionDataDelegate, HTTPTransport {
    private struct Pending {
        var response: HTTPResponse?
        var isTooLarge = false
        let done: @Sendable (Result<HTTPResponse, any Error>) -> Void
    }

    private struct TooLarge: Error {}

    private let pending = Mutex<[Int: Pending]>([:])
    private let seconds: Double
    private let limit: Int
    private let session = Mutex<URLSession?>(nil)

    /// A transport without a connection.
    ///
    /// - Parameters:
    ///   - seconds: the longest time to wait for a response.
    ///   - limit: the largest content of a response, in bytes.
    init(seconds: Double, limit: Int) {
        self.seconds = seconds
        self.limit = limit
        super.init()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = seconds
        session.withLock { $0 = URLSession(configuration: configuration, delegate: self, delegateQueue: nil) }
    }

    /// Ends the session, which keeps its delegate until then.
    func close() {
        let session = session.withLock { session in
            defer { session = nil }
            return session
        }
        session?.invalidateAndCancel()
    }

    func send(_ request: HTTPRequest) throws(HTTPTransportError) -> HTTPResponse {
        guard let url = URL(string: request.url) else { throw .failed("'\(request.url)' is no URL") }
        var sent = URLRequest(url: url, timeoutInterval: seconds)
        sent.httpMethod = "POST"
        sent.httpBody = Data(request.content)
        for field in request.fields { sent.setValue(field.value, forHTTPHeaderField: field.name) }
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<HTTPResponse, any Error>>(.failure(URLError(.cancelled)))
        start(sent) { value in
            result.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        switch result.withLock({ $0 }) {
        case .success(let response): return response
        case .failure(is TooLarge): throw .tooLarge
        case .failure(let error as URLError) where error.code == .timedOut: throw .timedOut
        case .failure(let error): throw .failed(error.localizedDescription)
        }
    }

    private func start(_ request: URLRequest, _ done: @escaping @Sendable (Result<HTTPResponse, any Error>) -> Void) {
        guard let task = session.withLock({ $0?.dataTask(with: request) }) else {
            return done(.failure(URLError(.cancelled)))
        }
        pending.withLock { $0[task.taskIdentifier] = Pending(done: done) }
        task.resume()
    }

    // MARK: What URLSession calls

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let response = response as? HTTPURLResponse
        pending.withLock { pending in
            let retryAfter = response?.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
            pending[dataTask.taskIdentifier]?.response = HTTPResponse(
                status: response?.statusCode ?? 0, retryAfter: retryAfter)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let fits = pending.withLock { [limit] pending in
            guard let kept = pending[dataTask.taskIdentifier]?.response?.body.count else { return true }
            guard data.count <= limit - kept else {
                pending[dataTask.taskIdentifier]?.isTooLarge = true
                pending[dataTask.taskIdentifier]?.response?.body = []
                return false
            }
            pending[dataTask.taskIdentifier]?.response?.body.append(contentsOf: data)
            return true
        }
        if !fits { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    // A 401 is a response like others, because the request has all that there is. With its default, URLSession on Linux
    // never completes the task.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
            if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
                return completionHandler(.performDefaultHandling, nil)
            }
        #endif
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let ended = pending.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if ended.isTooLarge {
            ended.done(.failure(TooLarge()))
        } else if let response = ended.response, response.status == 401 {
            ended.done(.success(response))
        } else if let error {
            ended.done(.failure(error))
        } else if let response = ended.response {
            ended.done(.success(response))
        } else {
            ended.done(.failure(URLError(.badServerResponse)))
        }
    }
}
