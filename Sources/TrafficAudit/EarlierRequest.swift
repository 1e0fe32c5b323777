import TrafficModel

/// The facts of a request that are remembered until the same request is made again.
struct EarlierRequest {
    var exchange: StoredExchange.ID
    /// Its API's number in the audit.
    var api: Int
    /// When it started.
    var startedAt: Timestamp
    /// When it ended; nil while it runs.
    var endedAt: Timestamp?
    /// The status; 0 if no response came.
    var status: Int
    /// The digest of its body; a later 304 keeps the digest of the body that it confirms.
    var digest: UInt64?
    /// The body's size on the wire, in bytes; complete responses only.
    var bodyBytes: Int64?
    /// Whether its response named its version, by an ETag or a date.
    var hasValidator: Bool
    /// Whether the request was conditional, or for a part.
    var wasConditional: Bool
    /// Its strong ETag, as a number.
    var strongTag: UInt64?
    /// Its content coding; empty if there is none.
    var coding: String
    /// Bytes in both directions.
    var bytes: Int64
    /// Its duration, in nanoseconds.
    var nanoseconds: Int64
    /// How it failed; nil if it did not.
    var failure: String?
    /// Nanoseconds since the start of the same request before it.
    var gap: Int64 = 0
    /// The number of times in a row that the response was the same, at even intervals.
    var run = 1
    /// The usual body of the URL.
    var history: BodyHistory?
}

/// Remembers requests by what they ask for, in two generations: when the newer is full, the older is forgotten.
struct RequestMemory {
    private var young: [Key: EarlierRequest] = [:]
    private var old: [Key: EarlierRequest] = [:]
    private let limits: Audit.Limits

    /// A hash of a request and its process; two different requests have the same number with a chance of 1 in 2^64.
    private struct Key: Hashable {
        let number: Int
    }

    init(_ limits: Audit.Limits) { self.limits = limits }

    /// Finds the last time that the same request was made, and remembers this one in its place.
    ///
    /// - Parameters:
    ///   - exchange: the exchange of this request.
    ///   - api: its API's number.
    ///   - requestHead: the headers of the request.
    ///   - head: the headers of its response.
    /// - Returns: the last time; whether the response is the same; and the other responses in between, if an old one
    ///   came back.
    mutating func recall(
        _ exchange: StoredExchange, api: Int, _ requestHead: HeadFacts, _ head: HeadFacts
    ) -> (earlier: EarlierRequest?, isUnchanged: Bool, returned: [BodyHistory.Stray]) {
        let key = Self.key(of: exchange.request)
        let earlier = young[key] ?? old[key]
        let response = exchange.response
        let status = response?.status ?? 0
        let isWhole = exchange.end?.outcome == .completed
        var now = EarlierRequest(
            exchange: exchange.id, api: api, startedAt: exchange.request.startedAt,
            endedAt: exchange.end?.endedAt, status: status, digest: isWhole ? response?.bodyDigest : nil,
            bodyBytes: isWhole && status == 200 ? response?.size.body.bytes.bytes : nil,
            hasValidator: head.hasValidator, wasConditional: requestHead.isConditional, strongTag: head.strongTag,
            coding: response?.contentEncoding ?? "",
            bytes: exchange.bytes, nanoseconds: exchange.nanoseconds, failure: exchange.failure)
        now.history = BodyHistory(exchange, head)
        var isUnchanged = false
        var returned: [BodyHistory.Stray] = []
        if let earlier {
            if var history = earlier.history {
                // Without a complete response there is nothing to compare with the next one.
                if let next = now.history { returned = history.goOn(next, now.exchange, limits) }
                now.history = history
            }
            let isConfirmed = status == 304 && (200...399).contains(earlier.status)
            let isSameBody =
                (200...299).contains(status) && now.digest != nil && now.digest == earlier.digest && isWhole
            isUnchanged = isConfirmed || isSameBody
            if isConfirmed {
                now.digest = earlier.digest
                now.bodyBytes = earlier.bodyBytes
                now.coding = earlier.coding
                now.strongTag = now.strongTag ?? earlier.strongTag
                now.hasValidator = true
            }
            now.gap = now.startedAt.nanoseconds - earlier.startedAt.nanoseconds
            if isUnchanged, now.gap > limits.identicalWithin, now.gap <= limits.pollInterval {
                now.run = earlier.run == 1 || isEven(now.gap, earlier.gap) ? earlier.run + 1 : 2
            }
        }
        if young.count >= limits.rememberedRequests / 2 {
            old = young
            young = [:]
            young.reserveCapacity(old.count)
        }
        young[key] = now
        return (
            earlier.map { earlier in
                var earlier = earlier
                earlier.run = now.run
                earlier.gap = now.gap
                return earlier
            }, isUnchanged, returned
        )
    }

    private func isEven(_ gap: Int64, _ before: Int64) -> Bool {
        Double(abs(gap - before)) <= limits.pollJitter * Double(max(gap, before))
    }

    private static func key(of request: RequestRecord) -> Key {
        var hasher = Hasher()
        hasher.combine(request.process.pid)
        hasher.combine(request.method)
        hasher.combine(request.scheme)
        hasher.combine(request.host)
        hasher.combine(request.port)
        hasher.combine(request.path)
        hasher.combine(request.query)
        hasher.combine(request.bodyDigest)
        // Without a digest, no two bodies are known to be the same.
        if request.bodyDigest == nil, request.size.body.bytes.bytes > 0 { hasher.combine(request.exchange) }
        return Key(number: hasher.finalize())
    }
}
