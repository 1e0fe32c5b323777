import TrafficModel

/// One exchange as rules see it, with what all of them want to know of it.
struct Sighting {
    /// The exchange.
    let exchange: Exchange
    /// Its API's number in this audit.
    let api: Int
    /// Its host's number in this audit.
    let host: Int
    /// The number of its host's name in this audit.
    let name: Int
    /// Whether the host belongs to another site than the one that most requests go to.
    let isThirdParty: Bool
    /// The request's fields.
    let requestHead: HeadFacts
    /// The response's fields; of an empty section where none came.
    let responseHead: HeadFacts
    /// The last time that the same was asked for; nil for the first.
    let earlier: EarlierRequest?
    /// Whether the answer is the one that came the last time.
    let isUnchanged: Bool
    /// Other answers to the same question, where this is the one that came before them.
    let returned: [BodyHistory.Stray]
    /// How the connection came to be opened; nil where it was there before, or there was none.
    let opening: ConnectionOpening?
    /// Gives the bodies that were kept.
    let bodies: KeptBodies

    /// The request.
    var request: RequestRecord { exchange.request }
    /// The response.
    var response: ResponseRecord? { exchange.response }

    /// The status; 0 where no response came.
    var status: Int { exchange.response?.status ?? 0 }

    /// Bytes in both directions.
    var bytes: Int64 { exchange.bytes }

    /// How long it took, in nanoseconds.
    var nanoseconds: Int64 { exchange.nanoseconds }

    /// Whether all of its bytes were counted, by us or by the system.
    var isCounted: Bool {
        exchange.request.size.evidence >= .reported
            && (exchange.response.map { $0.size.evidence >= .reported } ?? true)
    }

    /// Whether the response is whole and carries its resource (RFC 9110, section 15.3).
    var isWholeSuccess: Bool {
        (200...299).contains(status) && status != 206 && exchange.end?.outcome == .completed
    }

    /// Whether asking again must not change anything (RFC 9110, section 9.2.1).
    var isSafe: Bool { exchange.request.method == "GET" || exchange.request.method == "HEAD" }

    /// The time that the response's body took, for that share of its bytes.
    func receiving(_ bytes: Int64) -> Int64 {
        guard let time = exchange.end?.timings.receive, let all = exchange.response?.size.body.bytes.bytes, all > 0
        else { return 0 }
        return Int64(clamping: Double(max(0, time)) * min(1, Double(bytes) / Double(all)))
    }

    /// What came of a call that failed; nil for one that did not.
    var failure: String? { exchange.failure }

    /// What became of the connection before the request, where that was the host's: its name looked up, its address
    /// connected to, its TLS.
    ///
    /// A proxy is looked up and connected to in place of the host. TLS is the host's where the URL asks for it, but for
    /// the CONNECT, which asks the proxy.
    var hostTimings: (dns: Int64?, connect: Int64?, tls: Int64?) {
        guard let timings = exchange.end?.timings, timings.dns != nil || timings.connect != nil || timings.tls != nil
        else { return (nil, nil, nil) }
        guard exchange.wentToProxy else { return (timings.dns, timings.connect, timings.tls) }
        let isInTunnel = request.method != "CONNECT" && (request.scheme == "https" || request.scheme == "wss")
        return (nil, nil, isInTunnel ? timings.tls : nil)
    }
}

extension Exchange {
    /// Whether its connection led to a proxy: a CONNECT and some fields are for nobody else (RFC 9110, sections 9.3.6 and
    /// 11.7), and a host is reached at its own port.
    fileprivate var wentToProxy: Bool {
        if request.method == "CONNECT" || request.fields.firstValue(of: "Proxy-Connection") != nil
            || request.fields.firstValue(of: "Proxy-Authorization") != nil
        {
            return true
        }
        guard let peer = end?.remoteAddress, let colon = peer.lastIndex(of: ":"),
            let port = Int(peer[peer.index(after: colon)...]), request.port > 0
        else { return false }
        // An address of IPv6 alone has no port.
        let hasPort = peer[..<colon].hasSuffix("]") || !peer[..<colon].contains(":")
        return hasPort && port != request.port
    }

    /// Bytes in both directions, as far as they are known.
    var bytes: Int64 { (request.size.known + (response?.size.known ?? .zero)).bytes }

    /// How long it took, in nanoseconds.
    var nanoseconds: Int64 { duration ?? 0 }

    /// What came of a call that failed; nil for one that did not, and for one that the program took back.
    var failure: String? {
        guard hasFailed else { return nil }
        if let status = response?.status, status >= FailedExchange.lowestStatus { return String(status) }
        return end?.outcome == .timedOut ? "timed out" : "failed"
    }
}

extension Sighting {
    /// The bytes of a body that had come before, and not just now; nil where this is none.
    func repeatedBody(_ limits: Audit.Limits) -> Int64? {
        guard isSafe, status == 200, isUnchanged, let earlier, earlier.gap > limits.identicalWithin,
            let body = exchange.response?.size.body.bytes.bytes, body > 0, !responseHead.isNoStore
        else { return nil }
        return body
    }
}

extension HeadFacts {
    /// What sort of content the Content-Type names.
    var mediaKind: MediaKind? {
        let type = text(contentType).prefix { $0 != ";" && $0 != " " }
        return MediaKind(type.lowercased())
    }
}
