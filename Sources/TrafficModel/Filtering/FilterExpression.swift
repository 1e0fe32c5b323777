/// A filter as people write it: terms that must all hold.
///
/// docs/filter.md describes the language; `FilterParser` reads it.
package struct FilterExpression: Hashable, Sendable {
    /// The terms; every exchange matches if there are none.
    package var terms: [FilterTerm]

    /// An expression of those terms.
    package init(_ terms: [FilterTerm] = []) { self.terms = terms }

    /// Whether every exchange matches.
    package var isEmpty: Bool { terms.isEmpty }

    /// Whether an exchange meets every term.
    ///
    /// Kept bodies that are not in the record are not searched.
    package func matches(_ exchange: StoredExchange) -> Bool { terms.allSatisfy { $0.matches(exchange) } }
}

/// One term of a filter: a key, and the values of which one must match.
package struct FilterTerm: Hashable, Sendable {
    /// What the term is about.
    package var key: FilterKey
    /// The values: at least one, of the key's own kind.
    package var values: [FilterValue]
    /// Whether the exchanges match that do not meet the term.
    package var isNegated: Bool

    /// A term of that key and those values.
    package init(_ key: FilterKey, _ values: [FilterValue], isNegated: Bool = false) {
        self.key = key
        self.values = values
        self.isNegated = isNegated
    }

    /// A term with one text.
    package init(_ key: FilterKey, _ text: String) {
        self.init(key, [.text(TextPattern(text, foldsCase: key.foldsCase))])
    }
}

/// One value of a term.
package enum FilterValue: Hashable, Sendable {
    /// A text or a pattern.
    case text(TextPattern)
    /// A range of statuses.
    case statuses(ClosedRange<Int>)
    /// No response at all.
    case noResponse
    /// Bytes, nanoseconds, or the number of a task, a connection or an exchange.
    case number(Int64)
    /// A moment.
    case moment(Timestamp)
    /// A direction.
    case direction(TrafficDirection)
    /// Yes or no.
    case flag(Bool)
}

extension ExchangeFilter {
    /// All conditions but the range as terms: those that are set one by one, then those of the expression.
    package var terms: [FilterTerm] {
        var terms: [FilterTerm] = []
        for (key, text) in [
            (FilterKey.host, host), (.method, method), (.type, contentType), (.api, api), (.path, path),
            (.network, network),
        ] {
            if let text { terms.append(FilterTerm(key, text)) }
        }
        if let status { terms.append(FilterTerm(.status, [.statuses(status)])) }
        if failedOnly { terms.append(FilterTerm(.failed, [.flag(true)])) }
        if let slowerThan { terms.append(FilterTerm(.slower, [.number(slowerThan)])) }
        if let task { terms.append(FilterTerm(.task, [.number(task.rawValue)])) }
        if let connection { terms.append(FilterTerm(.connection, [.number(connection.rawValue)])) }
        if let direction { terms.append(FilterTerm(.direction, [.direction(direction)])) }
        return terms + expression.terms
    }
}
