import ClickHouse
internal import FleetTables
internal import TrafficModel

/// Conditions that every exchange meets which a term of a filter selects.
///
/// The engine only leaves out what cannot match, so a condition may select more than its term, but never less.
enum ExchangeConditions {
    /// The condition; nil if all exchanges have to be looked at.
    static func necessary(_ term: FilterTerm) -> SQLText? {
        guard !term.isNegated else { return nil }
        let any = term.values.map { condition(term.key, $0) }
        let known = any.compactMap(\.self)
        guard known.count == any.count, !known.isEmpty else { return nil }
        return "(\(SQLText.joined(known, by: " OR ")))"
    }

    private static func condition(_ key: FilterKey, _ value: FilterValue) -> SQLText? {
        switch value {
        case .statuses(let range): "answered = 1 AND status >= \(range.lowerBound) AND status <= \(range.upperBound)"
        case .noResponse: "answered = 0"
        case .number(let number): condition(key, number)
        case .moment(let moment):
            key == .since
                ? "started_us >= \(FleetNumbers.microseconds(moment))"
                : "started_us <= \(FleetNumbers.microseconds(moment))"
        case .direction(let direction): "direction = \(FleetNumbers.direction(direction))"
        case .flag(let isSet): key == .failed ? "failed = \(isSet ? 1 : 0)" : nil
        case .text(let pattern): condition(key, pattern)
        }
    }

    private static func condition(_ key: FilterKey, _ number: Int64) -> SQLText? {
        switch key {
        case .task: "(task = \(number) OR number = \(number))"
        case .exchange: "number = \(number)"
        case .connection: "connection = \(number)"
        default: nil
        }
    }

    private static func condition(_ key: FilterKey, _ pattern: TextPattern) -> SQLText? {
        guard let text = pattern.plain else { return nil }
        switch key {
        case .host:
            guard let host = HostPattern(pattern).pattern.needle else { return nil }
            return "host = \(String(decoding: host, as: UTF8.self))"
        case .process: return "process = \(text)"
        case .device: return "direction = \(FleetNumbers.direction(.served)) AND process = \(text)"
        case .path: return "startsWith(path, \(text))"
        default: return nil
        }
    }
}
