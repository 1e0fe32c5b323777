import Foundation
import Locks

/// A line on standard error while a command reads for long and has printed nothing yet; shown only on a terminal.
///
/// The command's first output removes it, unless that goes to a file.
///
/// `@unchecked Sendable`: `condition` guards what changes.
final class WaitingLine: @unchecked Sendable {
    /// Seconds after which it appears, of which `WIREWEIGHT_PROGRESS_AFTER` may say another number.
    private static let delay = Terminal.environment("WIREWEIGHT_PROGRESS_AFTER").flatMap(Double.init) ?? 1
    private static let interval = 0.2

    private static let current = Mutex<WaitingLine?>(nil)

    private let condition = NSCondition()
    private let line: ProgressLine
    private let share: @Sendable () -> Double?
    private let beganAt = Date()
    private var isOver = false

    private init(_ title: String, _ share: @escaping @Sendable () -> Double?) {
        line = ProgressLine(title)
        self.share = share
    }

    /// Begins a line, if standard error is a terminal and no other line has begun.
    ///
    /// - Parameters:
    ///   - title: what the command does.
    ///   - share: how much of the work is done; nil if that is not known, and the line has the seconds then.
    static func begin(_ title: String, _ share: @escaping @Sendable () -> Double?) {
        let begun = current.withLock { current -> WaitingLine? in
            guard current == nil, ProgressLine.canBeShown else { return nil }
            let new = WaitingLine(title, share)
            current = new
            return new
        }
        guard let begun else { return }
        if delay <= 0 { begun.show() }
        Thread.detachNewThread { begun.work() }
    }

    /// Removes the line; it does not come again.
    static func end() {
        let line = current.withLock { current in
            defer { current = nil }
            return current
        }
        line?.stop()
    }

    private func stop() {
        condition.withLock {
            isOver = true
            line.clear()
            condition.broadcast()
        }
    }

    private func work() {
        condition.lock()
        defer { condition.unlock() }
        var next = beganAt.addingTimeInterval(Self.delay)
        while !isOver {
            guard Date() >= next else {
                _ = condition.wait(until: next)
                continue
            }
            show()
            next = Date().addingTimeInterval(Self.interval)
        }
    }

    private func show() { line.show(Self.state(share(), after: Date().timeIntervalSince(beganAt))) }

    /// What the line says.
    static func state(_ share: Double?, after seconds: TimeInterval) -> String {
        share.map { "\(Int(max(0, min(1, $0)) * 100)) %" } ?? "\(Int(seconds)) s"
    }
}
