internal import TrafficModel

/// Who may ask: not a page of another origin, not a name that was pointed at us, and off loopback only who has the token.
struct AccessRules: Sendable {
    /// The hosts, with port, that we answer as.
    let hosts: Set<String>
    /// What callers must show; nil on loopback.
    let token: String?

    /// Rules for a server at that address.
    ///
    /// - Parameters:
    ///   - address: without brackets, as it was told.
    ///   - port: on which it listens.
    ///   - token: what callers must show; nil for none.
    init(address: String, port: Int, token: String?) {
        let own = address.contains(":") ? "[\(address)]" : address
        // The wildcard addresses answer under any address of the machine; there the token guards against names.
        let isWildcard = ["0.0.0.0", "::"].contains(address)
        hosts = isWildcard ? [] : Set(["127.0.0.1", "localhost", "[::1]", own].map { "\($0):\(port)" })
        self.token = token
    }

    /// Refuses a request that may not be answered.
    func check(_ request: Request) throws(Refusal) {
        let host = request.fields.firstValue(of: "Host")?.lowercased() ?? ""
        guard request.fields.values(of: "Host").count == 1, hosts.isEmpty || hosts.contains(host) else {
            throw .forbidden(.ownName)
        }
        // A page of another origin says where it comes from.
        if let origin = request.fields.firstValue(of: "Origin")?.lowercased(), origin != "http://\(host)" {
            throw .forbidden(.otherOrigin)
        }
        if let site = request.fields.firstValue(of: "Sec-Fetch-Site")?.lowercased(),
            site == "cross-site" || site == "same-site"
        {
            // A link may lead here; its page shows what any visit shows.
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

    /// The cookie that holds the token.
    static let cookie = "wireweight"

    // As long for a wrong one as for the right one.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
