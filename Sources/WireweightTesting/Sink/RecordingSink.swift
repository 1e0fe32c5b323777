import Synchronization
public import TrafficModel

/// Keeps what it is told, for tests of observers and of whatever stands behind them.
public final class RecordingSink: TrafficSink {
    private let kept = Mutex<[TrafficEvent]>([])

    /// A sink that was told nothing yet.
    public init() {}

    /// Keeps the event.
    public func record(_ event: TrafficEvent) { kept.withLock { $0.append(event) } }

    /// All events in the order in which they came.
    public var events: [TrafficEvent] { kept.withLock { $0 } }

    /// The last record of each request, in the order of their exchanges.
    public var requests: [RequestRecord] {
        var last: [ExchangeID: RequestRecord] = [:]
        for case .request(let record) in events { last[record.exchange] = record }
        return last.values.sorted { $0.exchange < $1.exchange }
    }

    /// The last record of each response, in the order of their exchanges.
    public var responses: [ResponseRecord] {
        var last: [ExchangeID: ResponseRecord] = [:]
        for case .response(let record) in events { last[record.exchange] = record }
        return last.values.sorted { $0.exchange < $1.exchange }
    }

    /// The last record of the response to that exchange; nil where none was told.
    public func response(to exchange: ExchangeID) -> ResponseRecord? {
        responses.first { $0.exchange == exchange }
    }

    /// All ends, in the order of their exchanges.
    public var ends: [ExchangeEnd] {
        events.compactMap { if case .end(let end) = $0 { end } else { nil } }.sorted { $0.exchange < $1.exchange }
    }

    /// The last record of each connection, in the order of their numbers.
    public var connections: [ConnectionRecord] {
        var last: [ConnectionID: ConnectionRecord] = [:]
        for case .connection(let record) in events { last[record.connection] = record }
        return last.values.sorted { $0.connection.rawValue < $1.connection.rawValue }
    }

    /// What it was told could not be told.
    public var losses: [TrafficLoss] { events.compactMap { if case .loss(let loss) = $0 { loss } else { nil } } }

    /// How many transfers were not tapped.
    package var untapped: Int64 {
        losses.reduce(0) { $1.reason == .untapped ? $0 + $1.count : $0 }
    }
}
