package import TextFormats
import TrafficAudit
import TrafficModel

extension FleetFindings {
    /// One JSON object: how many installations were audited, and the findings in their order.
    ///
    /// Members are added, never renamed.
    package var json: String {
        let object = JSONValue.object([
            .init("audited", .integer(counted)),
            .init("installations", installations.jsonValue),
            .init("requests", .integer(Int64(requests.rounded()))),
            .init("findings", .array(findings.map { $0.jsonValue(of: installations) })),
            .init("more", .integer(found - Int64(findings.count))),
        ])
        return object.pretty + "\n"
    }

    /// The findings as CSV (RFC 4180), under the names of the JSON format; new columns are appended.
    package var csv: String {
        CSVTable.text(
            [
                "rule", "alarm", "method", "host", "template", "direction", "audited", "installations.count",
                "installations.error", "installations.share", "bytes.count", "bytes.error", "milliseconds.count",
                "milliseconds.error", "bytesPer1000Calls", "estimated", "calls", "examinedCalls", "affectedCalls",
                "remedy",
            ], of: findings.map { $0.jsonValue(of: installations) })
    }

    /// The findings for a terminal: a table of their savings, then what to do about each.
    package func table(_ style: TextStyle = TextStyle()) -> String {
        let notes = notes.map { line in TerminalText.wrapped(line, to: style.width).map { $0 + "\n" }.joined() }
            .joined()
        guard !findings.isEmpty else { return notes }
        let columns = [
            TableLayout.Column(title: "#", isNumber: true),
            TableLayout.Column(title: "Installations", isNumber: true),
            TableLayout.Column(title: "of all", isNumber: true, dropOrder: 6),
            TableLayout.Column(title: "Saves", isNumber: true),
            TableLayout.Column(title: "Time", isNumber: true, dropOrder: 5),
            TableLayout.Column(title: "per 1,000", isNumber: true, dropOrder: 11),
            TableLayout.Column(title: "Estimated", isNumber: true, dropOrder: 10),
            TableLayout.Column(title: "Rule", least: 8, comfort: 22),
            TableLayout.Column(title: "API", least: 8, comfort: 30),
        ]
        let cells = findings.enumerated().map { $1.cells(number: $0 + 1, of: installations) }
        let widths = columns.indices.map { index in cells.map { TerminalText.width($0[index]) }.max() ?? 0 }
        let layout = TableLayout(columns, naturalWidths: widths, fitting: style.width)
        var text = style.bold(layout.header) + "\n"
        for (cells, finding) in zip(cells, findings) {
            text += layout.line(cells) { $0 == 7 && finding.isAlarm ? style.red($1) : $1 } + "\n"
        }
        text += "\n"
        for (index, finding) in findings.enumerated() {
            guard let remedy = finding.remedyText else { continue }
            let line = "\(index + 1)  \(finding.rule): \(remedy)"
            text += TerminalText.wrapped(TerminalText.escaped(line), to: style.width).map { $0 + "\n" }.joined()
        }
        return text + "\n" + notes
    }

    /// Notes below the findings.
    package var notes: [String] {
        guard counted > 0 else { return ["No installation has sent an audit."] }
        var notes: [String] = []
        if found > findings.count {
            notes.append("\(Units.count(found - Int64(findings.count))) more are left out by the limit.")
        }
        let audited = counted == 1 ? "Audits of 1 installation" : "Audits of \(Units.count(counted)) installations"
        let requests = "\(Units.count(Int64(requests.rounded()))) requests"
        if installations.error > 0 {
            notes.append(
                "\(audited), which stand for \(installations.countText), with \(requests). ± is one standard deviation: "
                    + "only a cohort is audited.")
        } else {
            notes.append("\(audited), with \(requests).")
        }
        if findings.isEmpty { notes.append("Nothing found.") }
        notes.append("Findings about the same calls overlap; do not add them up.")
        return notes
    }
}

extension FleetFindings.Estimate {
    fileprivate var jsonValue: JSONValue { .object(members) }

    fileprivate var members: [JSONValue.Member] {
        [.init("count", .integer(Int64(value.rounded()))), .init("error", .integer(Int64(error.rounded())))]
    }

    /// The value and its error as counts.
    fileprivate var countText: String { text { Units.count($0) } }

    /// The value and its error, if there is one, each as `unit` writes it.
    fileprivate func text(_ unit: (Int64) -> String) -> String {
        guard value > 0 else { return "–" }
        let text = unit(Int64(value.rounded()))
        return error > 0 ? "\(text) ± \(unit(Int64(error.rounded())))" : text
    }
}

extension FleetFindings.Finding {
    fileprivate var remedyText: String? {
        // Only one of these phrases has a value, the kind of text that came uncompressed.
        remedy.map { $0.english.replacing("{kind}", with: "text") }
    }

    private var bytesPer1000Calls: Int64 { calls > 0 ? Int64((bytes.value / calls * 1_000).rounded()) : 0 }

    private func share(of all: FleetFindings.Estimate) -> Double {
        all.value > 0 ? min(1, installations.value / all.value) : 0
    }

    fileprivate func jsonValue(of all: FleetFindings.Estimate) -> JSONValue {
        let milliseconds = FleetFindings.Estimate(value: nanoseconds.value / 1e6, error: nanoseconds.error / 1e6)
        return .object([
            .init("rule", .string(rule)), .init("alarm", .bool(isAlarm)), .init("method", .text(key.method)),
            .init("host", .text(key.host)), .init("template", .text(key.template)),
            .init("direction", .string(key.direction.rawValue)), .init("audited", .integer(counted)),
            .init("installations", .object(installations.members + [.init("share", .share(share(of: all)))])),
            .init("bytes", bytes.jsonValue), .init("milliseconds", milliseconds.jsonValue),
            .init("bytesPer1000Calls", .integer(bytesPer1000Calls)),
            .init("estimated", .share(estimatedShare)),
            .init("calls", .integer(Int64(calls.rounded()))),
            .init("examinedCalls", .integer(Int64(examinedCalls.rounded()))),
            .init("affectedCalls", .integer(Int64(affectedCalls.rounded()))),
            .init("remedy", .text(remedyText)),
        ])
    }

    fileprivate func cells(number: Int, of all: FleetFindings.Estimate) -> [String] {
        let name = [key.method, key.host, key.template].compactMap(\.self).joined(separator: " ")
        return [
            String(number), installations.countText, Units.percent(share(of: all)),
            bytes.text { Units.bytes(ByteCount($0)) }, nanoseconds.text { Units.duration($0) },
            bytesPer1000Calls == 0 ? "–" : Units.bytes(ByteCount(bytesPer1000Calls)), Units.percent(estimatedShare),
            TerminalText.escaped(rule), TerminalText.escaped((key.direction == .served ? "served " : "") + name),
        ]
    }
}
