import TrafficModel

extension Exchange {
    /// The version of HTTP that was sent, and that of the answer where it is another; nil where none is known.
    ///
    /// A version belongs to a message, and a server may answer in a lower one (RFC 9110, section 6.2); a connection is named for
    /// the answer's.
    var versionText: String? {
        let sent = request.httpVersion
        let received = response?.httpVersion ?? ""
        guard !sent.isEmpty else { return received.isEmpty ? nil : "answered in HTTP/\(received)" }
        return received.isEmpty || received == sent ? "HTTP/\(sent)" : "HTTP/\(sent), answered in HTTP/\(received)"
    }
}
