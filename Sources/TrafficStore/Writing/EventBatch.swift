internal import TrafficModel

/// Events in order, with the records of each kind in an array of their own.
///
/// A `TrafficEvent` is as large as its largest kind and holds up to ten strings. The batch unpacks it once, on arrival;
/// from then on the record is used in place. Each access to an array of events would copy it and count references.
struct EventBatch {
    /// The array that an event's record is in.
    enum Kind: UInt8 {
        case request, response, end, connection, loss, device, lookup, carrier
    }

    private(set) var kinds: [Kind] = []
    private(set) var requests: [RequestRecord] = []
    private(set) var responses: [ResponseRecord] = []
    private(set) var ends: [ExchangeEnd] = []
    private(set) var connections: [ConnectionRecord] = []
    private(set) var losses: [TrafficLoss] = []
    private(set) var devices: [DeviceName] = []
    private(set) var lookups: [LookupRecord] = []
    private(set) var carriers: [String] = []

    /// An empty batch with room for that many events.
    init(capacity: Int = 0) {
        kinds.reserveCapacity(capacity)
        // Most exchanges have three events.
        requests.reserveCapacity(capacity / 3 + 1)
        responses.reserveCapacity(capacity / 3 + 1)
        ends.reserveCapacity(capacity / 3 + 1)
    }

    /// A batch of those events.
    init(_ events: [TrafficEvent]) {
        self.init(capacity: events.count)
        for event in events { append(event) }
    }

    var count: Int { kinds.count }

    var isEmpty: Bool { kinds.isEmpty }

    mutating func append(_ event: TrafficEvent) {
        switch event {
        case .request(let record): append(record)
        case .response(let record): append(record)
        case .end(let record): append(record)
        case .connection(let record):
            kinds.append(.connection)
            connections.append(record)
        case .loss(let loss):
            kinds.append(.loss)
            losses.append(loss)
        case .device(let device):
            kinds.append(.device)
            devices.append(device)
        case .lookup(let lookup):
            kinds.append(.lookup)
            lookups.append(lookup)
        case .carrier(let carrier):
            kinds.append(.carrier)
            carriers.append(carrier)
        }
    }

    mutating func append(_ request: RequestRecord) {
        kinds.append(.request)
        requests.append(request)
    }

    mutating func append(_ response: ResponseRecord) {
        kinds.append(.response)
        responses.append(response)
    }

    mutating func append(_ end: ExchangeEnd) {
        kinds.append(.end)
        ends.append(end)
    }
}

extension EventBatch {
    /// Its requests, responses and ends where they are, because reading a record of an array copies it.
    ///
    /// So does passing what a pointer points to, even to a function that borrows it. Therefore functions that write a
    /// record take a pointer, and read from it only the values that they need.
    struct Records {
        fileprivate let requests: UnsafeBufferPointer<RequestRecord>
        fileprivate let responses: UnsafeBufferPointer<ResponseRecord>
        fileprivate let ends: UnsafeBufferPointer<ExchangeEnd>

        /// The request of an exchange; nil if the batch has none.
        @inline(__always)
        func request(_ exchange: borrowing WriteTransaction.BatchedExchange) -> UnsafePointer<RequestRecord>? {
            exchange.request >= 0 ? requests.baseAddress! + exchange.request : nil
        }

        /// The response of an exchange; nil if the batch has none.
        @inline(__always)
        func response(_ exchange: borrowing WriteTransaction.BatchedExchange) -> UnsafePointer<ResponseRecord>? {
            exchange.response >= 0 ? responses.baseAddress! + exchange.response : nil
        }

        /// The end of an exchange; nil if the batch has none.
        @inline(__always)
        func end(_ exchange: borrowing WriteTransaction.BatchedExchange) -> UnsafePointer<ExchangeEnd>? {
            exchange.end >= 0 ? ends.baseAddress! + exchange.end : nil
        }
    }

    /// Calls a closure with the records, which are valid until it returns.
    func withRecords<Result>(_ body: (Records) throws -> Result) rethrows -> Result {
        try requests.withUnsafeBufferPointer { requests in
            try responses.withUnsafeBufferPointer { responses in
                try ends.withUnsafeBufferPointer { ends in
                    try body(Records(requests: requests, responses: responses, ends: ends))
                }
            }
        }
    }
}
