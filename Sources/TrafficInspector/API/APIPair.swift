internal import TextFormats
internal import TrafficModel
internal import TrafficReports

/// Two APIs of one file beside each other.
struct APIPair: Sendable {
    let first: FilterTerm
    let second: FilterTerm
    let range: TimeRange
    /// Whether to compare what was called or what was served; nil for the first of them that there is.
    let direction: TrafficDirection?

    /// The pair that a request names as `api.a` and `api.b`; nil if it names none.
    init?(_ request: Request) throws(Refusal) {
        guard let first = request.item("api.a"), let second = request.item("api.b") else { return nil }
        self.first = FilterTerm(.api, FilterWords.api(first))
        self.second = FilterTerm(.api, FilterWords.api(second))
        range = try request.range
        direction = try request.direction
    }

    func json(_ reading: any TrafficBrowsing) throws -> JSONValue {
        let direction = try direction ?? reading.directions().first ?? .called
        let totals = try reading.totals(by: .api, in: range).filter { $0.key.direction == direction }
        func sum(_ api: FilterTerm) -> TrafficTotal? {
            let found = totals.filter { api.matches($0.key) }
            return found.first.map { first in found.dropFirst().reduce(into: first) { $0.merge($1) } }
        }
        return TrafficDiff.pair(sum(first), sum(second))
    }
}
