import Foundation
import TextFormats
import TrafficPipeline

/// A line at the bottom of the terminal that shows the metered sums while the program runs.
///
/// If the program writes to the same terminal, the bottom row is reserved and the rest scrolls above it, so that
/// neither overwrites the other. The line appears only once there is something to show.
final class LiveStatus {
    private let isWanted: Bool
    private let sharesTerminal: Bool
    private var rows = 0
    private let beganAt = Date()

    init(isWanted: Bool) {
        let isTerminal = isatty(STDERR_FILENO) == 1 && Terminal.isCapable
        self.isWanted = isWanted && isTerminal
        sharesTerminal = isatty(STDOUT_FILENO) == 1
    }

    func show(_ progress: TrafficTally.Progress) {
        guard isWanted, progress.exchanges > 0 || progress.running > 0, Date().timeIntervalSince(beganAt) > 0.5,
            let size = Terminal.size, size.rows > 4
        else { return }
        let noun = progress.exchanges == 1 ? "exchange" : "exchanges"
        var line = "wireweight: \(Units.count(progress.exchanges)) \(noun)"
        if progress.running > 0 { line += ", \(progress.running) running" }
        line += ", \(Units.bytes(progress.up)) up, \(Units.bytes(progress.down)) down"
        line = String(line.prefix(max(0, size.columns - 1)))
        guard sharesTerminal else {
            put("\r\u{1B}[2K\(line)")
            rows = size.rows
            return
        }
        if rows != size.rows {
            // Moving down a line and up again makes room at the bottom. ESC D keeps the column; a line feed would not.
            // Setting the region moves the cursor, so its position is saved and restored.
            put("\u{1B}D\u{1B}[1A\u{1B}7\u{1B}[1;\(size.rows - 1)r\u{1B}8")
            rows = size.rows
        }
        put("\u{1B}7\u{1B}[\(rows);1H\u{1B}[2K\u{1B}[2m\(line)\u{1B}[0m\u{1B}8")
    }

    /// Removes the line, and restores the terminal's scroll region.
    func clear() {
        guard rows > 0 else { return }
        put(sharesTerminal ? "\u{1B}7\u{1B}[r\u{1B}[\(rows);1H\u{1B}[2K\u{1B}8" : "\r\u{1B}[2K")
        rows = 0
    }

    private func put(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
