import TrafficModel
import TrafficOrigin

/// What came of a scenario: what the client got, what the observer told, and what the origin logged.
struct Observation {
    let scenario: Scenario
    /// The suite's own; other traffic is none of its business.
    let ports: [Int]
    var answers: [String: ConformanceAnswer] = [:]
    var events: [TrafficEvent] = []
    /// How many events there were when the observer had been stopped.
    var toldAtStop: Int?
    var exchanges: [OriginExchange] = []

    /// All that was told of one exchange.
    struct Told {
        var request: RequestRecord
        var response: ResponseRecord?
        var ends: [ExchangeEnd] = []

        var id: ExchangeID { request.exchange }
        var isCompleted: Bool { ends.contains { $0.outcome == .completed } }
        var isFailed: Bool {
            ends.contains { $0.outcome.failure != nil }
        }
        var outcomes: String { ends.isEmpty ? "no end" : ends.map { "'\($0.outcome.name)'" }.joined(separator: ", ") }
    }

    init(scenario: Scenario, ports: [Int]) {
        self.scenario = scenario
        self.ports = ports
    }

    /// The exchanges with the suite's ports, the last word on each record, in the order of their numbers.
    var told: [Told] {
        var result: [ExchangeID: Told] = [:]
        for case .request(let record) in events where ports.contains(record.port) {
            result[record.exchange, default: Told(request: record)].request = record
        }
        for event in events {
            switch event {
            case .response(let record): result[record.exchange]?.response = record
            case .end(let end): result[end.exchange]?.ends.append(end)
            case .request, .connection, .loss: break
            }
        }
        return result.values.sorted { $0.id < $1.id }
    }

    /// The ends of those exchanges.
    var ends: [ExchangeEnd] { told.flatMap(\.ends) }

    /// What was told of requests with that path.
    func told(of path: String) -> [Told] { told.filter { $0.request.path == path } }

    /// What the origin logged of an exchange; nil where it saw none.
    func truth(of told: Told) -> OriginExchange? { exchanges.first { $0.parsed?.path == told.request.path } }
}

extension OriginExchange {
    /// The status in the response that was written; nil where there is none.
    var status: Int? {
        // `HTTP/1.1 200 …`
        let words = responseLog.kept.prefix(12).split(separator: 0x20)
        return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
    }
}
