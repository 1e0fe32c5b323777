import TextFormats
import TrafficModel

extension LookupTally {
    /// The largest number of names in the text.
    private static let mostNamed = 3

    private var sorted: [(failure: Failure, count: Int)] {
        failures.map { ($0.key, $0.value) }.sorted {
            ($1.count, $0.failure.name, $0.failure.error) < ($0.count, $1.failure.name, $1.failure.error)
        }
    }

    /// Which lookups failed, as a line with its end; empty if none did.
    var failureLine: String {
        guard failed > 0 else { return "" }
        let named = sorted.filter { !$0.failure.name.isEmpty }.prefix(Self.mostNamed)
        var shown = named.map { failure, count in
            "\(failure.name) (\(failure.error)\(count > 1 ? ", \(Units.count(Int64(count))) times" : ""))"
        }
        let rest = failed - named.reduce(0) { $0 + $1.count }
        if rest > 0 { shown.append("\(Units.count(Int64(rest))) more") }
        let text =
            "\(Units.count(Int64(failed))) of \(UnmeteredTraffic.count(lookups, "name lookup")) failed: "
            + shown.joined(separator: ", ")
        return TerminalText.escaped(text) + ".\n"
    }

    /// The member of the summary's JSON.
    var json: JSONValue {
        .object([
            .init("lookups", .integer(Int64(lookups))), .init("failed", .integer(Int64(failed))),
            .init(
                "failures",
                .array(
                    sorted.map { failure, count in
                        .object([
                            .init("name", .string(failure.name)), .init("error", .string(failure.error)),
                            .init("lookups", .integer(Int64(count))),
                        ])
                    })),
        ])
    }
}
