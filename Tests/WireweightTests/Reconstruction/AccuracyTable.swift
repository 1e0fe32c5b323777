import TrafficModel

/// How far figures are off, part by part.
struct AccuracyTable {
    /// The parts in the table's order.
    enum Part: String, CaseIterable {
        case startLine, fields, cookies, interim, body, framing

        var keyPath: KeyPath<WireSize, WireSize.Part> {
            switch self {
            case .startLine: \.startLine
            case .fields: \.fields
            case .cookies: \.cookies
            case .interim: \.interim
            case .body: \.body
            case .framing: \.framing
            }
        }
    }

    /// What one part adds up to.
    struct Row {
        var count = 0
        var exact = 0
        var unknown = 0
        var errors: Int64 = 0
        var worst: Int64 = 0
        var worstPath = ""

        /// - Parameter figure: nil for what is not known.
        mutating func add(_ figure: Int64?, truth: Int64, path: String) {
            count += 1
            guard let figure else {
                unknown += 1
                return
            }
            let error = abs(figure - truth)
            if error == 0 { exact += 1 }
            errors += error
            if error > worst { (worst, worstPath) = (error, path) }
        }

        var exactShare: Double { count == 0 ? 0 : Double(exact) / Double(count) }
        var meanError: Double { count == unknown ? 0 : Double(errors) / Double(count - unknown) }

        var cells: String {
            func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
            return "\(rounded(exactShare * 100, 10)) % | \(rounded(meanError, 10)) | \(worst) \(worstPath)"
                + (unknown > 0 ? " (\(unknown) unknown)" : "")
        }
    }

    var parts: [Part: Row] = [:]
    var total = Row()

    mutating func add(_ size: WireSize, truth: WireSize, path: String) {
        for part in Part.allCases {
            let figure = size[keyPath: part.keyPath]
            parts[part, default: Row()].add(
                figure.evidence == .unknown ? nil : figure.bytes.bytes, truth: truth[keyPath: part.keyPath].bytes.bytes,
                path: path)
        }
        total.add(size.total?.bytes, truth: truth.known.bytes, path: path)
    }

    /// The table in Markdown.
    func markdown(_ title: String) -> String {
        var lines = ["\(title): \(total.count) messages", "| part | exact | mean error | worst error |"]
        for part in Part.allCases { lines.append("| \(part.rawValue) | \((parts[part] ?? Row()).cells) |") }
        lines.append("| all | \(total.cells) |")
        return lines.joined(separator: "\n")
    }
}
