import Dispatch
import NIOConcurrencyHelpers

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes to standard error in a thread of its own: a terminal that Ctrl-S has stopped, or a pipe that is not read, must not stop
/// the proxy.
///
/// Then a hundred lines wait, and later ones are lost.
final class Voice: Sendable {
    private static let mostWaiting = 100
    private static let patience = DispatchTimeInterval.seconds(1)

    private let queue = DispatchQueue(label: "voice")
    private let waiting = NIOLockedValueBox(0)

    func write(_ text: String) {
        let isTaken = waiting.withLockedValue { count in
            guard count < Self.mostWaiting else { return false }
            count += 1
            return true
        }
        guard isTaken else { return }
        queue.async { [waiting] in
            Self.writeAll(text)
            waiting.withLockedValue { $0 -= 1 }
        }
    }

    /// Waits until all is written, but not for long.
    func finish() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + Self.patience)
    }

    private static func writeAll(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Glibc)
                    Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
                #else
                    Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
