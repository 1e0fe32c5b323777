import Dispatch
import Locks

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Catches SIGINT (Ctrl-C) and SIGTERM, so that code can wait for them or check whether one came.
///
/// `@unchecked Sendable`: the sources are only retained here, and their handlers change only an atomic flag.
final class Interrupt: @unchecked Sendable {
    private final class Flag: Sendable {
        let came = Atomic<Bool>(false)
        let semaphore = DispatchSemaphore(value: 0)
    }

    private let flag = Flag()
    private let sources: [any DispatchSourceSignal]

    init() {
        let flag = flag
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                flag.came.store(true, ordering: .relaxed)
                flag.semaphore.signal()
            }
            source.resume()
            return source
        }
    }

    /// Whether one of the signals has come.
    var hasCome: Bool { flag.came.load(ordering: .relaxed) }

    /// Blocks until one of the signals comes, or that time has passed.
    func wait(atMost seconds: Double) { _ = flag.semaphore.wait(timeout: .now() + seconds) }

    /// Blocks until one of the signals comes.
    func wait() { while !hasCome { flag.semaphore.wait() } }
}
