import TrafficModel

/// One exchange, with the facts about it that several rules need.
struct AuditedExchange {
    let exchange: StoredExchange
    /// Its API's number in this audit.
    let api: Int
    /// Its host's number in this audit.
    let host: Int
    /// The number of its host's name, without port, in this audit.
    let name: Int
    /// Whether the host belongs to another site than the one that gets most requests.
    let isThirdParty: Bool
    /// The positions of fields in the request's headers.
    let requestHead: HeadFacts
    /// The positions of fields in the response's headers; of an empty section if no response came.
    let responseHead: HeadFacts
    /// The last time that the same request was made; nil if this is the first.
    let earlier: EarlierRequest?
    /// Whether the response is the same as the last time.
    let isUnchanged: Bool
    /// Other responses to the same request since the usual one, if this is the usual one again.
    let returned: [BodyHistory.Stray]
    /// Why the connection was opened; nil if it was open already, or if there was none.
    let opening: ConnectionOpening?
    /// Reads the bodies that were kept.
    let bodies: KeptBodies

    var request: RequestRecord { exchange.request }
    var response: ResponseRecord? { exchange.response }

    /// The status; 0 if no response came.
    var status: Int { exchange.response?.status ?? 0 }

    /// Bytes in both directions.
    var bytes: Int64 { exchange.bytes }

    /// The duration, in nanoseconds.
    var nanoseconds: Int64 { exchange.nanoseconds }

    /// Whether all its bytes were counted, by the meter or by the system.
    var isCounted: Bool {
        exchange.request.size.evidence >= .reported
            && (exchange.response.map { $0.size.evidence >= .reported } ?? true)
    }

    /// Whether the response is complete and carries its resource (RFC 9110, section 15.3).
    var isWholeSuccess: Bool {
        (200...299).contains(status) && status != 206 && exchange.end?.outcome == .completed
    }

    /// Whether repeating the request must not change anything (RFC 9110, section 9.2.1).
    var isSafe: Bool { exchange.request.method == "GET" || exchange.request.method == "HEAD" }

    /// The time that a part of the response's body took, in nanoseconds, in proportion to its bytes.
    func receiving(_ bytes: Int64) -> Int64 {
        guard let time = exchange.end?.timings.receive, let all = exchange.response?.size.body.bytes.bytes, all > 0
        else { return 0 }
        return Int64(clamping: Double(max(0, time)) * min(1, Double(bytes) / Double(all)))
    }

    /// How the call failed; nil if it did not.
    var failure: String? { exchange.failure }

    /// The nanoseconds of name lookup, TCP and TLS, if they were with the host itself.
    ///
    /// With a proxy, the proxy is looked up and connected to instead of the host. TLS is then the host's if the URL is
    /// https or wss, except for the CONNECT request, which is for the proxy.
    var hostTimings: (dns: Int64?, connect: Int64?, tls: Int64?) {
        guard let timings = exchange.end?.timings, timings.dns != nil || timings.connect != nil || timings.tls != nil
        else { return (nil, nil, nil) }
        guard exchange.wentToProxy else { return (timings.dns, timings.connect, timings.tls) }
        let isInTunnel = request.method != "CONNECT" && (request.scheme == "https" || request.scheme == "wss")
        return (nil, nil, isInTunnel ? timings.tls : nil)
    }
}

extension StoredExchange {
    /// Whether its connection led to a proxy.
    ///
    /// A CONNECT and some fields are only for proxies (RFC 9110, sections 9.3.6 and 11.7), and a connection to another
    /// port than the URL's leads to a proxy.
    fileprivate var wentToProxy: Bool {
        if request.method == "CONNECT" || request.fields.firstValue(of: "Proxy-Connection") != nil
            || request.fields.firstValue(of: "Proxy-Authorization") != nil
        {
            return true
        }
        guard let peer = end?.remoteAddress, let colon = peer.lastIndex(of: ":"),
            let port = Int(peer[peer.index(after: colon)...]), request.port > 0
        else { return false }
        // An IPv6 address without brackets has no port.
        let hasPort = peer[..<colon].hasSuffix("]") || !peer[..<colon].contains(":")
        return hasPort && port != request.port
    }

    /// The known bytes, in both directions.
    var bytes: Int64 { (request.size.known + (response?.size.known ?? .zero)).bytes }

    /// The duration, in nanoseconds; 0 if it is not known.
    var nanoseconds: Int64 { duration ?? 0 }

    /// How the call failed; nil if it did not, or if the program cancelled it.
    var failure: String? {
        guard hasFailed else { return nil }
        if let status = response?.status, status >= FailedExchange.lowestStatus { return String(status) }
        return end?.outcome == .timedOut ? "timed out" : "failed"
    }
}

extension AuditedExchange {
    /// The bytes of a body that the client had received before, and not just now; nil if this is not such a body.
    func repeatedBody(_ limits: Audit.Limits) -> Int64? {
        guard isSafe, status == 200, isUnchanged, let earlier, earlier.gap > limits.identicalWithin,
            let body = exchange.response?.size.body.bytes.bytes, body > 0, !responseHead.isNoStore
        else { return nil }
        return body
    }
}

extension HeadFacts {
    /// The kind of content that the Content-Type names.
    var mediaKind: MediaKind? {
        let type = text(contentType).prefix { $0 != ";" && $0 != " " }
        return MediaKind(type.lowercased())
    }
}
