internal import TrafficModel

/// Decides who may send requests: no page of another origin, no host name that was pointed at us, and on other
/// addresses than loopback only callers with the token.
struct AccessRules: Sendable {
    /// The values of `Host`, with port, that we accept; empty to accept any.
    let hosts: Set<String>
    /// The token that callers must send; nil on loopback.
    let token: String?

    /// Creates the rules for a server at that address.
    ///
    /// - Parameters:
    ///   - address: the address as configured, without brackets.
    ///   - port: the port that the server listens on.
    ///   - token: the token that callers must send; nil for none.
    init(address: String, port: Int, token: String?) {
        let own = address.contains(":") ? "[\(address)]" : address
        // A server on a wildcard address has every address of the machine, so any `Host` is accepted; the token
        // protects it against foreign names.
        let isWildcard = ["0.0.0.0", "::"].contains(address)
        hosts = isWildcard ? [] : Set(["127.0.0.1", "localhost", "[::1]", own].map { "\($0):\(port)" })
        self.token = token
    }

    /// Refuses a request that must not be served.
    func check(_ request: Request) throws(Refusal) {
        let host = request.fields.firstValue(of: "Host")?.lowercased() ?? ""
        guard request.fields.values(of: "Host").count == 1, hosts.isEmpty || hosts.contains(host) else {
            throw .forbidden(.ownName)
        }
        // Browsers send `Origin` with requests of another origin's page.
        if let origin = request.fields.firstValue(of: "Origin")?.lowercased(), origin != "http://\(host)" {
            throw .forbidden(.otherOrigin)
        }
        if let site = request.fields.firstValue(of: "Sec-Fetch-Site")?.lowercased(),
            site == "cross-site" || site == "same-site"
        {
            // Following a link to the page is fine: the page shows what any visit shows.
            let isVisit =
                request.method == "GET" && request.fields.firstValue(of: "Sec-Fetch-Mode")?.lowercased() == "navigate"
                && request.segments.first != "api"
            guard isVisit else { throw .forbidden(.otherOrigin) }
        }
        if let token, !isShown(token, by: request) {
            throw Refusal(
                status: 401, code: "token", phrase: .token, fields: [("WWW-Authenticate", "Bearer")])
        }
        guard request.method == "GET" || request.method == "HEAD" || request.method == "POST" else {
            throw Refusal(
                status: 405, code: "method", phrase: .method, fields: [("Allow", "GET, HEAD, POST")])
        }
        if request.method == "POST", request.fields.firstValue(of: "X-Wireweight") != "1" {
            throw .forbidden(.header)
        }
    }

    private func isShown(_ token: String, by request: Request) -> Bool {
        let bearer = request.fields.firstValue(of: "Authorization").flatMap {
            $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil
        }
        return [request.cookie(Self.cookie), bearer, request.segments.isEmpty ? request.item("token") : nil]
            .contains { $0.map { Self.isSame($0, token) } ?? false }
    }

    /// The name of the cookie that holds the token.
    static let cookie = "wireweight"

    // Takes the same time for every token of the right length, so that the time reveals nothing.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
