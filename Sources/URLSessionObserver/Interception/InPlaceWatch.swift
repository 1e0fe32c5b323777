#if !(canImport(ObjectiveC) || APPLE_STAND_IN)
    internal import Foundation
    internal import FoundationNetworking
    internal import Synchronization
    internal import TrafficModel

    /// Listens to the system's own loader where a request cannot be sent on: what the loader tells its client passes
    /// through here unchanged.
    ///
    /// The task runs as it would without us. It is seen less: the loader follows redirects without a word to its client,
    /// and gives the body to a delegate past it.
    ///
    /// `@unchecked Sendable`: NSObject is not Sendable; nothing here changes.
    final class InPlaceWatch: NSObject, URLProtocolClient, @unchecked Sendable {
        private let client: any URLProtocolClient
        private let teller: ExchangeTeller
        private let isRunning: @Sendable () -> Bool
        private let status = Mutex<Int?>(nil)

        init(client: any URLProtocolClient, teller: ExchangeTeller, isRunning: @escaping @Sendable () -> Bool) {
            self.client = client
            self.teller = teller
            self.isRunning = isRunning
        }

        /// The task was cancelled, which the loader does not tell its client.
        func stop() {
            teller.end(.cancelled)
        }

        /// The task was suspended.
        ///
        /// After 401 it goes on in another loader that answers the challenge, out of our sight.
        func suspend() {
            let retries = status.withLock { status in
                defer { status = nil }
                return status == 401
            }
            if retries, isRunning() { teller.lose() }
        }

        private func end(_ task: URLSessionTask?, _ error: (any Error)?) {
            if let request = task?.currentRequest, request.url != task?.originalRequest?.url {
                teller.replaceRequest(request)
            }
            if let response = task?.response { teller.receive(response) }
            let code = (task?.response as? HTTPURLResponse)?.statusCode
            status.withLock { $0 = code }
            teller.end(ExchangeEnd.Outcome(error))
        }

        func urlProtocol(
            _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
        ) {
            teller.receive(response)
            client.urlProtocol(`protocol`, didReceive: response, cacheStoragePolicy: policy)
        }

        func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
            teller.receive(data)
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
