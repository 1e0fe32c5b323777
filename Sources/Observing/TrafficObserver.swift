/// Reports HTTP traffic that it sees to a sink, until it is stopped.
///
/// An observer observes as soon as it is made. If it cannot, making it throws an error that says why, and nothing has
/// changed. Observers of one process share an ``IdentifierSource`` and an ``ExchangeOwnership``.
package protocol TrafficObserver: AnyObject, Sendable {
    /// Calls `done` once the sink has received everything that ended before the call.
    ///
    /// - Parameter done: runs on any thread, perhaps before the call returns.
    func flush(_ done: @escaping @Sendable () -> Void)

    /// Reports sooner from now on, because somebody watches; costs extra wake-ups.
    func lowerLatency()

    /// Stops the observer; its sink receives nothing afterwards. Further calls do nothing.
    func stop()
}

extension TrafficObserver {
    /// Waits until the sink has received everything that ended before the call.
    package func flush() async {
        await withCheckedContinuation { continuation in flush { continuation.resume() } }
    }
}
