import TextFormats
import TrafficModel

extension BudgetCheck {
    /// The result of the check, in a sentence.
    package var conclusion: String {
        if isEmptyRun { return "The run has no requests, so no budget was checked." }
        let failed = breaches.count
        if failed == 0 { return "Every API is within its budget (\(Units.count(Int64(rows.count))) checked)." }
        return "\(Units.count(Int64(failed))) of \(Units.count(Int64(rows.count))) APIs "
            + (failed == 1 ? "breaches its budget." : "breach their budgets.")
    }

    /// Notes beside the rows.
    var notes: [String] {
        var notes: [String] = []
        func count(_ verdict: Verdict) -> Int { rows.count { $0.verdict == verdict } }
        let same = count(.same)
        if same > 0 {
            notes.append("\(Units.count(Int64(same))) \(same == 1 ? "API is" : "APIs are") the same to the byte.")
        }
        if rows.contains(where: { $0.budget?.isExact == false || $0.run?.isExact == false }) {
            notes.append("~ marks sums of which a part is reported or reconstructed.")
        }
        if rows.contains(where: { $0.callLimit != nil && $0.run != nil && $0.run?.callP95 == nil }) {
            notes.append("Some APIs with a limit for one call have no call that was weighed.")
        }
        let breaksCallLimit = rows.contains { $0.exceeded.contains(.callP95) }
        if breaksCallLimit {
            notes.append("Recording keeps the limits for one call; '--call-p95' and the file itself set them.")
        }
        let isChanged = isEmptyRun || breaches.contains { $0.exceeded != [.callP95] }
        if count(.smaller) + count(.vanished) > 0 || isChanged {
            notes.append("To accept these changes, record them with 'wireweight budget record'.")
        }
        return notes
    }

    /// What the run's sums lack; nil if nothing was lost.
    package var warning: String? {
        if losses.isEmpty { return nil }
        let list = losses.map { "\($0.reason.rawValue) \(Units.count($0.count))" }.joined(separator: ", ")
        return "Warning: part of the run could not be recorded (\(list)), so its sums are too low."
    }
}

extension BudgetCheck.Row {
    /// The figures that are too large and where the bytes came from, one a line.
    var reasons: [String] {
        guard let run else { return [] }
        return exceeded.compactMap { figure in
            guard let after = figure.value(of: run), let limit = limit(of: figure) else { return nil }
            if figure == .callP95 {
                return "one call: p95 \(Units.count(after)) B, allowed \(Units.count(limit)) B"
            }
            guard let budget, let before = figure.value(of: budget) else { return nil }
            let unit = figure == .requests ? "" : " B"
            var text =
                "\(figure.rawValue) \(Units.count(before))\(unit) → \(Units.count(after))\(unit), "
                + "allowed \(Units.count(limit))\(unit) (\(tolerance))"
            let parts: [String]
            switch figure {
            case .requests, .callP95: parts = []
            case .up: parts = Self.changes(budget.up, run.up)
            case .down: parts = Self.changes(budget.down, run.down)
            }
            if !parts.isEmpty { text += ": " + parts.joined(separator: ", ") }
            return text
        }
    }

    private static let words = [
        "startLine": "start line", "fields": "headers", "cookies": "of which cookies", "interim": "interim responses",
        "body": "body", "framing": "framing",
    ]

    private static func changes(_ before: PartTotals, _ after: PartTotals) -> [String] {
        PartTotals.named.compactMap { part in
            let growth = after[keyPath: part.path].bytes - before[keyPath: part.path].bytes
            guard growth != 0 else { return nil }
            let sign = growth > 0 ? "+" : "−"
            return "\(words[part.name] ?? part.name) \(sign)\(Units.count(Int64(growth.magnitude))) B"
        }
    }

    /// The figure before and after, in words.
    func passage(_ figure: BudgetCheck.Figure) -> String {
        func text(_ budget: Budget) -> String {
            guard let value = figure.value(of: budget) else { return "–" }
            if figure == .requests { return Units.count(value) }
            return (budget.isExact ? "" : "~") + Units.bytes(ByteCount(value))
        }
        return Units.passage(budget.map(text), run.map(text))
    }

    /// How the bytes of both directions changed.
    var change: String {
        guard let budget, let run else { return verdict.rawValue }
        return Units.change(from: Double(budget.total.bytes), to: Double(run.total.bytes))
    }
}
