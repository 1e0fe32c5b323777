import Foundation
import TextFormats
import TrafficModel
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

    func show(_ progress: [TrafficDirection: TrafficTally.Progress]) {
        guard isWanted, !progress.isEmpty, Date().timeIntervalSince(beganAt) > 0.5, let size = Terminal.size,
            size.rows > 4
        else { return }
        let line = String(Self.line(progress).prefix(max(0, size.columns - 1)))
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

    /// The figures of each direction; the word `called` is left out if nothing was served.
    static func line(_ progress: [TrafficDirection: TrafficTally.Progress]) -> String {
        let parts = TrafficDirection.allCases.compactMap { direction -> String? in
            guard let one = progress[direction] else { return nil }
            let noun = one.exchanges == 1 ? "exchange" : "exchanges"
            let word = progress[.served] == nil ? "" : "\(direction.rawValue) "
            let running = one.running > 0 ? ", \(one.running) running" : ""
            return "\(word)\(Units.count(one.exchanges)) \(noun)\(running), \(Units.bytes(one.up)) up, "
                + "\(Units.bytes(one.down)) down"
        }
        return "wireweight: " + parts.joined(separator: "; ")
    }

    /// Removes the line, and restores the terminal's scroll region.
    func clear() {
        guard rows > 0 else { return }
        put(sharesTerminal ? "\u{1B}7\u{1B}[r\u{1B}[\(rows);1H\u{1B}[2K\u{1B}8" : "\r\u{1B}[2K")
        rows = 0
    }

    private func put(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
