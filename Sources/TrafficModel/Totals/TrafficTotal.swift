/// The sum over the exchanges of one group.
public struct TrafficTotal: Hashable, Sendable {
    /// The name of a group; properties that the grouping does not use are nil.
    public struct Key: Hashable, Sendable {
        /// The method.
        public var method: String?
        /// The host, with the port if it is not the default port of the scheme: see ``RequestRecord/authority``.
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
        /// The name of the network.
        public var network: String?

        /// A key of those parts.
        public init(
            method: String? = nil, host: String? = nil, template: String? = nil, path: String? = nil,
            status: Int? = nil, contentType: String? = nil, process: String? = nil, network: String? = nil
        ) {
            self.method = method
            self.host = host
            self.template = template
            self.path = path
            self.status = status
            self.contentType = contentType
            self.process = process
            self.network = network
        }
    }

    /// The name of the group.
    public var key: Key
    /// How many requests.
    public var requests: Int64 = 0
    /// How many of them have a response.
    public var responses: Int64 = 0
    /// How many failed: see ``Exchange/hasFailed``.
    public var failures: Int64 = 0
    /// How many exchanges the meter lost a part of; the outcome of these is not known.
    public var incomplete: Int64 = 0
    /// How many of the incomplete ones have no response in the record; whether one came is not known.
    public var incompleteUnanswered: Int64 = 0
    /// Bytes of the requests, by part.
    public var up = PartTotals()
    /// Bytes of the responses, by part.
    public var down = PartTotals()
    /// Durations of the exchanges that ended.
    public var latency = LatencyHistogram()
    /// The phases of these exchanges.
    public var phases = PhaseLatencies()
    /// How many responses had the status 304: the client's cached copy was still valid.
    public var notModified: Int64 = 0
    /// How many exchanges that ended opened a connection.
    public var newConnections: Int64 = 0
    /// How many exchanges that ended used a connection that was open already.
    public var reusedConnections: Int64 = 0
    /// Bytes as sent of the response bodies that have a content coding and a known decoded size.
    public var encodedBody = ByteCount.zero
    /// Bytes of the same bodies after decoding.
    public var decodedBody = ByteCount.zero
    /// How many exchanges that ended have a known ``ConnectionShare``.
    public var sharing: Int64 = 0
    /// What the connections of these exchanges carried for them in addition: TLS, and HTTP/2's own frames.
    public var overhead = ByteFlow.zero
    /// An estimate of the headers of IP and TCP of these exchanges.
    public var packetHeaders = ByteFlow.zero
    /// When the first request of the group began.
    public var firstSeen: Timestamp?
    /// When the last request of the group began.
    public var lastSeen: Timestamp?

    /// An empty sum for that group.
    public init(key: Key) { self.key = key }

    /// Adds the figures of another sum; the key stays.
    public mutating func merge(_ other: TrafficTotal) {
        requests += other.requests
        responses += other.responses
        failures += other.failures
        incomplete += other.incomplete
        incompleteUnanswered += other.incompleteUnanswered
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
