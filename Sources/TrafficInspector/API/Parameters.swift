internal import Clocks
internal import TextFormats
internal import TrafficModel

/// The parameters in a request's query.
extension Request {
    /// A number within a range; nil if the query does not name it.
    func number(_ name: String, in range: ClosedRange<Int64>) throws(Refusal) -> Int64? {
        guard let text = item(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw .wrong(
                .wholeNumber, ["name": name, "least": "\(range.lowerBound)", "most": "\(range.upperBound)"])
        }
        return number
    }

    /// The range between `since` and `until`.
    var range: TimeRange { get throws(Refusal) { try range("") } }

    /// The range between `since` and `until` with something before these names.
    func range(_ prefix: String) throws(Refusal) -> TimeRange {
        let range = TimeRange(since: try moment(prefix + "since"), until: try moment(prefix + "until"))
        if let since = range.since, let until = range.until, since >= until { throw .wrong(.range) }
        return range
    }

    /// The direction that the query names; nil if it names none.
    var direction: TrafficDirection? {
        get throws(Refusal) {
            guard let text = item("direction") else { return nil }
            guard let direction = TrafficDirection(rawValue: text) else { throw .wrong(.direction) }
            return direction
        }
    }

    /// The filter for exchanges.
    var exchangeFilter: ExchangeFilter {
        get throws(Refusal) {
            var filter = ExchangeFilter()
            filter.range = try range
            filter.host = item("host")
            filter.method = item("method")
            filter.contentType = item("type")
            filter.api = item("api").map(FilterWords.api)
            filter.path = item("path")
            filter.failedOnly = item("failed") == "1"
            filter.direction = try direction
            filter.task = try number("task", in: 1...Int64.max).map(StoredExchange.ID.init)
            filter.connection = try number("connection", in: 1...Int64.max).map(StoredConnection.ID.init)
            if let text = item("slower") {
                guard let milliseconds = Double(text), (0...1e9).contains(milliseconds) else {
                    throw .wrong(.slower)
                }
                filter.slowerThan = Int64(milliseconds * 1e6)
            }
            if let text = item("text") { filter.expression = try Self.expression(text) }
            if let text = item("exchanges") { filter.expression.terms.append(try Self.exchanges(text)) }
            if let process = item("process") { filter.expression.terms.append(FilterTerm(.process, process)) }
            if let status = item("status") { filter.expression.terms.append(try Self.statuses(status)) }
            return filter
        }
    }

    private static func expression(_ text: String) throws(Refusal) -> FilterExpression {
        do {
            return try FilterParser.parse(text, now: SystemClock.now())
        } catch {
            throw .wrong(
                RefusalPhrase(error.reason),
                error.values.merging(["place": "\(error.offset + 1)"]) { value, _ in value })
        }
    }

    private static func exchanges(_ text: String) throws(Refusal) -> FilterTerm {
        var numbers: [FilterValue] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = Int64(word), number >= 0, numbers.count < exchangeLimit else { throw .wrong(.exchanges) }
            numbers.append(.number(number))
        }
        return FilterTerm(.exchange, numbers)
    }

    /// The most exchanges that a request may name.
    static let exchangeLimit = 1_000

    private static func statuses(_ text: String) throws(Refusal) -> FilterTerm {
        do {
            return try FilterParser.term(.status, text, now: SystemClock.now())
        } catch {
            throw .wrong(.status)
        }
    }

    private func moment(_ name: String) throws(Refusal) -> Timestamp? {
        guard let text = item(name) else { return nil }
        guard let milliseconds = Double(text), abs(milliseconds) < 9e12 else {
            throw .wrong(.moment, ["name": name])
        }
        return Timestamp(nanoseconds: Int64(milliseconds * 1e6))
    }
}
