import NIOCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The command that started the proxy, and without which nothing is metered.
enum Parent {
    private static let interval = TimeAmount.milliseconds(500)

    /// Ends this process as a hang-up does when that process is not its parent any more: it was killed.
    static func watch(_ pid: Int32, on loop: any EventLoop) {
        loop.scheduleRepeatedTask(initialDelay: .zero, delay: interval) { task in
            guard getppid() != pid else { return }
            task.cancel()
            kill(getpid(), SIGHUP)
        }
    }
}
