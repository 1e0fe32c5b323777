package import TrafficModel

/// What the audit says, as a phrase and its values.
package struct AuditSentence: Hashable, Sendable {
    /// What stands in place of a name in a phrase.
    package enum Value: Hashable, Sendable {
        case bytes(ByteCount)
        /// In nanoseconds.
        case duration(Int64)
        case count(Int64)
        /// From 0 to 1.
        case share(Double)
        /// So many of the calls that were looked at.
        case calls(Int, of: Int)
        /// Sorts of waste with how often each was there, the most frequent first; whether there are more.
        case kinds([Kind], hasMore: Bool)
        /// A sort of content.
        case content(String)
        /// A text from what was captured, without control characters.
        case text(String)
    }

    /// A sort of waste, and how often it was there.
    package struct Kind: Hashable, Sendable {
        let name: String
        let count: Int64
    }

    /// The phrase.
    package let phrase: AuditPhrase
    /// Its values, by their names in it.
    package let values: [String: Value]

    /// A sentence of that phrase.
    init(_ phrase: AuditPhrase, _ values: [String: Value] = [:]) {
        self.phrase = phrase
        self.values = values
    }

    /// The sentence in English.
    package var english: String {
        var text = ""
        var rest = phrase.english[...]
        while let begin = rest.firstIndex(of: "{"), let end = rest[begin...].firstIndex(of: "}") {
            text += rest[..<begin]
            let name = String(rest[rest.index(after: begin)..<end])
            let isFirst = name.utf8.first.map { (0x41...0x5A).contains($0) } ?? false
            text += values[name.lowercased()].map { Self.english($0, isFirst: isFirst) } ?? "{\(name)}"
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    private static func english(_ value: Value, isFirst: Bool) -> String {
        switch value {
        case .bytes(let bytes): return Units.bytes(bytes)
        case .duration(let nanoseconds): return Units.duration(nanoseconds)
        case .count(let count): return Units.count(count)
        case .share(let share): return Units.percent(share)
        case .calls(let count, let all):
            let number = Units.count(Int64(all))
            if count == 1 && all == 1 { return isFirst ? "Its only call" : "its only call" }
            if count == all { return "\(isFirst ? "All" : "all") \(number) calls" }
            return "\(Units.count(Int64(count))) of \(number) calls"
        case .kinds(let kinds, let hasMore):
            let shown = kinds.map { "\($0.name): \(Units.count($0.count))" }
            return (shown + (hasMore ? ["…"] : [])).joined(separator: ", ")
        case .content(let name): return isFirst ? name.prefix(1).uppercased() + name.dropFirst() : name
        case .text(let text): return text
        }
    }

    /// The sentence for who says it in other words: each value with its unit as the name of its member.
    var jsonValue: JSONValue {
        .object([
            .init("phrase", .string(phrase.rawValue)),
            .init(
                "values",
                .object(
                    values.sorted { $0.key < $1.key }.map { name, value in
                        .init(name, Self.json(value))
                    })),
        ])
    }

    private static func json(_ value: Value) -> JSONValue {
        switch value {
        case .bytes(let bytes): .object([.init("bytes", .integer(bytes.bytes))])
        case .duration(let nanoseconds): .object([.init("milliseconds", .milliseconds(nanoseconds))])
        case .count(let count): .object([.init("count", .integer(count))])
        case .share(let share): .object([.init("share", .share(share))])
        case .calls(let count, let all):
            .object([.init("calls", .integer(Int64(count))), .init("of", .integer(Int64(all)))])
        case .kinds(let kinds, let hasMore):
            .object([
                .init(
                    "kinds",
                    .array(
                        kinds.map { .object([.init("name", .string($0.name)), .init("count", .integer($0.count))]) })),
                .init("more", .bool(hasMore)),
            ])
        case .content(let name): .object([.init("content", .string(name))])
        case .text(let text): .object([.init("text", .string(text))])
        }
    }
}
