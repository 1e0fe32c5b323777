import HTTPWire
import TrafficModel

/// How far figures are off, part by part.
struct AccuracyTable {
    /// The parts in the table's order.
    static var parts: [(name: String, path: KeyPath<WireSize, WireSize.Part>)] {
        [
            ("start line", \.startLine), ("fields", \.fields), ("cookies", \.cookies), ("interim", \.interim),
            ("body", \.body), ("framing", \.framing),
        ]
    }

    /// What one part, or all of them, add up to.
    struct Row {
        private(set) var count = 0
        private(set) var exact = 0
        private(set) var unknown = 0
        private var errors: Int64 = 0
        private var truths: Int64 = 0
        private(set) var worst: Int64 = 0
        private var worstPath = ""

        /// Adds a message; what the figure does not know counts as missing, all of it.
        mutating func add(_ figure: Int64?, truth: Int64, path: String) {
            count += 1
            if figure == nil { unknown += 1 }
            let error = abs((figure ?? 0) - truth)
            if figure != nil, error == 0 { exact += 1 }
            errors += error
            truths += truth
            if error > worst { (worst, worstPath) = (error, String(path.dropFirst(3))) }
        }

        /// The share of messages in which it is right to the byte.
        var exactShare: Double { count == 0 ? 0 : Double(exact) / Double(count) }

        /// Exact share, mean error, and worst error with its case.
        var cells: String {
            let mean = count == 0 ? 0 : Double(errors) / Double(count)
            let rounded = mean < 10 ? "\((mean * 10).rounded() / 10)" : "\(Int(mean.rounded()))"
            return "\((exactShare * 1_000).rounded() / 10) % | \(rounded) | \(worst)"
                + (worst > 0 ? " (\(worstPath))" : "")
        }
    }

    private(set) var rows = AccuracyTable.parts.map { _ in Row() }
    private(set) var total = Row()

    /// Adds a message.
    mutating func add(_ size: WireSize, truth: WireSize, path: String) {
        for (index, part) in Self.parts.enumerated() {
            let figure = size[keyPath: part.path]
            rows[index].add(
                figure.evidence == .unknown ? nil : figure.bytes.bytes, truth: truth[keyPath: part.path].bytes.bytes,
                path: path)
        }
        total.add(size.known.bytes, truth: truth.known.bytes, path: path)
    }

    /// The table in Markdown, a line for each part.
    func markdown(_ title: String) -> String {
        var lines = [
            "\(title), \(total.count) messages", "", "| part | exact | mean error | worst error |",
            "| --- | --- | --- | --- |",
        ]
        for (part, row) in zip(Self.parts, rows) {
            lines.append("| \(part.name) | \(row.cells) |" + (row.unknown > 0 ? " \(row.unknown) unknown" : ""))
        }
        lines.append("| all | \(total.cells) |")
        return lines.joined(separator: "\n") + "\n"
    }

    /// One line for a table of several ways to compute: exact, mean and worst of the whole, and the worst of some parts.
    func line(_ title: String) -> String {
        func worst(_ index: Int) -> String { "\(rows[index].worst)" }
        return "| \(title) | \(total.cells) | \(worst(0)) | \(worst(1)) | \(worst(3)) | \(worst(4)) | \(worst(5)) |"
    }

    static let header = """
        | computed by | exact | mean error | worst error | start line | fields | interim | body | framing |
        | --- | --- | --- | --- | --- | --- | --- | --- | --- |
        """
}

extension Estimate {
    /// The parts that are off by more than the bound says.
    func partsOff(_ truth: WireSize, by bound: Bound) -> [String] {
        let bounds = [bound.startLine, bound.fields, bound.cookies, bound.interim, bound.body, bound.framing]
        return zip(AccuracyTable.parts, bounds).compactMap { part, limit in
            guard let limit, size[keyPath: part.path].evidence != .unknown else { return nil }
            let error = abs(size[keyPath: part.path].bytes.bytes - truth[keyPath: part.path].bytes.bytes)
            return error > limit ? "\(part.name) by \(error), not \(limit)" : nil
        }
    }
}
