import Foundation
import Locks

/// A line on standard error that shows the progress of long work; shown only on a terminal.
final class ProgressLine: Sendable {
    private let title: String
    private let isShown: Bool
    private let shownAt = Mutex(Date.distantPast)

    /// Makes a line with that title; it is never shown unless `isWanted`.
    init(_ title: String, isWanted: Bool = true) {
        self.title = title
        isShown = isWanted && isatty(STDERR_FILENO) == 1 && Terminal.isCapable
    }

    /// Shows the state of the work, at most ten times a second.
    func show(_ state: String) {
        guard isShown else { return }
        let isDue = shownAt.withLock { before in
            guard Date().timeIntervalSince(before) >= 0.1 else { return false }
            before = Date()
            return true
        }
        if isDue { put("\r\u{1B}[2K\(title): \(state)") }
    }

    /// Removes the line.
    func clear() {
        if isShown { put("\r\u{1B}[2K") }
    }

    private func put(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
