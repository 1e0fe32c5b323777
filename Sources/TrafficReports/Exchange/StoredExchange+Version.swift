import TrafficModel

extension StoredExchange {
    /// The version of HTTP that was sent, and that of the response if it differs; nil if neither is known.
    ///
    /// A version belongs to a message, and a server may respond in a lower one (RFC 9110, section 6.2). A connection is
    /// named for the response's version.
    var versionText: String? {
        let sent = request.httpVersion
        let received = response?.httpVersion ?? ""
        guard !sent.isEmpty else { return received.isEmpty ? nil : "response in HTTP/\(received)" }
        return received.isEmpty || received == sent ? "HTTP/\(sent)" : "HTTP/\(sent), response in HTTP/\(received)"
    }
}
