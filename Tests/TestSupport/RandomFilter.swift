package import TrafficModel

extension FilterExpression {
    /// A filter of any terms, some of whose values occur in ordinary traffic.
    package static func random(_ generator: inout SeededGenerator) -> FilterExpression {
        FilterExpression(
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in FilterTerm.random(&generator) })
    }
}

extension FilterTerm {
    /// A term of any key.
    package static func random(_ generator: inout SeededGenerator) -> FilterTerm {
        let key = FilterKey.allCases.randomElement(using: &generator)!
        let count = Int.random(in: 1...2, using: &generator)
        return FilterTerm(
            key, (0..<count).map { _ in FilterValue.random(key, &generator) },
            isNegated: Int.random(in: 0...2, using: &generator) == 0)
    }
}

extension FilterValue {
    fileprivate static func random(_ key: FilterKey, _ generator: inout SeededGenerator) -> FilterValue {
        func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &generator) }
        switch key.values {
        case .pattern, .text, .word: return .text(pattern(key, &generator))
        case .statuses:
            let first = Int(number(100...600))
            return number(0...4) == 0 ? .noResponse : .statuses(first...(first + Int(number(0...120))))
        case .size: return .number(number(0...20_000))
        case .duration: return .number(number(0...3_000_000_000))
        case .moment:
            return .moment(Timestamp(nanoseconds: 1_763_683_230_000_000_000 + number(0...3_600_000_000) * 1_000))
        case .number: return .number(number(1...400))
        case .direction: return .direction(TrafficDirection.allCases.randomElement(using: &generator)!)
        case .flag: return .flag(number(0...1) == 0)
        }
    }

    private static let texts: [FilterKey: [String]] = [
        .host: ["a.test", "b.test", "b.test:8080", "a.test:443", "c.test"], .method: ["GET", "POST", "PURGE"],
        .type: ["image/", "text/html", "application/json"], .path: ["/x", "/x/3", "/y", "/a%20b", "/é \"\\,*~"],
        .api: ["/y", "GET /x/{id}", "POST a.test /y", "GET b.test:8080 /x/{id}"], .process: ["app", "tool"],
        .device: ["app", "tool", "a*"],
        .network: ["lo", "cellular", "wlan0"], .has: ["set-cookie", "X-Request-ID", "accept"],
        .header: ["x-request-id: 7", "content-type: image", "Cookie:", "gzip", "no-store"],
        .body: ["name", "Ünïcode", "zz"],
    ]
    private static let words = [
        "users", "A.TEST", "q=1", "a b", "request-id: 7", "gzip", "name", "-x", "~y", "failed", "status:404", "\"",
        "a\\b", "é", "Nov 2025", "dead",
    ]
    private static let expressions = [
        "^/x/[13]$", "t.st", "\\d{2}", "(a|b)\\.test:?", "x-request-id: [0-5]", "\"|\\\\", "é",
    ]

    private static func pattern(_ key: FilterKey, _ generator: inout SeededGenerator) -> TextPattern {
        let form = Int.random(in: 0...5, using: &generator)
        if form == 0, key.values != .word {
            let source = expressions.randomElement(using: &generator)!
            return TextPattern(
                .regular(try! RegularPattern(source, foldsCase: key.foldsCase)), foldsCase: key.foldsCase)
        }
        let text = (texts[key] ?? words).randomElement(using: &generator)!
        if form == 1, key.values == .pattern {
            let cut = Int.random(in: 0...text.count, using: &generator)
            let end = Int.random(in: cut...text.count, using: &generator)
            return TextPattern(
                .wildcard([String(text.prefix(cut)), String(text.dropFirst(end))]), foldsCase: key.foldsCase)
        }
        return TextPattern(text, foldsCase: key.foldsCase)
    }
}
