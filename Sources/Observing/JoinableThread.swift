#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A thread of our own that its owner can wait for, such as the one on which an observer reads.
///
/// It blocks all signals, because they are for the program.
package final class JoinableThread: @unchecked Sendable {
    // Only two places write it: the initialiser, before any other thread sees this, and `join`.
    private var thread: pthread_t?

    /// Starts a thread that runs `body`.
    package init(_ body: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
            var made: pthread_t?
        #else
            var made = pthread_t()
        #endif
        let context = Unmanaged.passRetained(Start(body)).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let code = pthread_create(&made, nil, { JoinableThread.run($0) }, context)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        if code == 0 { thread = made } else { Unmanaged<Start>.fromOpaque(context).release() }
    }

    /// Whether the system could start the thread.
    package var isRunning: Bool { thread != nil }

    /// Waits until the body has returned.
    package func join() {
        if let thread { pthread_join(thread, nil) }
        thread = nil
    }

    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    #if canImport(Darwin)
        private static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { begin(context) }
    #else
        private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            context.flatMap(begin)
        }
    #endif

    private static func begin(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }
}
