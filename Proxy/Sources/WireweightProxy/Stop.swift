@preconcurrency import Dispatch
import NIOConcurrencyHelpers

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

enum Stop {
    /// The signals that end the proxy; the end takes seconds at most, so that later ones change nothing.
    static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// The signals of these numbers, as they come from now on.
    ///
    /// Returns when none can be lost any more.
    static func signals(_ numbers: [Int32]) async -> AsyncStream<Int32> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        var sources: [any DispatchSourceSignal] = []
        for number in numbers {
            ignore(number)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.resume()
            }
            sources.append(source)
        }
        let kept = NIOLockedValueBox(sources)
        continuation.onTermination = { _ in kept.withLockedValue { $0.removeAll() } }
        return stream
    }

    /// The sources get it all the same.
    private static func ignore(_ number: Int32) {
        #if canImport(Glibc)
            _ = Glibc.signal(number, SIG_IGN)
        #else
            _ = Darwin.signal(number, SIG_IGN)
        #endif
    }
}
