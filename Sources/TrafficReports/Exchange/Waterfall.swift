import TextFormats
import TrafficModel

/// Shows where the time of an exchange went, as bars; each starts where the phase before ended.
struct Waterfall {
    let lines: [String]

    init(_ timings: ExchangeTimings, _ style: TextStyle) {
        let phases = timings.phases
        let whole = max(timings.attributed, timings.total ?? 0, 1)
        let durations = (phases.map(\.duration) + [timings.total ?? 0]).map { TerminalText.width(Units.duration($0)) }
        let column = max(10, durations.max() ?? 0)
        let room = max(8, min(60, style.width - column - 18))
        func line(_ name: String, _ duration: Int64, _ bar: String) -> String {
            let text = "  " + TerminalText.padded(name, to: 12, right: false)
            let number = TerminalText.padded(Units.duration(duration), to: column, right: true)
            return text + number + (bar.isEmpty ? "" : "  " + bar)
        }
        let titles = ["dns": "DNS", "tls": "TLS"]
        var lines = [style.bold("Time")]
        for phase in phases {
            let bar = Self.bar(from: phase.offset, lasting: phase.duration, of: whole, room: room)
            lines.append(line(titles[phase.name] ?? phase.name, phase.duration, bar))
        }
        if let total = timings.total { lines.append(style.bold(line("total", total, ""))) }
        self.lines = lines.count > 1 ? lines : []
    }

    /// A bar with a resolution of an eighth of a column; a phase that happened has at least one eighth.
    private static func bar(from start: Int64, lasting: Int64, of whole: Int64, room: Int) -> String {
        let scale = Double(room * 8) / Double(whole)
        let first = max(0, min(Int(Int64(clamping: (Double(start) * scale).rounded())), room * 8 - 1))
        let length = max(1, min(Int(Int64(clamping: (Double(lasting) * scale).rounded())), room * 8 - first))
        let blocks = Array(" ▏▎▍▌▋▊▉█")
        // The block characters fill a column from its left, so a bar starts at the start of a column.
        let column = first / 8
        let full = length / 8
        let rest = length % 8
        return String(repeating: " ", count: column) + String(repeating: "█", count: full)
            + (rest > 0 ? String(blocks[rest]) : "")
    }
}
