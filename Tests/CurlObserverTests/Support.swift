import CurlObserver
import Synchronization
import TrafficModel

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Keeps what it is told.
final class Recorder: TrafficSink {
    private let kept = Mutex<[TrafficEvent]>([])

    func record(_ event: TrafficEvent) { kept.withLock { $0.append(event) } }

    var events: [TrafficEvent] { kept.withLock { $0 } }

    /// The last record of each request, in the order of their exchanges.
    var requests: [RequestRecord] {
        var last: [ExchangeID: RequestRecord] = [:]
        for case .request(let record) in events { last[record.exchange] = record }
        return last.values.sorted { $0.exchange < $1.exchange }
    }

    /// The last record of each response, in the order of their exchanges.
    var responses: [ResponseRecord] {
        var last: [ExchangeID: ResponseRecord] = [:]
        for case .response(let record) in events { last[record.exchange] = record }
        return last.values.sorted { $0.exchange < $1.exchange }
    }

    /// All ends, in the order of their exchanges.
    var ends: [ExchangeEnd] {
        events.compactMap { if case .end(let end) = $0 { end } else { nil } }.sorted { $0.exchange < $1.exchange }
    }

    /// The last record of each connection, in the order of their numbers.
    var connections: [ConnectionRecord] {
        var last: [ConnectionID: ConnectionRecord] = [:]
        for case .connection(let record) in events { last[record.connection] = record }
        return last.values.sorted { $0.connection.rawValue < $1.connection.rawValue }
    }

    var losses: [TrafficLoss] { events.compactMap { if case .loss(let loss) = $0 { loss } else { nil } } }
}

/// A reader with its sink.
struct Hearing {
    let sink = Recorder()
    let reader: TapReader

    init() {
        reader = TapReader(
            process: ProcessIdentity(pid: 1, name: "test"), sink: sink, identifiers: IdentifierSource(),
            wallOffset: { 1_000_000 })
    }

    func take(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try reader.take($0) } }

    /// All frames at once.
    @discardableResult
    static func of(_ build: (inout FrameBuilder) -> Void) throws -> Recorder {
        let hearing = Hearing()
        var frames = FrameBuilder()
        build(&frames)
        try hearing.take(frames.bytes)
        return hearing.sink
    }
}
