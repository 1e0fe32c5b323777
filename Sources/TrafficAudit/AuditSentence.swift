internal import ASCIIBytes
internal import TextFormats
package import TrafficModel

/// A sentence of the audit: a phrase and its values.
package struct AuditSentence: Hashable, Sendable {
    /// A value for a name in a phrase.
    package enum Value: Hashable, Sendable {
        case bytes(ByteCount)
        /// Nanoseconds.
        case duration(Int64)
        case count(Int64)
        /// From 0 to 1.
        case share(Double)
        /// A number of calls, of those that were examined.
        case calls(Int, of: Int)
        /// Kinds of waste with their counts, the most frequent first; `hasMore` if others were left out.
        case kinds([Kind], hasMore: Bool)
        /// A kind of content.
        case content(String)
        /// Captured text, without control characters.
        case text(String)
    }

    /// A kind of waste, and the number of times that it occurred.
    package struct Kind: Hashable, Sendable {
        let name: String
        let count: Int64
    }

    /// The phrase, with `{names}` for the values.
    package let phrase: AuditPhrase
    /// The values, by their names in the phrase.
    package let values: [String: Value]

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
            let isFirst = name.utf8.first.map(ASCII.isUpper) ?? false
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
            if count == 2 && all == 2 { return isFirst ? "Both calls" : "both calls" }
            if count == all { return "\(isFirst ? "All" : "all") \(number) calls" }
            return "\(Units.count(Int64(count))) of \(number) calls"
        case .kinds(let kinds, let hasMore):
            let shown = kinds.map { "\($0.name): \(Units.count($0.count))" }
            return (shown + (hasMore ? ["…"] : [])).joined(separator: ", ")
        case .content(let name): return isFirst ? name.prefix(1).uppercased() + name.dropFirst() : name
        case .text(let text): return text
        }
    }

    /// The phrase and its values for other languages; the name of each value's member is its unit.
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
