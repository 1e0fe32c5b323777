import Dispatch
import EarlierMonitors
import Foundation
import FoundationNetworking
import Locks

/// Meters as the well-known articles do: a `URLProtocol` that repeats each request in a session of its own, and
/// computes sizes from what that session shows.
///
/// It is as cheap as possible: one inner session for all requests, which keeps its connections, and sums in memory
/// instead of a database.
final class ArticleProtocol: URLProtocol {
    /// A value passed from queue to queue.
    ///
    /// `@unchecked Sendable`: each queue has finished with the value when the next one starts.
    private struct Handed<Value>: @unchecked Sendable {
        let value: Value
    }

    private struct Sums {
        var exchanges = 0
        var bytes: Int64 = 0
    }

    private static let sums = Mutex(Sums())
    private static let concurrency = Mutex(1)
    private static let inner: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = concurrency.withLock { $0 }
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()

    /// Puts the protocol class first in a session's configuration.
    static func intercept(_ configuration: URLSessionConfiguration) {
        concurrency.withLock { $0 = configuration.httpMaximumConnectionsPerHost }
        configuration.protocolClasses = [ArticleProtocol.self] + (configuration.protocolClasses ?? [])
    }

    /// The number of exchanges counted so far.
    static var exchanges: Int { sums.withLock { $0.exchanges } }

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        let own = Handed(value: self)
        // On another queue, because Foundation holds a lock of its own here.
        DispatchQueue.global().async {
            let task = Self.inner.dataTask(with: own.value.request) { data, response, error in
                own.value.finish(data, response, error)
            }
            task.resume()
        }
    }

    private func finish(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        guard let response = response as? HTTPURLResponse, let data else {
            client?.urlProtocol(self, didFailWithError: error ?? URLError(.unknown))
            return
        }
        count(response, data)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: data)
        client?.urlProtocolDidFinishLoading(self)
    }

    private func count(_ response: HTTPURLResponse, _ data: Data) {
        var seen = SeenExchange()
        seen.method = request.httpMethod ?? "GET"
        seen.path = request.url?.path ?? "/"
        seen.requestFields = (request.allHTTPHeaderFields ?? [:]).map { .init(name: $0.key, value: $0.value) }
        seen.status = response.statusCode
        seen.responseFields = response.allHeaderFields.map { .init(name: "\($0.key)", value: "\($0.value)") }
        seen.responseBody.count = Int64(data.count)
        let monitor = EarlierMonitor.swiftArticle
        let parts = [monitor.request?(seen), monitor.response(seen)].compactMap { $0 }
        let bytes = parts.reduce(0) { $0 + ($1.startLine ?? 0) + ($1.fields ?? 0) + ($1.body ?? 0) }
        Self.sums.withLock { sums in
            sums.exchanges += 1
            sums.bytes += bytes
        }
    }
}
