import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Turns Ctrl-C and a polite kill into an answer to a question.
///
/// `@unchecked Sendable`: the sources are only kept alive here, and what their handlers change is atomic.
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

    /// Whether it has come.
    var hasCome: Bool { flag.came.load(ordering: .relaxed) }

    /// Waits for it.
    func wait() { while !hasCome { flag.semaphore.wait() } }
}
