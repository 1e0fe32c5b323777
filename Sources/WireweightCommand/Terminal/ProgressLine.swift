import Foundation
import Synchronization

/// One line on standard error that says how far long work has come; only where that is a terminal.
final class ProgressLine: Sendable {
    private let title: String
    private let isShown: Bool
    private let shownAt = Mutex(Date.distantPast)

    /// A line with that title; not shown where it is not wanted.
    init(_ title: String, isWanted: Bool = true) {
        self.title = title
        isShown = isWanted && isatty(STDERR_FILENO) == 1 && Terminal.isCapable
    }

    /// Shows where the work stands, at most ten times a second.
    func show(_ state: String) {
        guard isShown else { return }
        let isDue = shownAt.withLock { before in
            guard Date().timeIntervalSince(before) >= 0.1 else { return false }
            before = Date()
            return true
        }
        if isDue { put("\r\u{1B}[2K\(title): \(state)") }
    }

    /// Takes the line away.
    func clear() {
        if isShown { put("\r\u{1B}[2K") }
    }

    private func put(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
