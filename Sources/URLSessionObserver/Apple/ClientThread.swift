#if canImport(ObjectiveC)
    internal import Foundation

    /// The thread that called a protocol object to load, and on which its client must be called.
    ///
    /// `@unchecked Sendable`: a run loop accepts blocks from any thread.
    final class ClientThread: @unchecked Sendable {
        private let loop = RunLoop.current
        private let modes: [RunLoop.Mode]
        private let thread = Thread.current

        /// Captures the current thread.
        init() {
            let mode = RunLoop.current.currentMode ?? .default
            modes = mode == .default ? [mode] : [mode, .default]
        }

        /// Runs a block on that thread, in the order of the calls.
        func perform(_ block: @escaping @Sendable () -> Void) {
            if Thread.current === thread { return block() }
            loop.perform(inModes: modes, block: block)
            CFRunLoopWakeUp(loop.getCFRunLoop())
        }
    }
#endif
