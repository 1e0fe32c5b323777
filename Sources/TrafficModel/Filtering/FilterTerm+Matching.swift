internal import ASCIIBytes

extension FilterTerm {
    /// Whether an exchange meets the term.
    package func matches(_ exchange: StoredExchange) -> Bool {
        values.contains { matches($0, exchange) } != isNegated
    }

    private func matches(_ value: FilterValue, _ exchange: StoredExchange) -> Bool {
        switch value {
        case .text(let pattern): matches(pattern, exchange)
        case .statuses(let range): exchange.response.map { range.contains($0.status) } ?? false
        case .noResponse: exchange.response == nil
        case .number(let number): matches(number, exchange)
        case .moment(let moment):
            key == .since ? exchange.request.startedAt >= moment : exchange.request.startedAt < moment
        case .direction(let direction): exchange.request.direction == direction
        case .flag(let isSet): matches(isSet, exchange)
        }
    }

    private func matches(_ isSet: Bool, _ exchange: StoredExchange) -> Bool {
        if key == .failed { return exchange.hasFailed == isSet }
        let property = exchange.end?.network?.properties.first { $0.name == key.rawValue }
        return property?.value == isSet
    }

    private func matches(_ number: Int64, _ exchange: StoredExchange) -> Bool {
        switch key {
        case .larger: Self.size(exchange) > number
        case .smaller: Self.size(exchange) < number
        case .slower: exchange.duration.map { $0 > number } ?? false
        case .faster: exchange.duration.map { $0 < number } ?? false
        case .task: exchange.task.rawValue == number || exchange.id.rawValue == number
        case .exchange: exchange.id.rawValue == number
        default: exchange.connection?.rawValue == number
        }
    }

    private static func size(_ exchange: StoredExchange) -> Int64 {
        exchange.request.size.known.bytes + (exchange.response?.size.known.bytes ?? 0)
    }

    private func matches(_ pattern: TextPattern, _ exchange: StoredExchange) -> Bool {
        let request = exchange.request
        switch key {
        case .host: return HostPattern(pattern).matches(request)
        case .method: return pattern.matches(request.method, .whole)
        case .type: return exchange.response.map { pattern.matches($0.contentType, .start) } ?? false
        case .api: return Self.matches(api: pattern, request.apiKey, host: request.host)
        case .path: return pattern.matches(request.path, .start)
        case .process: return pattern.matches(request.process.name, .whole)
        case .device: return request.direction == .served && pattern.matches(request.process.name, .whole)
        case .network: return exchange.end?.network?.matches(pattern.plain ?? "") ?? false
        case .body: return exchange.bodies.contains { pattern.matches($0, .part) }
        case .text: return exchange.isFound(pattern)
        default:
            let lines = HeaderPattern(key, pattern)
            return exchange.sections.contains { $0.lines.contains { lines.matches($0) } }
        }
    }

    /// Whether an API with that name and that host without its port matches.
    static func matches(api pattern: TextPattern, _ api: TrafficTotal.Key, host: String) -> Bool {
        let (method, authority, template) = (api.method ?? "", api.host ?? "", api.template ?? "")
        guard let text = pattern.plain else {
            return pattern.matches("\(method) \(authority) \(template)", .part)
        }
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard words.last == template, words.count == 1 || words[0] == method else { return false }
        guard words.count == 3 else { return true }
        return words[1] == authority || words[1] == "\(host):*"
    }
}

extension StoredExchange {
    /// The header sections that there are.
    package var sections: [FieldSection] { [request.fields] + (response.map { [$0.fields] } ?? []) }

    /// The bodies that were kept.
    var bodies: [[UInt8]] { [request.capturedBody, response?.capturedBody].compactMap(\.self) }

    /// Whether a pattern is in the URL, in the URL without percent-encoding, in a header line, or in a kept body.
    func isFound(_ pattern: TextPattern) -> Bool {
        let url = Array(request.url.utf8)
        return pattern.matches(url, .part)
            || url.contains(UInt8(ascii: "%")) && pattern.matches(ASCII.percentDecoded(url[...]), .part)
            || sections.contains { $0.lines.contains { HeaderPattern.line($0, pattern) } }
            || bodies.contains { pattern.matches($0, .part) }
    }
}

/// A host as a filter names it: a pattern, and the port if it names one.
package struct HostPattern: Sendable {
    /// The pattern: of the host without its port, or, if it is a regular expression, of the host as reports name it.
    package let pattern: TextPattern
    /// The port; nil for any.
    package let port: Int?

    /// Splits the port from a pattern.
    package init(_ pattern: TextPattern) {
        switch pattern.form {
        case .plain(let text):
            let named = NamedHost(text)
            self.pattern = TextPattern(named.host, foldsCase: true)
            port = named.port
        case .wildcard(let pieces):
            let (last, port) = Self.split(pieces[pieces.count - 1], isLast: pieces.count == 2)
            self.pattern = TextPattern(.wildcard(Array(pieces.dropLast()) + [last]), foldsCase: true)
            self.port = port
        case .regular:
            self.pattern = pattern
            port = nil
        }
    }

    // `.example.com:8443` is `.example.com` at 8443.
    private static func split(_ text: String, isLast: Bool) -> (String, Int?) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return (text, nil)
        }
        return (String(text[..<colon]), Int(port))
    }

    /// Whether the host of a request matches.
    func matches(_ request: RequestRecord) -> Bool {
        matches(request.host, authority: request.authority) && (port == nil || port == request.port)
    }

    /// Whether a host matches, at any port.
    func matches(_ host: String, authority: @autoclosure () -> String) -> Bool {
        if case .regular = pattern.form { return pattern.matches(authority(), .part) }
        return pattern.matches(host, .whole)
    }
}

/// A header line as a filter names it: by its name, or by its name and a part of its value.
package struct HeaderPattern: Sendable {
    /// The header's name; nil if any line may match.
    package let name: TextPattern?
    /// What is found in the value, or anywhere in the line.
    package let value: TextPattern?
    /// Whether it names no header, and any part of a line matches.
    package let isWholeLine: Bool

    /// The pattern of a term: of `has` the name, of `header` the name, a colon and a part of the value, or any part of
    /// the line.
    package init(_ key: FilterKey, _ pattern: TextPattern) {
        if key == .has {
            (name, value, isWholeLine) = (pattern, nil, false)
        } else if let text = pattern.plain, let colon = text.firstIndex(of: ":"), colon > text.startIndex {
            let rest = FieldSection.trimmed(Array(text[text.index(after: colon)...].utf8)[...])
            name = TextPattern(String(text[..<colon]), foldsCase: true)
            value = TextPattern(String(decoding: rest, as: UTF8.self), foldsCase: true)
            isWholeLine = false
        } else {
            (name, value, isWholeLine) = (nil, pattern, true)
        }
    }

    /// Whether a line, with its line ending, matches.
    package func matches(_ line: ArraySlice<UInt8>) -> Bool {
        if isWholeLine { return value.map { Self.line(line, $0) } ?? false }
        guard isNamed(line), let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return value?.matches(FieldSection.trimmed(line[line.index(after: colon)...]), .part) ?? true
    }

    /// Whether a line has the header's name, whatever its value.
    package func isNamed(_ line: ArraySlice<UInt8>) -> Bool {
        guard let name, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return name.matches(FieldSection.trimmed(line[..<colon]), .whole)
    }

    /// Whether a pattern is in a line without its line ending.
    package static func line(_ line: ArraySlice<UInt8>, _ pattern: TextPattern) -> Bool {
        pattern.matches(FieldSection.trimmed(line), .part)
    }
}
