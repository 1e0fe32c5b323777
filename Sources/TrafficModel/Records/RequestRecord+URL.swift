extension RequestRecord {
    /// The host, with the port if it is not the default port of the scheme: the service that got the request.
    ///
    /// Two services on one machine have different authorities.
    public var authority: String { Authority.text(host: host, port: port, scheme: scheme) }

    /// The URL, reconstructed from the request as in RFC 9112, section 3.3.
    ///
    /// The default port of the scheme is left out. A target without a path, such as `*` of OPTIONS or the authority of
    /// CONNECT, yields a URL without one; that of CONNECT always has a port. The URL is empty if nothing was sent that
    /// names a host.
    public var url: String {
        if host.isEmpty { return originForm }
        switch targetForm {
        case .authority: return "\(scheme)://\(Authority.text(host: host, port: port, scheme: ""))"
        case .asterisk: return "\(scheme)://\(authority)"
        case .origin: return "\(scheme)://\(authority)\(originForm)"
        // The server decides what such a target means; the host stays what it was.
        case .other: return "\(scheme)://\(authority)/\(originForm)"
        }
    }

    /// The key under which the exchange is counted: its method, its authority, its template and its direction.
    package var apiKey: TrafficTotal.Key {
        TrafficTotal.Key(method: method, host: authority, template: template, direction: direction)
    }

    /// The forms of a request's target (RFC 9112, section 3.2); an absolute URL is kept as its path.
    package enum TargetForm: Sendable {
        /// `/path?query`; also if nothing was sent.
        case origin
        /// `host:port`, of CONNECT.
        case authority
        /// `*`, of the server as a whole.
        case asterisk
        /// None of these.
        case other
    }

    /// The form of the target.
    package var targetForm: TargetForm { Self.targetForm(method: method, path: path) }

    /// The form of the target in a request with that method.
    package static func targetForm(method: String, path: String) -> TargetForm {
        if path.isEmpty || path.utf8.first == UInt8(ascii: "/") { return .origin }
        if path == "*" { return .asterisk }
        return method == "CONNECT" ? .authority : .other
    }

    private var originForm: String { path + (query.map { "?\($0)" } ?? "") }
}
