/// Sends requests, and collects their responses up to a limit; blocks the thread.
///
/// Redirects are not followed, because they would take the user's password elsewhere.
package protocol HTTPTransport: Sendable {
    /// Sends a POST, and waits for its response.
    ///
    /// - Throws: ``HTTPTransportError``.
    func send(_ request: HTTPRequest) throws(HTTPTransportError) -> HTTPResponse

    /// Fails what is under way and all further requests.
    func close()
}

/// A POST.
package struct HTTPRequest {
    /// The address.
    package var url: String
    /// Header fields, without line ends.
    package var fields: [(name: String, value: String)]
    /// The content.
    package var content: [UInt8]

    /// A POST of those parts.
    package init(url: String, fields: [(name: String, value: String)], content: [UInt8]) {
        self.url = url
        self.fields = fields
        self.content = content
    }
}

/// The transport of this system, without a connection.
///
/// - Parameters:
///   - seconds: the longest time in which nothing comes.
///   - limit: the largest content of a response, in bytes.
/// - Returns: the transport.
package func systemTransport(seconds: Double, limit: Int) -> any HTTPTransport {
    #if os(Linux)
        CurlTransport(seconds: seconds, limit: limit)
    #else
        URLSessionTransport(seconds: seconds, limit: limit)
    #endif
}

/// Why there is no response.
package enum HTTPTransportError: Error, Hashable, CustomStringConvertible {
    /// The response has more bytes than the limit.
    case tooLarge
    /// Nothing came in time.
    case timedOut
    /// No connection was made, or it broke; what the library says.
    case failed(String)

    /// What a person reads.
    package var description: String {
        switch self {
        case .tooLarge: "its response is too large"
        case .timedOut: "nothing came in time"
        case .failed(let text): text
        }
    }
}
