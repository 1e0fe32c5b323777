/// The sums over the exchanges of one group.
///
/// It has the properties of its ``sums``: `total.requests` is `total.sums.requests`.
@dynamicMemberLookup
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
        /// Where the exchanges of a fleet come from, by one of ``TrafficGrouping/sourceCases``; by
        /// ``TrafficGrouping/hijacked`` the API's usual media type; in reports by ``TrafficGrouping/device`` what is known
        /// of the device beside its address.
        public var source: String?
        /// Whether the exchanges were called or served; each total has exchanges of one direction only.
        public var direction: TrafficDirection

        /// A key of those parts.
        public init(
            method: String? = nil, host: String? = nil, template: String? = nil, path: String? = nil,
            status: Int? = nil, contentType: String? = nil, process: String? = nil, network: String? = nil,
            source: String? = nil, direction: TrafficDirection = .called
        ) {
            self.method = method
            self.host = host
            self.template = template
            self.path = path
            self.status = status
            self.contentType = contentType
            self.process = process
            self.network = network
            self.source = source
            self.direction = direction
        }
    }

    /// The name of the group.
    public var key: Key
    /// The sums over the group's exchanges.
    public var sums: TrafficSums
    /// How far the sums may be off, if they are estimates; nil if every exchange was counted.
    package var error: SamplingError?

    /// The sums of a group; those of no exchanges, if none are given.
    public init(key: Key, sums: TrafficSums = TrafficSums()) {
        self.key = key
        self.sums = sums
    }

    /// A property of the ``sums``.
    @inlinable
    public subscript<Value>(dynamicMember property: KeyPath<TrafficSums, Value>) -> Value { sums[keyPath: property] }

    /// A property of the ``sums`` that can be changed.
    @inlinable
    public subscript<Value>(dynamicMember property: WritableKeyPath<TrafficSums, Value>) -> Value {
        get { sums[keyPath: property] }
        set { sums[keyPath: property] = newValue }
    }

    /// Adds one exchange; one without an end counts with the bytes seen so far.
    public mutating func add(_ exchange: Exchange) { sums.add(exchange) }

    /// Adds the sums of another total; the key stays.
    public mutating func merge(_ other: TrafficTotal) {
        sums.merge(other.sums)
        guard let added = other.error else { return }
        error = error.map { $0 + added } ?? added
    }
}
