#if !canImport(ObjectiveC)
    package import Foundation
    package import FoundationNetworking

    // Without the Objective-C runtime, each call must be forwarded by hand. If the wrapped delegate does not implement
    // a method, we do what Foundation does for a delegate without that method.

    extension MetricsDelegate: URLSessionDataDelegate {
        private var task: (any URLSessionTaskDelegate)? { wrapped as? any URLSessionTaskDelegate }
        private var data: (any URLSessionDataDelegate)? { wrapped as? any URLSessionDataDelegate }

        package func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
            wrapped?.urlSession(session, didBecomeInvalidWithError: error)
        }

        package func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let wrapped else { return completionHandler(.performDefaultHandling, nil) }
            wrapped.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let delegate = self.task else { return completionHandler(request) }
            delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: completionHandler)
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let delegate = self.task else { return completionHandler(.performDefaultHandling, nil) }
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            guard let delegate = self.task else { return completionHandler(nil) }
            delegate.urlSession(session, task: task, needNewBodyStream: completionHandler)
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            self.task?.urlSession(
                session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
                totalBytesExpectedToSend: totalBytesExpectedToSend)
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            self.task?.urlSession(session, task: task, didCompleteWithError: error)
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
        ) {
            guard let delegate = self.task else { return completionHandler(.continueLoading, request) }
            delegate.urlSession(
                session, task: task, willBeginDelayedRequest: request, completionHandler: completionHandler)
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            observer.collect(metrics.transactionMetrics, of: task)
            self.task?.urlSession(session, task: task, didFinishCollecting: metrics)
        }

        package func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            guard let data else { return completionHandler(.allow) }
            data.urlSession(
                session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
        }

        package func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
        ) {
            data?.urlSession(session, dataTask: dataTask, didBecome: downloadTask)
        }

        package func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask
        ) {
            data?.urlSession(session, dataTask: dataTask, didBecome: streamTask)
        }

        package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            self.data?.urlSession(session, dataTask: dataTask, didReceive: data)
        }

        package func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
            completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) {
            guard let data else { return completionHandler(proposedResponse) }
            data.urlSession(
                session, dataTask: dataTask, willCacheResponse: proposedResponse,
                completionHandler: completionHandler)
        }
    }

    extension MetricsDelegate: URLSessionDownloadDelegate {
        private var download: (any URLSessionDownloadDelegate)? { wrapped as? any URLSessionDownloadDelegate }

        package func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {
            download?.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location)
        }

        package func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
            totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
        ) {
            download?.urlSession(
                session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
                totalBytesExpectedToWrite: totalBytesExpectedToWrite)
        }

        package func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
            expectedTotalBytes: Int64
        ) {
            download?.urlSession(
                session, downloadTask: downloadTask, didResumeAtOffset: fileOffset,
                expectedTotalBytes: expectedTotalBytes)
        }
    }

    extension MetricsDelegate: URLSessionWebSocketDelegate {
        private var webSocket: (any URLSessionWebSocketDelegate)? { wrapped as? any URLSessionWebSocketDelegate }

        package func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didOpenWithProtocol protocolName: String?
        ) {
            webSocket?.urlSession(session, webSocketTask: webSocketTask, didOpenWithProtocol: protocolName)
        }

        package func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            webSocket?.urlSession(session, webSocketTask: webSocketTask, didCloseWith: closeCode, reason: reason)
        }
    }
#endif
