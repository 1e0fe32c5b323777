internal import TrafficModel

extension ExchangeQuery {
    /// The condition that one value of a term sets.
    static func condition(_ key: FilterKey, _ value: FilterValue) -> Condition {
        switch value {
        case .text(let pattern): condition(key, pattern)
        case .statuses(let range):
            Condition(
                "e.answer IN (SELECT id FROM answer WHERE status BETWEEN ? AND ?)",
                [.number(Int64(range.lowerBound)), .number(Int64(range.upperBound))])
        case .noResponse: Condition("e.answer IS NULL")
        case .number(let number): condition(key, number)
        case .moment(let moment):
            Condition(key == .since ? "e.started >= ?" : "e.started < ?", [.number(moment.microsecondsUp)])
        case .direction(let direction): route("t.direction = ?", [.number(direction.number)])
        case .flag(let isSet): flag(key, isSet)
        }
    }

    private static func condition(_ key: FilterKey, _ number: Int64) -> Condition {
        switch key {
        case .larger, .smaller:
            Condition("\(size) \(key == .larger ? ">" : "<") ?", [.number(number)])
        // Durations are in whole microseconds.
        case .slower: Condition("e.duration > ?", [.number(TimeSlot.floor(number, 1_000))])
        case .faster: Condition("e.duration <= ?", [.number(TimeSlot.floor(number - 1, 1_000))])
        case .task:
            Condition(
                "e.id = ? OR e.id IN (SELECT id FROM exchange WHERE task = ?)", [.number(number), .number(number)])
        case .exchange: Condition("e.id = ?", [.number(number)])
        // The first and the last exchange that ended on the connection bound the rows to look at, as for times.
        default:
            Condition(
                "e.connection = ? AND e.id BETWEEN (SELECT first FROM carried WHERE connection = ?) "
                    + "AND (SELECT last FROM carried WHERE connection = ?)",
                [.number(number), .number(number), .number(number)])
        }
    }

    private static let size =
        StoreSchema.known("request") + " + coalesce(\(StoreSchema.known("response")), 0)"

    private static func flag(_ key: FilterKey, _ isSet: Bool) -> Condition {
        guard key != .failed else { return Condition(isSet ? "e.failed" : "NOT e.failed") }
        let place = ConnectionNetwork().properties.firstIndex { $0.name == key.rawValue } ?? 0
        return Condition(
            """
            e.connection IN (SELECT id FROM connection
                WHERE network IS NOT NULL AND (network_flags >> \(2 * place)) & 3 = \(isSet ? 3 : 1))
            """)
    }

    private static func condition(_ key: FilterKey, _ pattern: TextPattern) -> Condition {
        let text = pattern.plain
        switch key {
        case .host: return host(HostPattern(pattern))
        case .method:
            return route(text == nil ? matches("a.method") : "a.method = ? COLLATE NOCASE", [.pattern(pattern)])
        case .type:
            guard let text else {
                return Condition(
                    "e.answer IN (SELECT id FROM answer WHERE \(matches("type")))", [.pattern(pattern)])
            }
            return Condition(
                "e.answer IN (SELECT id FROM answer WHERE substr(lower(type), 1, length(?)) = ?)",
                [.text(text.lowercased()), .text(text.lowercased())])
        case .api: return api(pattern)
        case .path: return text.map(path) ?? Condition(matches(pathInSQL), [.pattern(pattern)])
        case .process, .device:
            let isNamed = text == nil ? matches("name") : "name = ?"
            guard key == .device else {
                return route("t.process IN (SELECT id FROM process WHERE \(isNamed))", [.pattern(pattern)])
            }
            let isKnown = "name IN (SELECT address FROM device WHERE \(isNamed))"
            return route(
                """
                t.process IN (SELECT id FROM process WHERE \(isNamed) OR \(isKnown))
                AND t.direction = \(TrafficDirection.served.number)
                """, [.pattern(pattern), .pattern(pattern)])
        case .network: return network(text ?? "")
        // Only a body is left.
        default:
            return Condition(
                "EXISTS (SELECT 1 FROM body b WHERE b.id = e.id AND \(matches("b.bytes")))",
                [.text(PatternFunction.parameter(pattern))])
        }
    }

    // The function of ``PatternFunction``.
    private static func matches(_ text: String) -> String { "\(PatternFunction.name)(?, \(text))" }

    private static func route(_ condition: String, _ values: [Value]) -> Condition {
        Condition(
            "e.route IN (SELECT t.id FROM route t JOIN shown_api a ON a.id = t.api WHERE \(condition))", values)
    }

    // The API's host has the port if it is not the default port of the scheme.
    private static func host(_ host: HostPattern) -> Condition {
        guard let text = host.pattern.plain else {
            if case .regular = host.pattern.form { return route(matches("a.host"), [.pattern(host.pattern)]) }
            let isHost = matches(StoreSchema.host)
            guard let port = host.port else { return route(isHost, [.pattern(host.pattern)]) }
            return route("\(isHost) AND t.port = ?", [.pattern(host.pattern), .number(Int64(port))])
        }
        let name = Value.text(text)
        guard let port = host.port else { return route("a.host = ? OR a.host = ? || ':' || t.port", [name, name]) }
        return route("t.port = ? AND a.host IN (?, ? || ':' || t.port)", [.number(Int64(port)), name, name])
    }

    // `template`, `METHOD template` or `METHOD host template`.
    private static func api(_ pattern: TextPattern) -> Condition {
        guard let api = pattern.plain else {
            return route(matches("a.method || ' ' || a.host || ' ' || a.template"), [.pattern(pattern)])
        }
        let words = api.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        switch words.count {
        case 3:
            // In sums of an older version, a host without a port includes all of its ports.
            let host = Value.text(words[1].hasSuffix(":*") ? String(words[1].dropLast(2)) : words[1])
            let isOne = "NOT EXISTS (SELECT 1 FROM route o JOIN api p ON p.id = o.api WHERE p.host = ?)"
            return route(
                "a.method = ? AND a.template = ? AND (a.host = ? OR a.host = ? || ':' || t.port AND \(isOne))",
                [.text(words[0]), .text(words[2]), host, host, words[1].hasSuffix(":*") ? .text("") : host])
        case 2: return route("a.method = ? AND a.template = ?", [.text(words[0]), .text(words[1])])
        default: return route("a.template = ?", [.text(api)])
        }
    }

    // Most paths are partly in the template of the API: see ``PathColumns``. Rows of other APIs are left out first.
    private static func path(_ path: String) -> Condition {
        let start = PathColumns.startInSQL
        return Condition(
            """
            CASE WHEN e.path IS NOT NULL THEN substr(e.path, 1, length(?)) = ?
                WHEN e.path_rest IS NOT NULL THEN
                    e.route IN (SELECT t.id FROM route t JOIN api a ON a.id = t.api
                        WHERE substr(\(start), 1, length(?)) = substr(?, 1, length(\(start))))
                    AND substr((SELECT \(start) FROM route t JOIN api a ON a.id = t.api WHERE t.id = e.route)
                        || e.path_rest, 1, length(?)) = ?
                ELSE e.route IN (SELECT t.id FROM route t JOIN api a ON a.id = t.api
                    WHERE substr(a.template, 1, length(?)) = ?) END
            """, Array(repeating: .text(path), count: 8))
    }

    private static let pathInSQL =
        "(SELECT \(PathColumns.pathInSQL) FROM route t JOIN api a ON a.id = t.api WHERE t.id = e.route)"

    // The same condition as ``ConnectionNetwork/matches(_:)``.
    private static func network(_ network: String) -> Condition {
        let word = Value.text(network)
        let property = ConnectionNetwork().properties.firstIndex { $0.name == network }
        let isProperty = property.map { " OR (network_flags >> \(2 * $0)) & 3 = 3" } ?? ""
        return Condition(
            """
            e.connection IN (SELECT id FROM connection WHERE network IS NOT NULL
                AND (network = ? OR \(ConnectionRow.networkName) = ?\(isProperty)))
            """, [word, word])
    }
}

extension ExchangeQuery.Value {
    /// The parameter for a pattern: a plain one itself, the others as ``PatternFunction`` reads them.
    fileprivate static func pattern(_ pattern: TextPattern) -> ExchangeQuery.Value {
        .text(pattern.plain ?? PatternFunction.parameter(pattern))
    }
}
