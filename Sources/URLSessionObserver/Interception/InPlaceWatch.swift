#if !canImport(ObjectiveC)
    internal import Foundation
    internal import FoundationNetworking
    internal import Locks
    internal import TrafficModel

    /// Observes the system's own loader if we cannot send a request ourselves.
    ///
    /// It passes the loader's calls to its client through unchanged.
    ///
    /// The task runs as it would without us, but we see less of it: the loader follows redirects without calling its
    /// client, and passes the body directly to a delegate.
    ///
    /// `@unchecked Sendable`: NSObject is not Sendable; the only mutable state is inside a mutex.
    final class InPlaceWatch: NSObject, URLProtocolClient, @unchecked Sendable {
        private let client: any URLProtocolClient
        private let reporter: ExchangeReporter
        private let isRunning: @Sendable () -> Bool
        private let status = Mutex<Int?>(nil)

        init(client: any URLProtocolClient, reporter: ExchangeReporter, isRunning: @escaping @Sendable () -> Bool) {
            self.client = client
            self.reporter = reporter
            self.isRunning = isRunning
        }

        /// Ends the exchange as cancelled, because the loader does not report that to its client.
        func stop() {
            reporter.end(.cancelled)
        }

        /// Handles the suspension of the task.
        ///
        /// After a 401, another loader continues the task and answers the challenge, out of our sight.
        func suspend() {
            let retries = status.withLock { status in
                defer { status = nil }
                return status == 401
            }
            if retries, isRunning() { reporter.lose() }
        }

        private func end(_ task: URLSessionTask?, _ error: (any Error)?) {
            if let request = task?.currentRequest, request.url != task?.originalRequest?.url {
                reporter.replaceRequest(request)
            }
            if let response = task?.response { reporter.receive(response) }
            let code = (task?.response as? HTTPURLResponse)?.statusCode
            status.withLock { $0 = code }
            reporter.end(ExchangeEnd.Outcome(error))
        }

        func urlProtocol(
            _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
        ) {
            reporter.receive(response)
            client.urlProtocol(`protocol`, didReceive: response, cacheStoragePolicy: policy)
        }

        func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
            reporter.receive(data)
            client.urlProtocol(`protocol`, didLoad: data)
        }

        func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
            end(`protocol`.task, nil)
            client.urlProtocolDidFinishLoading(`protocol`)
        }

        func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
            end(`protocol`.task, error)
            client.urlProtocol(`protocol`, didFailWithError: error)
        }

        func urlProtocol(
            _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
        ) {
            client.urlProtocol(`protocol`, wasRedirectedTo: request, redirectResponse: redirectResponse)
        }

        func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
            client.urlProtocol(`protocol`, cachedResponseIsValid: cachedResponse)
        }

        func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
            client.urlProtocol(`protocol`, didReceive: challenge)
        }

        func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
            client.urlProtocol(`protocol`, didCancel: challenge)
        }
    }
#endif
