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

    /// Returns when no signal can be lost any more: until its source is registered, on another thread, a signal that is
    /// ignored leaves no trace.
    init() {
        let flag = flag
        sources = [SIGINT, SIGTERM].map { number in
            let source = DispatchSource.makeSignalSource(signal: number)
            let registered = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { registered.signal() }
            source.setEventHandler {
                flag.came.store(true, ordering: .relaxed)
                flag.semaphore.signal()
            }
            source.resume()
            registered.wait()
            #if canImport(Darwin)
                // Elsewhere the source has set its own action.
                signal(number, SIG_IGN)
            #endif
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
