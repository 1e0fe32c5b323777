import Foundation
import Synchronization

/// Holds the origin back, or tells that it has come to some point.
final class Gate: Sendable {
    private let state = Mutex(false)

    var isOpen: Bool { state.withLock { $0 } }

    func open() { state.withLock { $0 = true } }

    /// Blocks until it is open, a minute at most; for threads of the origin's own.
    func wait() {
        let end = ProcessInfo.processInfo.systemUptime + 60
        while !isOpen, ProcessInfo.processInfo.systemUptime < end { Thread.sleep(forTimeInterval: 0.005) }
    }
}
