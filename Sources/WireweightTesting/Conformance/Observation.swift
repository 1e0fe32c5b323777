import TrafficModel
import TrafficOrigin

/// The outcome of a scenario: the client's results, the observer's events, and the origin's log.
struct Observation {
    let scenario: Scenario
    /// The suite's own ports; traffic to others is ignored.
    let ports: [Int]
    var results: [String: ConformanceResult] = [:]
    var events: [TrafficEvent] = []
    /// The number of events when the observer's `stop()` returned; nil if it was not stopped.
    var countAtStop: Int?
    var exchanges: [OriginExchange] = []

    /// All events of one exchange.
    struct ReportedExchange {
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

    /// The exchanges with the suite's ports, each with the last version of its records, in the order of their numbers.
    var reported: [ReportedExchange] {
        var result: [ExchangeID: ReportedExchange] = [:]
        for case .request(let record) in events where ports.contains(record.port) {
            result[record.exchange, default: ReportedExchange(request: record)].request = record
        }
        for event in events {
            switch event {
            case .response(let record): result[record.exchange]?.response = record
            case .end(let end): result[end.exchange]?.ends.append(end)
            case .request, .connection, .loss, .device, .lookup, .carrier: break
            }
        }
        return result.values.sorted { $0.id < $1.id }
    }

    /// The ends of those exchanges.
    var ends: [ExchangeEnd] { reported.flatMap(\.ends) }

    /// The reported exchanges whose request has that path.
    func reported(at path: String) -> [ReportedExchange] { reported.filter { $0.request.path == path } }

    /// The origin's log of an exchange; nil if the origin did not see it.
    func truth(of reported: ReportedExchange) -> OriginExchange? {
        exchanges.first { $0.parsed?.path == reported.request.path }
    }
}

extension OriginExchange {
    /// The status of the response that the origin wrote; nil if it wrote none.
    var status: Int? {
        // `HTTP/1.1 200 …`
        let words = responseLog.kept.prefix(12).split(separator: 0x20)
        return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
    }
}
