import Foundation
import Locks

/// Holds the origin back until it is opened, or signals that the origin has reached a point of its script.
final class Gate: Sendable {
    private let state = Mutex(false)

    var isOpen: Bool { state.withLock { $0 } }

    func open() { state.withLock { $0 = true } }

    /// Blocks until the gate is open, a minute at most; call it only on the origin's own threads.
    func wait() {
        let end = ProcessInfo.processInfo.systemUptime + 60
        while !isOpen, ProcessInfo.processInfo.systemUptime < end { Thread.sleep(forTimeInterval: 0.005) }
    }
}
