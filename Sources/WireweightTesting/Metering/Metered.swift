internal import TextFormats

/// What a piece of code sent and received: the result of ``metering(hosts:patience:_:)``.
public struct Metered<Result>: MeteredFigures {
    /// The return value of the metered code.
    public let result: Result
    /// The sums over all exchanges.
    public let figures: TrafficTotal
    /// The sums of each API, in the order of host, template and method.
    public let apis: [MeteredAPI]
    /// Each request with its response and end, in the order of their start.
    ///
    /// Secrets are replaced, and bodies are not kept.
    public let exchanges: [Exchange]
    /// Traffic that could not be recorded and is missing from the sums.
    public let losses: [TrafficLoss]

    init(result: Result, totals all: [TrafficTotal], losses: [TrafficLoss], exchanges: [Exchange]) {
        self.result = result
        self.exchanges = exchanges
        self.losses = losses.filter { $0.count > 0 }.sorted { $0.reason.rawValue < $1.reason.rawValue }
        // A budget of a test is about what the test calls.
        let totals = all.filter { $0.key.direction == .called }
        figures = totals.reduce(into: TrafficTotal(key: TrafficTotal.Key())) { $0.merge($1) }
        apis = totals.map { total in
            MeteredAPI(
                method: total.key.method ?? "", host: total.key.host, template: total.key.template ?? "",
                figures: total)
        }.sorted { left, right in
            [left.host ?? "", left.template, left.method].lexicographicallyPrecedes(
                [right.host ?? "", right.template, right.method])
        }
    }

    /// Returns the sums of one API.
    ///
    /// If there was no such request, all sums are 0, which is less than any budget. So check the number of requests,
    /// too.
    ///
    /// - Parameters:
    ///   - method: a method such as `GET`; empty for requests that failed before they were sent.
    ///   - template: the path with its variable parts replaced by names: `/users/{id}`.
    ///   - host: a host at any port; with a port, as in `127.0.0.1:8080`, only that service; nil for all hosts.
    /// - Returns: the sums, added up over all matching hosts.
    public func api(_ method: String, _ template: String, host: String? = nil) -> MeteredAPI {
        let key = TrafficTotal.Key(method: method, host: host, template: template)
        let named = host.map { NamedHost($0) }
        let matching = apis.filter {
            $0.method == method && $0.template == template && (named?.matches($0.host ?? "") ?? true)
        }
        return MeteredAPI(
            method: method, host: host, template: template,
            figures: matching.reduce(into: TrafficTotal(key: key)) { $0.merge($1.figures) })
    }

    /// The sums in words, followed by those of the three heaviest APIs with the largest part of each.
    public var description: String {
        let lost = losses.map { "\($0.reason.rawValue) \(Units.count($0.count))" }.joined(separator: ", ")
        let heaviest = apis.sorted { $0.total > $1.total }
        let rest = heaviest.dropFirst(3)
        let bytes = Units.count(rest.reduce(0) { $0 + $1.total.bytes })
        let more = rest.isEmpty ? [] : ["  \(rest.count) more: \(bytes) B"]
        return
            ([summary] + heaviest.prefix(3).map { "  \($0)" } + more
            + (lost.isEmpty ? [] : ["  not recorded: \(lost)"]))
            .joined(separator: "\n")
    }
}

extension Metered: Sendable where Result: Sendable {}
