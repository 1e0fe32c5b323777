/// What a store can be asked.
///
/// Reports, exports and the inspector see a store only through this.
///
/// Another process may be writing meanwhile; each call sees one consistent state.
public protocol TrafficReading: Sendable {
    /// The totals of the exchanges in a range of time, one item for each value of the grouping.
    ///
    /// Everything that was metered counts, and the range is widened to whole minutes; but by ``TrafficGrouping/path``
    /// only the exchanges count whose rows are still kept.
    func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal]

    /// The traffic of a range over time, in at most that many slots; everything that was metered counts.
    func timeline(in range: TimeRange, limit: Int) throws -> TrafficTimeline

    /// What could not be recorded, by reason.
    func losses() throws -> [TrafficLoss]

    /// Hands over the exchanges that match, one by one and in bounded memory, until the body says stop.
    ///
    /// - Parameters:
    ///   - filter: which exchanges.
    ///   - order: from the oldest or from the newest.
    ///   - after: begin behind this exchange, in that order; nil for the first page.
    ///   - body: takes one exchange and says whether to go on.
    /// - Throws: what the store or the body throws.
    func forEachExchange(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?,
        _ body: (Exchange) throws -> Bool
    ) throws

    /// The same without the bodies that were kept, which can weigh more than all else.
    func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?,
        _ body: (Exchange) throws -> Bool
    ) throws

    /// The exchange behind which the newest so many of those that match begin; nil where there are no more than that.
    func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> ExchangeID?

    /// One exchange; nil where there is none of that number.
    func exchange(_ id: ExchangeID) throws -> Exchange?

    /// The exchanges of those numbers that there are, in that order, without the bodies that were kept.
    func heads(of ids: [ExchangeID]) throws -> [Exchange]

    /// The newest so many of those that match, the newest first: what a list needs that is in the order of time.
    func newest(_ count: Int, matching filter: ExchangeFilter) throws -> [ExchangeMoment]

    /// Hands over the connections one by one, in bounded memory, until the body says stop.
    ///
    /// - Parameters:
    ///   - order: from the one that was told of first, or from the last.
    ///   - after: begin behind this connection, in that order; nil for the first page.
    ///   - body: takes one connection and says whether to go on.
    /// - Throws: what the store or the body throws.
    func forEachConnection(
        order: ExchangeOrder, after: ConnectionID?, _ body: (ConnectionRecord) throws -> Bool
    ) throws

    /// One connection; nil where there is none of that number.
    func connection(_ id: ConnectionID) throws -> ConnectionRecord?

    /// The connections of those numbers that there are, in that order.
    func connections(of ids: [ConnectionID]) throws -> [ConnectionRecord]

    /// How many connections there are.
    func connectionCount() throws -> Int64

    /// What the store holds.
    func overview() throws -> StoreOverview

    /// What changes when somebody writes; cheap enough to be asked many times a second.
    func state() throws -> StoreState
}

/// When an exchange began.
public struct ExchangeMoment: Hashable, Sendable {
    /// The exchange.
    public var exchange: ExchangeID
    /// When its request began.
    public var startedAt: Timestamp

    /// The moment of an exchange.
    public init(exchange: ExchangeID, startedAt: Timestamp) {
        self.exchange = exchange
        self.startedAt = startedAt
    }
}

/// What tells whether a store is as it was.
public struct StoreState: Hashable, Sendable {
    /// Another number after each change by another connection.
    public var changes: Int64
    /// How often the store was cleared.
    public var generation: Int64

    /// A state of those figures.
    public init(changes: Int64, generation: Int64) {
        self.changes = changes
        self.generation = generation
    }
}

extension TrafficReading {
    /// All connections at once, in the order in which they were told of.
    public func connections() throws -> [ConnectionRecord] {
        var all: [ConnectionRecord] = []
        try forEachConnection(order: .oldestFirst, after: nil) { connection in
            all.append(connection)
            return true
        }
        return all
    }

    /// The connections of those numbers that there are, in that order.
    public func connections(of ids: [ConnectionID]) throws -> [ConnectionRecord] {
        try ids.compactMap { try connection($0) }
    }

    /// How many connections there are.
    public func connectionCount() throws -> Int64 {
        var count: Int64 = 0
        try forEachConnection(order: .oldestFirst, after: nil) { _ in
            count += 1
            return true
        }
        return count
    }

    /// One connection; nil where there is none of that number.
    public func connection(_ id: ConnectionID) throws -> ConnectionRecord? {
        var found: ConnectionRecord?
        try forEachConnection(order: .oldestFirst, after: nil) { connection in
            if connection.connection == id { found = connection }
            return found == nil
        }
        return found
    }

    /// The exchanges without the bodies that were kept.
    public func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?,
        _ body: (Exchange) throws -> Bool
    ) throws {
        try forEachExchange(matching: filter, order: order, after: after) { exchange in
            var exchange = exchange
            exchange.request.capturedBody = nil
            exchange.response?.capturedBody = nil
            return try body(exchange)
        }
    }

    /// The exchanges of those numbers that there are, in that order, without the bodies that were kept.
    public func heads(of ids: [ExchangeID]) throws -> [Exchange] {
        try ids.compactMap { id in
            guard var exchange = try exchange(id) else { return nil }
            exchange.request.capturedBody = nil
            exchange.response?.capturedBody = nil
            return exchange
        }
    }

    /// The newest so many of those that match, the newest first.
    public func newest(_ count: Int, matching filter: ExchangeFilter) throws -> [ExchangeMoment] {
        var moments: [ExchangeMoment] = []
        try forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            guard moments.count < count else { return false }
            moments.append(
                ExchangeMoment(exchange: exchange.request.exchange, startedAt: exchange.request.startedAt))
            return true
        }
        return moments
    }

    /// The exchange behind which the newest so many of those that match begin; nil where there are no more than that.
    public func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> ExchangeID? {
        var left = count
        var start: ExchangeID?
        try forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            if left <= 0 { start = exchange.request.exchange }
            left -= 1
            return start == nil
        }
        return start
    }
}

/// A request with what came of it.
public struct Exchange: Hashable, Sendable {
    /// The request.
    public var request: RequestRecord
    /// The response; nil where none came.
    public var response: ResponseRecord?
    /// The end; nil while it runs.
    public var end: ExchangeEnd?

    /// An exchange of those records.
    public init(request: RequestRecord, response: ResponseRecord? = nil, end: ExchangeEnd? = nil) {
        self.request = request
        self.response = response
        self.end = end
    }
}

/// From which end to read.
public enum ExchangeOrder: Sendable {
    /// The oldest first.
    case oldestFirst
    /// The newest first.
    case newestFirst
}

/// A range of time; a missing bound is open.
///
/// The upper bound is not part of it.
public struct TimeRange: Hashable, Sendable {
    /// The first moment; nil for the begin of time.
    public var since: Timestamp?
    /// The first moment after it; nil for no end.
    public var until: Timestamp?

    /// The range between two moments.
    public init(since: Timestamp? = nil, until: Timestamp? = nil) {
        self.since = since
        self.until = until
    }

    /// All time.
    public static let always = TimeRange()

    /// Whether a moment lies in it.
    public func contains(_ moment: Timestamp) -> Bool {
        since.map { $0 <= moment } ?? true && until.map { moment < $0 } ?? true
    }
}

/// Which exchanges to read.
///
/// Conditions combine: all that are set must hold.
public struct ExchangeFilter: Hashable, Sendable {
    /// Requests that began in this range.
    public var range = TimeRange.always
    /// To this host.
    public var host: String?
    /// With this method.
    public var method: String?
    /// With a status in this range; exchanges without a response do not match.
    public var status: ClosedRange<Int>?
    /// With a media type that begins with this, such as `image/`.
    public var contentType: String?
    /// Of this API: a URL template, or `METHOD template`, or `METHOD host template`.
    public var api: String?
    /// With a path that begins with this.
    public var path: String?
    /// That ended other than completed, or were answered with a status of 400 or more.
    public var failedOnly = false
    /// That took longer than this many nanoseconds.
    public var slowerThan: Int64?
    /// Of this task.
    public var task: ExchangeID?
    /// That went over this connection.
    public var connection: ConnectionID?

    /// A filter that lets everything through.
    public init() {}
}

/// What to add up by.
public enum TrafficGrouping: String, Sendable, CaseIterable {
    /// Method, host and URL template.
    case api
    /// Host.
    case host
    /// Method, host and path as sent.
    case path
    /// Status code; 0 where no answer came.
    case status
    /// Media type of the response; empty where there is none.
    case type
    /// Method.
    case method
    /// Name of the program that sent the request.
    case process

    /// Whether the sums come from the rows that are kept, and lack those that are not; all others are never thinned out.
    public var countsRows: Bool { self == .path }
}

/// The sum over the exchanges of one group.
public struct TrafficTotal: Hashable, Sendable {
    /// What the group is called; parts that the grouping does not look at are nil.
    public struct Key: Hashable, Sendable {
        /// The method.
        public var method: String?
        /// The host.
        public var host: String?
        /// The URL template.
        public var template: String?
        /// The path.
        public var path: String?
        /// The status.
        public var status: Int?
        /// The media type.
        public var contentType: String?
        /// The name of the program.
        public var process: String?

        /// A key of those parts.
        public init(
            method: String? = nil, host: String? = nil, template: String? = nil, path: String? = nil,
            status: Int? = nil, contentType: String? = nil, process: String? = nil
        ) {
            self.method = method
            self.host = host
            self.template = template
            self.path = path
            self.status = status
            self.contentType = contentType
            self.process = process
        }
    }

    /// The group.
    public var key: Key
    /// How many requests.
    public var requests: Int64 = 0
    /// How many of them have a response.
    public var responses: Int64 = 0
    /// How many ended without completing, or were answered with a status of 400 or more.
    public var failures: Int64 = 0
    /// Bytes of the requests, by part.
    public var up = PartTotals()
    /// Bytes of the responses, by part.
    public var down = PartTotals()
    /// Whole durations of the exchanges that ended.
    public var latency = LatencyHistogram()
    /// The phases of these exchanges.
    public var phases = PhaseLatencies()
    /// How many responses said that nothing has changed (304): the client's cache was right.
    public var notModified: Int64 = 0
    /// How many exchanges that ended opened a connection.
    public var newConnections: Int64 = 0
    /// How many exchanges that ended found their connection open.
    public var reusedConnections: Int64 = 0
    /// Response bodies with a content coding whose decoded size is known: their bytes as sent.
    public var encodedBody = ByteCount.zero
    /// The same bodies' bytes once decoded.
    public var decodedBody = ByteCount.zero
    /// How many exchanges that ended have a share in what their connections carried beside the messages.
    public var sharing: Int64 = 0
    /// What the connections of these carried for them beside the messages: TLS, and HTTP/2's own frames.
    public var overhead = ByteFlow.zero
    /// An estimate of the headers of IP and TCP that went with these.
    public var packetHeaders = ByteFlow.zero
    /// When the first request of the group began.
    public var firstSeen: Timestamp?
    /// When the last request of the group began.
    public var lastSeen: Timestamp?

    /// An empty sum for that group.
    public init(key: Key) { self.key = key }

    /// Adds another sum's counts; the key stays.
    public mutating func merge(_ other: TrafficTotal) {
        requests += other.requests
        responses += other.responses
        failures += other.failures
        up.merge(other.up)
        down.merge(other.down)
        latency.merge(other.latency)
        phases.merge(other.phases)
        notModified += other.notModified
        newConnections += other.newConnections
        reusedConnections += other.reusedConnections
        encodedBody += other.encodedBody
        decodedBody += other.decodedBody
        sharing += other.sharing
        overhead += other.overhead
        packetHeaders += other.packetHeaders
        firstSeen = [firstSeen, other.firstSeen].compactMap(\.self).min()
        lastSeen = [lastSeen, other.lastSeen].compactMap(\.self).max()
    }
}

/// Bytes of many messages in one direction, by part.
public struct PartTotals: Hashable, Sendable {
    /// Start lines.
    public var startLine = ByteCount.zero
    /// Header sections.
    public var fields = ByteCount.zero
    /// Of the header sections: Cookie or Set-Cookie lines.
    public var cookies = ByteCount.zero
    /// Interim responses.
    public var interim = ByteCount.zero
    /// Bodies as sent.
    public var body = ByteCount.zero
    /// Framing.
    public var framing = ByteCount.zero
    /// Of all of these (cookies aside, which are inside the fields): bytes that were captured.
    public var captured = ByteCount.zero

    /// Nothing.
    public init() {}

    /// All bytes.
    public var total: ByteCount { startLine + fields + interim + body + framing }

    /// Adds one message.
    public mutating func add(_ size: WireSize) {
        startLine += size.startLine.bytes
        fields += size.fields.bytes
        cookies += size.cookies.bytes
        interim += size.interim.bytes
        body += size.body.bytes
        framing += size.framing.bytes
        captured += size.captured
    }

    /// Adds another sum.
    public mutating func merge(_ other: PartTotals) {
        startLine += other.startLine
        fields += other.fields
        cookies += other.cookies
        interim += other.interim
        body += other.body
        framing += other.framing
        captured += other.captured
    }
}

/// What a store holds.
public struct StoreOverview: Hashable, Sendable {
    /// How many exchanges have their rows.
    public var exchanges: Int64
    /// How many of them have not ended.
    public var running: Int64
    /// When the first request began; nil in an empty store.
    public var firstSeen: Timestamp?
    /// When the last request began.
    public var lastSeen: Timestamp?
    /// What could not be recorded, by reason.
    public var losses: [TrafficLoss]

    /// An overview of those figures.
    public init(
        exchanges: Int64, running: Int64, firstSeen: Timestamp?, lastSeen: Timestamp?, losses: [TrafficLoss]
    ) {
        self.exchanges = exchanges
        self.running = running
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.losses = losses
    }
}
