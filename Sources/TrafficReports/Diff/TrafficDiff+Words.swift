import TextFormats
import TrafficModel

extension TrafficDiff.Row {
    /// The number of requests, before and after.
    var requests: String {
        Units.passage(before.map { Units.count($0.requests) }, after.map { Units.count($0.requests) })
    }

    /// The bytes of all requests or responses, before and after.
    func bytes(_ direction: KeyPath<TrafficTotal, PartTotals>) -> String {
        func text(_ total: TrafficTotal) -> String { Self.size(total[keyPath: direction]) }
        return Units.passage(before.map(text), after.map(text))
    }

    /// The bytes of one request with its response, before and after.
    var bytesPerRequest: String {
        func text(_ total: TrafficTotal) -> String {
            guard total.requests > 0 else { return "–" }
            let isExact = total.up.captured + total.down.captured == total.bytes
            return (isExact ? "" : "~") + Units.bytes(ByteCount(total.bytes.bytes / total.requests))
        }
        return Units.passage(before.map(text), after.map(text))
    }

    /// How the bytes of one request changed, or that the API is new or has vanished.
    var changeText: String {
        guard before != nil else { return "new" }
        guard after != nil else { return "vanished" }
        guard let before, let after, before.requests > 0, after.requests > 0 else { return "–" }
        return Units.change(
            from: Double(before.bytes.bytes) / Double(before.requests),
            to: Double(after.bytes.bytes) / Double(after.requests))
    }

    /// A percentile of the durations, before and after.
    func duration(_ share: Double) -> String {
        Units.passage(
            before.map { Units.duration($0.latency.percentile(share)) },
            after.map { Units.duration($0.latency.percentile(share)) })
    }

    /// A percentile of what one call weighs, before and after.
    func weight(_ share: Double) -> String {
        func text(_ total: TrafficTotal) -> String { total.perCall.total.percentile(share).map(Units.bytes) ?? "–" }
        return Units.passage(before.map(text), after.map(text))
    }

    /// The conclusion about the durations: `slower ×1.25 (1.12–1.40)`.
    var findingText: String { Self.text(finding, latency) }

    /// The conclusion about what one call weighs: `heavier ×1.25 (1.12–1.40)`.
    var weightFindingText: String { Self.text(weightFinding, weight) }

    private static func text(_ finding: LatencyComparison.Finding?, _ comparison: LatencyComparison?) -> String {
        switch finding {
        case nil: return "–"
        case .tooFew: return "too few calls"
        case .noise: return "no clear change"
        case .slower?, .faster?, .heavier?, .lighter?:
            let word = finding?.rawValue ?? ""
            guard let ratio = comparison?.ratio, let interval = comparison?.interval else { return word }
            return "\(word) ×\(Units.ratio(ratio)) "
                + "(\(Units.ratio(interval.lowerBound))–\(Units.ratio(interval.upperBound)))"
        }
    }

    private static func size(_ parts: PartTotals) -> String {
        (parts.captured < parts.total ? "~" : "") + Units.bytes(parts.total)
    }
}

extension TrafficDiff {
    /// How the sums of both runs changed, in a sentence.
    package var conclusion: String {
        let hasServed = totals.contains { $0.direction == .served }
        var text = totals.map { sums in
            let (before, after) = (sums.before, sums.after)
            return (hasServed ? sums.direction.rawValue + ": " : "")
                + "\(Units.count(before.requests)) → \(Units.count(after.requests)) requests, "
                + "\(Units.bytes(before.bytes)) → \(Units.bytes(after.bytes)) "
                + "(\(Units.change(from: Double(before.bytes.bytes), to: Double(after.bytes.bytes))))"
        }.joined(separator: "; ")
        if new > 0 { text += ", \(Units.count(Int64(new))) new" }
        if vanished > 0 { text += ", \(Units.count(Int64(vanished))) vanished" }
        return text + "."
    }

    /// Notes beside the rows.
    var notes: [String] {
        var notes: [String] = []
        if remainingRows > 0 { notes.append("\(Units.count(Int64(remainingRows))) more APIs are not shown.") }
        func note(_ words: String, _ compared: Int) -> String {
            let which =
                switch compared {
                case 1: "the only API compared"
                case 2: "both APIs compared"
                default: "all \(Units.count(Int64(compared))) APIs compared"
                }
            return
                "\(words) mark differences that are statistically significant (5 % \(compared == 1 ? "for" : "across") \(which)), with the 95 % "
                + "interval of the ratio in brackets. They show that the runs differ, not why."
        }
        // Where no row has such a word, there is nothing to explain.
        if rows.contains(where: { $0.finding?.isDifference ?? false }) {
            notes.append(note("Latency: 'slower' and 'faster'", compared))
        }
        if rows.contains(where: { $0.weightFinding?.isDifference ?? false }) {
            notes.append(note("One call: 'heavier' and 'lighter'", weighed))
        }
        let sums = totals.flatMap { [$0.before, $0.after] }
        if sums.contains(where: { $0.up.captured + $0.down.captured < $0.bytes }) {
            notes.append("~ marks sums of which a part is reported or reconstructed.")
        }
        return notes
    }

    /// What the runs' sums lack; nil if nothing was lost.
    package var warning: String? {
        let runs = [("before", losses.before), ("after", losses.after)].filter { !$0.1.isEmpty }
        if runs.isEmpty { return nil }
        let list = runs.map { name, losses in
            name + ": " + losses.map { "\($0.reason.rawValue) \(Units.count($0.count))" }.joined(separator: ", ")
        }
        return "Warning: not everything could be recorded (\(list.joined(separator: "; "))), so the sums are too low."
    }
}

extension Units {
    /// A ratio with two decimal places.
    static func ratio(_ ratio: Double) -> String {
        guard ratio < 1e6 else { return ">1,000,000" }
        let hundredths = Int64(clamping: (ratio * 100).rounded())
        return "\(hundredths / 100).\(padded(hundredths % 100))"
    }
}
