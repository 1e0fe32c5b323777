import TrafficModel

/// What is remembered of a request until the same is asked for again.
struct EarlierRequest {
    /// The exchange.
    var exchange: ExchangeID
    /// Its API's number.
    var api: Int
    /// When it began.
    var startedAt: Timestamp
    /// When it was over; nil while it runs.
    var endedAt: Timestamp?
    /// The status; 0 where no response came.
    var status: Int
    /// The body's digest, also where a 304 has confirmed it since.
    var digest: UInt64?
    /// The body's size on the wire, whole responses only.
    var bodyBytes: Int64?
    /// Whether it named its version.
    var hasValidator: Bool
    /// Whether it asked for a change since a version.
    var wasConditional: Bool
    /// Its strong ETag, as a number.
    var strongTag: UInt64?
    /// Its content coding.
    var coding: String
    /// Bytes in both directions.
    var bytes: Int64
    /// How long it took, in nanoseconds.
    var nanoseconds: Int64
    /// What came of it if it failed.
    var failure: String?
    /// Time since the one before it.
    var gap: Int64 = 0
    /// How many times in a row the answer was the same, at even intervals.
    var run = 1
    /// The body that mostly comes.
    var history: BodyHistory?
}

/// Requests by what they ask for: two generations, the older of which is forgotten when the newer is full.
struct RequestMemory {
    private var young: [Key: EarlierRequest] = [:]
    private var old: [Key: EarlierRequest] = [:]
    private let limits: Audit.Limits

    /// What was asked for, by whom; two that differ have different numbers but for a chance of 1 in 2^64.
    private struct Key: Hashable {
        let number: Int
    }

    /// An empty memory.
    init(_ limits: Audit.Limits) { self.limits = limits }

    /// Tells what was asked for the last time, and remembers this time in its place.
    ///
    /// - Parameters:
    ///   - exchange: what is asked for now.
    ///   - api: its API's number.
    ///   - requestHead: the fields of the request.
    ///   - head: the fields of its response.
    /// - Returns: the last time, whether the answer is the same, and the other answers after which an old one came back.
    mutating func recall(
        _ exchange: Exchange, api: Int, _ requestHead: HeadFacts, _ head: HeadFacts
    ) -> (earlier: EarlierRequest?, isUnchanged: Bool, returned: [BodyHistory.Stray]) {
        let key = Self.key(of: exchange.request)
        let earlier = young[key] ?? old[key]
        let response = exchange.response
        let status = response?.status ?? 0
        let isWhole = exchange.end?.outcome == .completed
        var now = EarlierRequest(
            exchange: exchange.request.exchange, api: api, startedAt: exchange.request.startedAt,
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
                // Where no whole answer came, nothing is said of the next.
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
        return Key(number: hasher.finalize())
    }
}
