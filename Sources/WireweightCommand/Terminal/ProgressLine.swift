import Foundation
import Locks
import TextFormats

/// A line on standard error that shows the progress of long work; shown only on a terminal.
final class ProgressLine: Sendable {
    /// Whether such lines can be shown: on a terminal, and not on a dumb one.
    static var canBeShown: Bool { isatty(STDERR_FILENO) == 1 && Terminal.isCapable }

    private let title: String
    private let isShown: Bool
    private let shownAt = Mutex(Date.distantPast)
    private let isVisible = Mutex(false)

    /// Makes a line with that title; it is never shown unless `isWanted`.
    init(_ title: String, isWanted: Bool = true) {
        self.title = title
        isShown = isWanted && Self.canBeShown
    }

    /// Shows the state of the work, at most ten times a second.
    func show(_ state: String) {
        guard isShown else { return }
        let isDue = shownAt.withLock { before in
            guard Date().timeIntervalSince(before) >= 0.1 else { return false }
            before = Date()
            return true
        }
        guard isDue else { return }
        isVisible.withLock { $0 = true }
        put("\r\u{1B}[2K\(TerminalText.escaped(title)): \(state)")
    }

    /// Removes the line, if it was shown.
    func clear() {
        let wasVisible = isVisible.withLock { isVisible in
            defer { isVisible = false }
            return isVisible
        }
        if wasVisible { put("\r\u{1B}[2K") }
    }

    private func put(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
