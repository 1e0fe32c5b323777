/// Sends requests, and collects their responses up to a limit; blocks the thread.
///
/// Redirects are not followed, because they would take the user's password elsewhere.
protocol HTTPTransport: Sendable {
    /// Sends a POST, and waits for its response.
    ///
    /// - Throws: ``HTTPTransportError``.
    func send(_ request: HTTPRequest) throws(HTTPTransportError) -> HTTPResponse

    /// Fails what is under way and all further requests.
    func close()
}

/// A POST.
struct HTTPRequest {
    /// The address.
    var url: String
    /// Header fields, without line ends.
    var fields: [(name: String, value: String)]
    /// The content.
    var content: [UInt8]
}

/// Why there is no response.
enum HTTPTransportError: Error, Hashable {
    /// The response has more bytes than the limit.
    case tooLarge
    /// Nothing came in time.
    case timedOut
    /// No connection was made, or it broke; what the library says.
    case failed(String)
}
