#if os(Linux)
    import CCurlRequests

    /// Sends requests over libcurl itself, in the thread that waits for them.
    ///
    /// URLSession on Linux is libcurl, too, but its own thread spins between the end of an upload and the response.
    final class CurlTransport: HTTPTransport, @unchecked Sendable {
        // The C code locks what its threads share; the pointer never changes.
        private let client: OpaquePointer?
        private let seconds: Double
        private let limit: Int

        /// A transport without a connection.
        ///
        /// - Parameters:
        ///   - seconds: the longest time in which nothing comes.
        ///   - limit: the largest content of a response, in bytes.
        init(seconds: Double, limit: Int) {
            client = wwr_client_new()
            self.seconds = seconds
            self.limit = limit
        }

        deinit { wwr_client_free(client) }

        func close() { if let client { wwr_client_cancel(client) } }

        func send(_ request: HTTPRequest) throws(HTTPTransportError) -> HTTPResponse {
            guard let client else { throw .failed("there is no memory") }
            var response = wwr_response()
            let fields = request.fields.map { "\($0.name): \($0.value)\n" }.joined()
            request.content.withUnsafeBufferPointer { content in
                request.url.withCString { url in
                    fields.withCString { fields in
                        var sent = wwr_request()
                        (sent.url, sent.fields) = (url, fields)
                        (sent.content, sent.content_size) = (content.baseAddress, content.count)
                        (sent.seconds, sent.most) = (max(1, Int(seconds.rounded(.up))), limit)
                        wwr_post(client, &sent, &response)
                    }
                }
            }
            defer { wwr_free_content(&response) }
            switch response.outcome {
            case WWR_RESPONDED:
                let content = UnsafeBufferPointer(start: response.content, count: response.content_size)
                let after = response.retry_after > 0 ? Int(response.retry_after) : nil
                return HTTPResponse(status: Int(response.status), retryAfter: after, body: Array(content))
            case WWR_TOO_LARGE: throw .tooLarge
            case WWR_TIMED_OUT: throw .timedOut
            default: throw .failed(message(of: response))
            }
        }

        private func message(of response: wwr_response) -> String {
            withUnsafeBytes(of: response.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
    }
#endif
