import Foundation
import TextFormats
import TrafficModel
import TrafficPipeline

/// Lines at the bottom of the terminal that show the metered sums while the program runs: one line, or a table by API.
///
/// If the program writes to the same terminal, these rows are reserved and the rest scrolls above them, so that neither
/// overwrites the other. They appear only once there is something to show.
final class LiveStatus {
    private let isWanted: Bool
    private let hasTable: Bool
    private let sharesTerminal: Bool
    /// The rows of the terminal when the last ones were reserved; 0 if none are.
    private var rows = 0
    private var reserved = 1
    private let beganAt = Date()
    private var shownAt = Date.distantPast

    /// The most lines of a table, and of the sums below it.
    private static let mostLines = 12

    init(isWanted: Bool, hasTable: Bool = false) {
        let isTerminal = isatty(STDERR_FILENO) == 1 && Terminal.isCapable
        self.isWanted = (isWanted || hasTable) && isTerminal
        self.hasTable = hasTable
        // A table takes several rows, so they are reserved in any case: the program may write to standard error.
        sharesTerminal = hasTable || isatty(STDOUT_FILENO) == 1
        if hasTable && !isTerminal { Terminal.note("'--live' needs a terminal; only the summary will be shown") }
    }

    /// Shows what was metered so far.
    func show(_ tally: TrafficTally) {
        // Signals come between the ticks, and would draw it more often.
        guard isWanted, Date().timeIntervalSince(beganAt) > 0.5, Date().timeIntervalSince(shownAt) > 0.24,
            let size = Terminal.size, size.rows > 4
        else { return }
        let progress = tally.progress
        guard !progress.isEmpty else { return }
        shownAt = Date()
        guard sharesTerminal else {
            put("\r\u{1B}[2K\(Self.cut(Self.line(progress), to: size.columns - 1))")
            rows = size.rows
            return
        }
        // A third of the terminal at most; the program keeps the rest.
        let wanted = hasTable ? max(1, min(Self.mostLines, size.rows / 3)) : 1
        let totals = wanted > 1 ? tally.totals : []
        let table = LiveTable(totals).lines(wanted - 1, width: size.columns - 1)
        // The table has its titles, too.
        let hidden = table.isEmpty ? 0 : totals.count - (table.count - 1)
        let line = Self.cut(Self.line(progress, hidden: hidden), to: size.columns - 1)
        var text = ""
        if rows != size.rows || reserved != wanted {
            if rows > 0 { text += erasure }
            (rows, reserved) = (size.rows, wanted)
            // Moving down and up again makes room at the bottom. ESC D keeps the column; a line feed would not.
            // Setting the region moves the cursor, so its position is saved and restored.
            text += String(repeating: "\u{1B}D", count: wanted)
            text += "\u{1B}[\(wanted)A\u{1B}7\u{1B}[1;\(rows - wanted)r\u{1B}8"
        }
        text += "\u{1B}7"
        let blank = Array(repeating: "", count: wanted - 1 - table.count)
        for (index, row) in (table + blank + [line]).enumerated() {
            text += "\u{1B}[\(rows - wanted + 1 + index);1H\u{1B}[2K\u{1B}[2m\(row)\u{1B}[0m"
        }
        put(text + "\u{1B}8")
    }

    /// A line in that many columns; a mark says that some of it is left out.
    static func cut(_ line: String, to width: Int) -> String {
        line.count <= width ? line : line.prefix(max(0, width - 1)) + "…"
    }

    /// The figures of each direction; the word `called` is left out if nothing was served.
    ///
    /// - Parameters:
    ///   - progress: the figures.
    ///   - hidden: how many rows the table above has no room for.
    /// - Returns: the line.
    static func line(_ progress: [TrafficDirection: TrafficTally.Progress], hidden: Int = 0) -> String {
        let parts = TrafficDirection.allCases.compactMap { direction -> String? in
            guard let one = progress[direction] else { return nil }
            let noun = one.exchanges == 1 ? "exchange" : "exchanges"
            let word = progress[.served] == nil ? "" : "\(direction.rawValue) "
            let running = one.running > 0 ? ", \(one.running) running" : ""
            return "\(word)\(Units.count(one.exchanges)) \(noun)\(running), \(Units.bytes(one.up)) up, "
                + "\(Units.bytes(one.down)) down"
        }
        let more = hidden > 0 ? "\(Units.count(Int64(hidden))) more; " : ""
        return "wireweight: " + more + parts.joined(separator: "; ")
    }

    /// Removes the lines, and restores the terminal's scroll region.
    func clear() {
        guard rows > 0 else { return }
        put(sharesTerminal ? erasure : "\r\u{1B}[2K")
        rows = 0
    }

    private var erasure: String {
        let lines = (rows - reserved + 1...rows).map { "\u{1B}[\($0);1H\u{1B}[2K" }.joined()
        return "\u{1B}7\u{1B}[r\(lines)\u{1B}8"
    }

    private func put(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
