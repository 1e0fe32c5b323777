#if canImport(ObjectiveC) || APPLE_STAND_IN
    internal import Foundation

    /// The thread on which a protocol object was made to load, and on which its client wants to be told.
    ///
    /// `@unchecked Sendable`: a run loop takes blocks from any thread.
    final class ClientThread: @unchecked Sendable {
        private let loop: CFRunLoop
        private let modes: CFArray
        private let thread: Thread

        /// The current thread.
        init() {
            loop = CFRunLoopGetCurrent()
            thread = Thread.current
            let mode = RunLoop.current.currentMode ?? .default
            modes = (mode == .default ? [mode.rawValue] : [mode.rawValue, RunLoop.Mode.default.rawValue]) as CFArray
        }

        /// Runs a block there: at once where that is the caller's thread, else in order.
        func perform(_ block: @escaping @Sendable () -> Void) {
            if Thread.current === thread { return block() }
            CFRunLoopPerformBlock(loop, modes, block)
            CFRunLoopWakeUp(loop)
        }
    }
#endif
