extension RequestRecord {
    /// The host, with the port where it is not the scheme's own: the service that was asked.
    ///
    /// Two services on one machine are two.
    public var authority: String { Authority.text(host: host, port: port, scheme: scheme) }

    /// The URL, as RFC 9112, section 3.3 puts it together from the request.
    ///
    /// The port is left out where it is the scheme's own. A request whose target names no path, `*` of OPTIONS or the
    /// authority of CONNECT, has a URL without one; that of CONNECT always has a port. It is empty where nothing was
    /// sent that names a host.
    public var url: String {
        if host.isEmpty { return originForm }
        switch targetForm {
        case .authority: return "\(scheme)://\(Authority.text(host: host, port: port, scheme: ""))"
        case .asterisk: return "\(scheme)://\(authority)"
        case .origin: return "\(scheme)://\(authority)\(originForm)"
        // What such a target means is the server's affair; the host stays what it was.
        case .other: return "\(scheme)://\(authority)/\(originForm)"
        }
    }

    /// The name under which it is counted: its method, its authority and its template.
    package var apiKey: TrafficTotal.Key { TrafficTotal.Key(method: method, host: authority, template: template) }

    /// The forms of a request's target (RFC 9112, section 3.2); what was sent as an absolute URL is kept as a path.
    package enum TargetForm: Sendable {
        /// `/path?query`; also where nothing was sent.
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
