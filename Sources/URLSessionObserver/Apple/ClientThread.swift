#if canImport(ObjectiveC) || APPLE_STAND_IN
    internal import Foundation

    /// The thread on which a protocol object was made to load, and on which its client wants to be told.
    ///
    /// `@unchecked Sendable`: a run loop takes blocks from any thread.
    final class ClientThread: @unchecked Sendable {
        private let loop = RunLoop.current
        private let modes: [RunLoop.Mode]
        private let thread = Thread.current

        /// The current thread.
        init() {
            let mode = RunLoop.current.currentMode ?? .default
            modes = mode == .default ? [mode] : [mode, .default]
        }

        /// Runs a block there, in the order of the calls.
        func perform(_ block: @escaping @Sendable () -> Void) {
            if Thread.current === thread { return block() }
            loop.perform(inModes: modes, block: block)
            CFRunLoopWakeUp(loop.getCFRunLoop())
        }
    }
#endif
