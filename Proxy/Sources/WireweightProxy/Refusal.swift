import NIOCore

/// What the proxy answers itself, in place of a server.
enum RefusalStatus: String {
    case badRequest = "400 Bad Request"
    case forbidden = "403 Forbidden"
    case timedOut = "408 Request Timeout"
    case headTooLarge = "431 Request Header Fields Too Large"
    case notImplemented = "501 Not Implemented"
    case badGateway = "502 Bad Gateway"
    case unavailable = "503 Service Unavailable"
    case timeout = "504 Gateway Timeout"
    case loop = "508 Loop Detected"
}

enum Refusal {
    /// A response that says who refuses and why, and that is the last of its connection.
    ///
    /// `parameters` are those of Proxy-Status (RFC 9209, section 2.1).
    static func response(_ status: RefusalStatus, _ reason: String, parameters: String = "") -> ByteBuffer {
        let text = "Wireweight's proxy: \(reason)\n"
        return ByteBuffer(
            string: "HTTP/1.1 \(status.rawValue)\r\nContent-Type: text/plain; charset=utf-8\r\n"
                + "Content-Length: \(text.utf8.count)\r\nConnection: close\r\nProxy-Status: wireweight\(parameters)\r\n\r\n\(text)"
        )
    }
}
