package import TextFormats
import TrafficModel

extension Audit {
    /// The findings for a terminal: a table of their savings, then each with its reason.
    package func table(_ style: TextStyle = TextStyle()) -> String {
        guard !findings.isEmpty else {
            return ([nothingText] + selectionNote(in: style.zone)).map { wrapped($0, style.width) }.joined()
        }
        let columns = [
            TableLayout.Column(title: "#", isNumber: true),
            TableLayout.Column(title: "Saves", isNumber: true),
            TableLayout.Column(title: "Time", isNumber: true, dropOrder: 5),
            TableLayout.Column(title: "per 1,000", isNumber: true, dropOrder: 12),
            TableLayout.Column(title: "Time/1,000", isNumber: true, dropOrder: 13),
            TableLayout.Column(title: "Basis", dropOrder: 10),
            TableLayout.Column(title: "Rule", least: 8, comfort: 22),
            TableLayout.Column(title: "API", least: 8, comfort: 30),
        ]
        let cells = findings.enumerated().map { $1.cells(number: $0 + 1) }
        let widths = columns.indices.map { index in cells.map { TerminalText.width($0[index]) }.max() ?? 0 }
        let layout = TableLayout(columns, naturalWidths: widths, fitting: style.width)
        var text = style.bold(layout.header) + "\n"
        for (cells, finding) in zip(cells, findings) {
            text += layout.line(cells) { $0 == 6 && finding.isAlarm ? style.red($1) : $1 } + "\n"
        }
        for (index, finding) in findings.enumerated() {
            let title = "\(index + 1)  \(finding.rule)  \(finding.apiName)"
            text += "\n" + style.bold(TerminalText.elided(title, to: style.width)) + "\n"
            for line in finding.lines {
                text += TerminalText.wrapped(line, to: style.width - 3).map { "   \($0)\n" }.joined()
            }
        }
        text += "\n"
        for note in notes(in: style.zone) { text += wrapped(note, style.width) }
        return text
    }

    /// The text if nothing was found.
    private var nothingText: String {
        if examined.allSatisfy({ $0.requests == 0 && $0.exchanges == 0 }) {
            return selection == nil ? "No requests." : "No request matches."
        }
        return "Nothing found in \(examinedText)."
    }

    private var hasServed: Bool { examined.contains { $0.direction == .served } }

    /// The number of exchanges, such as `50 exchanges` or `50 called and 20 served exchanges`.
    private var examinedText: String {
        let counts = examined.map {
            Units.count(Int64($0.exchanges)) + (hasServed ? " \($0.direction.rawValue)" : "")
        }
        return counts.joined(separator: " and ") + (counts == ["1"] ? " exchange" : " exchanges")
    }

    /// Notes below the findings.
    package func notes(in zone: ClockZone) -> [String] {
        var notes: [String] = []
        if found > findings.count {
            notes.append("\(Units.count(Int64(found - findings.count))) more findings are left out by the limit.")
        }
        let scaled = examined.filter { $0.requests > Int64($0.exchanges) }.map { one in
            Units.count(one.requests) + (hasServed ? " \(one.direction.rawValue)" : "")
        }.joined(separator: " and ")
        let rest = scaled.isEmpty ? "" : "; figures are scaled to \(scaled) requests, call by call of each API"
        notes.append("Looked at \(examinedText)\(rest).")
        notes += selectionNote(in: zone)
        if hasServed {
            let names = Self.rules(for: .served).map { $0.name }.joined(separator: ", ")
            notes.append("To what was served, only these rules apply: \(names).")
        }
        notes.append("Findings about the same calls overlap; do not add them up.")
        return notes
    }

    private func selectionNote(in zone: ClockZone) -> [String] {
        let requests = examined.reduce(0) { $0 + $1.requests }
        return selection.map { [$0.sentence(requests, in: zone)] } ?? []
    }

    private func wrapped(_ text: String, _ width: Int) -> String {
        TerminalText.wrapped(text, to: width).map { $0 + "\n" }.joined()
    }
}

extension AuditFinding {
    /// The API or host, safe to print on a terminal.
    var apiName: String {
        let name = [key.method, key.host, key.template].compactMap(\.self).joined(separator: " ")
        return TerminalText.escaped((key.direction == .served ? "served " : "") + name)
    }

    /// The row of the table with what the finding saves.
    func cells(number: Int) -> [String] {
        [
            String(number), Self.bytes(bytes), Self.time(nanoseconds), Self.bytes(bytesPer1000Calls),
            Self.time(nanosecondsPer1000Calls), basisText, rule, apiName,
        ]
    }

    /// How the figures are known, in one or two words.
    var basisText: String { (isScaled ? "scaled, " : "") + basis.rawValue }

    /// The sentences below a finding's title.
    fileprivate var lines: [String] {
        let scaled =
            isScaled ? ", scaled from \(Units.count(Int64(examinedCalls))) of \(Units.count(calls)) calls" : ""
        return [TerminalText.escaped(problem), "Do: \(remedy)", "Figures: \(basis.rawValue), \(source)\(scaled)."]
            + (evidence.isEmpty ? [] : ["See exchanges: \(evidence.map(\.description).joined(separator: ", "))"])
    }

    static func bytes(_ count: Int64) -> String { count == 0 ? "–" : Units.bytes(ByteCount(count)) }

    static func time(_ nanoseconds: Int64) -> String { nanoseconds == 0 ? "–" : Units.duration(nanoseconds) }
}
