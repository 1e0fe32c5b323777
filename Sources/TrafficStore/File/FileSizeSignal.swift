import Foundation

/// Blocks SIGXFSZ, the signal that ends a process whose file exceeds its size limit.
///
/// It is blocked on threads that write to the store, so that the limit is an error of the store and does not end the
/// program.
enum FileSizeSignal {
    /// Blocks the signal on this thread permanently.
    static func block() {
        var signals = set
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Blocks the signal during `body`, on a thread that belongs to the program.
    static func whileBlocked<Value>(_ body: () throws -> Value) rethrows -> Value {
        var signals = set
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer {
            // A signal that arrived meanwhile would be delivered when it is unblocked, so it is removed first.
            if sigismember(&before, SIGXFSZ) == 0 {
                var pending = sigset_t()
                while sigpending(&pending) == 0, sigismember(&pending, SIGXFSZ) == 1 {
                    var number: Int32 = 0
                    if sigwait(&signals, &number) != 0 { break }
                }
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return try body()
    }

    private static var set: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGXFSZ)
        return signals
    }
}
