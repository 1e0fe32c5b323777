import Locks
public import TrafficModel

/// A sink that keeps all events, for tests of observers and of the stages that follow them.
public final class RecordingSink: TrafficSink {
    private let kept = Mutex<[TrafficEvent]>([])

    /// Makes an empty sink.
    public init() {}

    /// Keeps an event.
    public func record(_ event: TrafficEvent) { kept.withLock { $0.append(event) } }

    /// All events in the order of their arrival.
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

    /// The last record of the response of an exchange; nil if there is none.
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

    /// All reported losses.
    public var losses: [TrafficLoss] { events.compactMap { if case .loss(let loss) = $0 { loss } else { nil } } }

    /// The number of transfers reported as untapped.
    package var untapped: Int64 {
        losses.reduce(0) { $1.reason == .untapped ? $0 + $1.count : $0 }
    }
}
