import Foundation

/// The signal that ends a process whose file grows beyond its limit: blocked where the store writes, so that a limit is an
/// error of the store and not the end of the program.
enum FileSizeSignal {
    /// Blocks it on this thread for good.
    static func block() {
        var signals = set
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Blocks it while something is done on this thread, which is somebody else's.
    static func whileBlocked<Value>(_ body: () throws -> Value) rethrows -> Value {
        var signals = set
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer {
            // What came meanwhile would arrive now.
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
