internal import ASCIIBytes
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
    var range: TimeRange {
        get throws(Refusal) {
            let range = TimeRange(since: try moment("since"), until: try moment("until"))
            if let since = range.since, let until = range.until, since >= until {
                throw .wrong(.range)
            }
            return range
        }
    }

    /// The direction that the query names; nil if it names none.
    var direction: TrafficDirection? {
        get throws(Refusal) {
            guard let text = item("direction") else { return nil }
            guard let direction = TrafficDirection(rawValue: text) else { throw .wrong(.direction) }
            return direction
        }
    }

    /// The filter for exchanges, and the conditions that a store cannot check.
    var exchangeFilter: (filter: ExchangeFilter, rest: RestFilter) {
        get throws(Refusal) {
            var filter = ExchangeFilter()
            filter.range = try range
            filter.host = item("host")
            filter.method = item("method")
            filter.contentType = item("type")
            filter.api = item("api").map(Self.api)
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
            var rest = RestFilter(text: item("text"), process: item("process"))
            if let status = item("status") {
                if status == "none" { rest.isUnanswered = true } else { filter.status = try Self.statuses(status) }
            }
            return (filter, rest)
        }
    }

    /// Converts `GET api.test/users` to the name that stores use: `GET api.test /users`.
    private static func api(_ text: String) -> String {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let slash = parts[1].firstIndex(of: "/"), slash > parts[1].startIndex,
            parts[1][..<slash].last != " "
        else { return text }
        return "\(parts[0]) \(parts[1][..<slash]) \(parts[1][slash...])"
    }

    private static func statuses(_ text: String) throws(Refusal) -> ClosedRange<Int> {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        if text.count == 3, text.lowercased().hasSuffix("xx"), let first = Int(text.prefix(1)), 1...5 ~= first {
            return (first * 100)...(first * 100 + 99)
        }
        if let first = parts.first ?? nil, let last = parts.last ?? nil, parts.count <= 2, 100 <= first, first <= last,
            last <= 999
        {
            return first...last
        }
        throw .wrong(.status)
    }

    private func moment(_ name: String) throws(Refusal) -> Timestamp? {
        guard let text = item(name) else { return nil }
        guard let milliseconds = Double(text), abs(milliseconds) < 9e12 else {
            throw .wrong(.moment, ["name": name])
        }
        return Timestamp(nanoseconds: Int64(milliseconds * 1e6))
    }
}

/// Conditions that a store cannot check.
struct RestFilter: Hashable, Sendable {
    /// A text in the URL or in a header value; case does not matter.
    var text: String?
    /// The program's name.
    var process: String?
    /// Whether only exchanges without a response match.
    var isUnanswered = false

    /// Whether every exchange matches.
    var isEmpty: Bool { text == nil && process == nil && !isUnanswered }

    /// Whether an exchange meets all conditions.
    func matches(_ exchange: StoredExchange) -> Bool {
        if isUnanswered && exchange.response != nil { return false }
        if let process, exchange.request.process.name != process { return false }
        guard let text else { return true }
        let wanted = Array(text.utf8).map(ASCII.lowercased)
        return Self.contains(wanted, in: exchange.request.url.utf8)
            || Self.contains(wanted, inValuesOf: exchange.request.fields)
            || exchange.response.map { Self.contains(wanted, inValuesOf: $0.fields) } ?? false
    }

    private static func contains(_ wanted: [UInt8], inValuesOf fields: FieldSection) -> Bool {
        fields.lines.contains { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
            return contains(wanted, in: line[line.index(after: colon)...])
        }
    }

    private static func contains(_ wanted: [UInt8], in text: some Sequence<UInt8>) -> Bool {
        let text = text.map(ASCII.lowercased)
        guard let first = wanted.first, text.count >= wanted.count else { return wanted.isEmpty }
        return text[...(text.count - wanted.count)].indices.contains { begin in
            text[begin] == first && text[begin...].starts(with: wanted)
        }
    }
}
