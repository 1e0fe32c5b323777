internal import TrafficModel

/// Events in the order in which they were told, each kind by itself.
///
/// An event is as long as its longest kind and holds up to ten texts. Taken apart once, on the way in, its record is
/// used where it lies from then on; out of an array of events it would be copied and counted with each look.
struct EventBatch {
    /// Which record an event became.
    enum Kind: UInt8 {
        case request, response, end, connection, loss
    }

    private(set) var kinds: [Kind] = []
    private(set) var requests: [RequestRecord] = []
    private(set) var responses: [ResponseRecord] = []
    private(set) var ends: [ExchangeEnd] = []
    private(set) var connections: [ConnectionRecord] = []
    private(set) var losses: [TrafficLoss] = []

    /// An empty batch with room for that many events.
    init(capacity: Int = 0) {
        kinds.reserveCapacity(capacity)
        // Most come in threes.
        requests.reserveCapacity(capacity / 3 + 1)
        responses.reserveCapacity(capacity / 3 + 1)
        ends.reserveCapacity(capacity / 3 + 1)
    }

    /// A batch of those events.
    init(_ events: [TrafficEvent]) {
        self.init(capacity: events.count)
        for event in events { append(event) }
    }

    /// How many events there are.
    var count: Int { kinds.count }

    /// Whether there are none.
    var isEmpty: Bool { kinds.isEmpty }

    /// Appends an event.
    mutating func append(_ event: TrafficEvent) {
        switch event {
        case .request(let record):
            kinds.append(.request)
            requests.append(record)
        case .response(let record):
            kinds.append(.response)
            responses.append(record)
        case .end(let record):
            kinds.append(.end)
            ends.append(record)
        case .connection(let record):
            kinds.append(.connection)
            connections.append(record)
        case .loss(let loss):
            kinds.append(.loss)
            losses.append(loss)
        }
    }
}
