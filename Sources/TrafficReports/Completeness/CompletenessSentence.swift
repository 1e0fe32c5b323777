internal import TextFormats
package import TrafficModel

/// A sentence about how much of the traffic the rows account for: a phrase and its values.
package struct CompletenessSentence: Hashable, Sendable {
    /// A value for a name in a phrase.
    package enum Value: Hashable, Sendable {
        case bytes(ByteCount)
        case count(Int64)
        /// From 0 to 1.
        case share(Double)
        case connections([LedgerCoverage.Example])
        /// What connections carried besides messages.
        case parts([Part])
    }

    /// A part of the connections' bytes.
    package struct Part: Hashable, Sendable {
        let part: ConnectionPart
        let size: ByteCount
    }

    /// The phrase, with `{names}` for the values.
    package let phrase: CompletenessPhrase
    /// The values, by their names in the phrase.
    package let values: [String: Value]

    init(_ phrase: CompletenessPhrase, _ values: [String: Value]) {
        self.phrase = phrase
        self.values = values
    }

    /// The sentence in English.
    package var english: String {
        values.reduce(phrase.english) { $0.replacing("{\($1.key)}", with: Self.english($1.value)) }
    }

    private static func english(_ value: Value) -> String {
        switch value {
        case .bytes(let bytes): return Units.bytes(bytes)
        case .count(let count): return Units.count(count)
        case .share(let share): return Units.percent(share)
        case .connections(let connections):
            return enumeration(
                connections.map { one in
                    (one.connection.map { "connection \($0)" } ?? "a connection")
                        + (one.peer.isEmpty ? "" : " to \(TerminalText.escaped(one.peer))")
                })
        case .parts(let parts):
            return enumeration(parts.map { "\(Units.bytes($0.size)) of \($0.part.words)" })
        }
    }

    private static func enumeration(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// The phrase and its values; the name of each value's member is its unit.
    var json: JSONValue {
        .object([
            .init("phrase", .string(phrase.rawValue)), .init("english", .string(english)),
            .init(
                "values",
                .object(values.sorted { $0.key < $1.key }.map { .init($0.key, Self.json($0.value)) })),
        ])
    }

    private static func json(_ value: Value) -> JSONValue {
        switch value {
        case .bytes(let bytes): .object([.init("bytes", .integer(bytes.bytes))])
        case .count(let count): .object([.init("count", .integer(count))])
        case .share(let share): .object([.init("share", .share(share))])
        case .connections(let connections): .object([.init("connections", .array(connections.map(\.json)))])
        case .parts(let parts):
            .object([
                .init(
                    "parts",
                    .array(
                        parts.map {
                            .object([
                                .init("name", .string($0.part.name)), .init("bytes", .integer($0.size.bytes)),
                            ])
                        }))
            ])
        }
    }
}

extension LedgerCoverage.Example {
    var json: JSONValue {
        .object([
            .init("connection", connection.map { .integer($0.rawValue) } ?? .null), .init("peer", .text(peer)),
        ])
    }
}

extension ConnectionPart {
    /// The part's name within a sentence.
    package var words: String {
        switch self {
        case .messages: "messages"
        case .tls: "TLS"
        case .http2: "HTTP/2's own frames"
        case .socks: "SOCKS handshakes"
        case .proxyProtocol: "PROXY protocol"
        case .proxyTLS: "TLS to a proxy"
        case .webSocket: "WebSocket's frame headers"
        case .webSocketPayload: "WebSocket payload"
        case .upgraded: "other protocols after HTTP"
        case .afterMessage: "bytes after the end of a response"
        case .unseen: "messages that were not seen"
        default: "bytes that nothing explains"
        }
    }

    /// The title of the part's column in a table.
    package var title: String {
        switch self {
        case .messages: "Messages"
        case .tls: "TLS"
        case .http2: "HTTP/2"
        case .socks: "SOCKS"
        case .proxyProtocol: "PROXY"
        case .proxyTLS: "Proxy TLS"
        case .webSocket: "WS frames"
        case .webSocketPayload: "WS payload"
        case .upgraded: "Upgraded"
        case .afterMessage: "After end"
        case .unseen: "Not seen"
        default: "Unaccounted"
        }
    }
}
