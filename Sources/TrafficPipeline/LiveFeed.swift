import Locks
package import TrafficModel

/// Passes events to current watchers: a progress line, an inspector's page.
///
/// A watcher that is slower than the traffic misses the oldest events; the feed does not wait for it.
package final class LiveFeed: TrafficSink {
    private struct Watchers {
        var nextNumber = 0
        var continuations: [Int: AsyncStream<TrafficEvent>.Continuation] = [:]
    }

    private let watchers = Mutex(Watchers())

    /// A feed without watchers.
    package init() {}

    /// The events from now on, until the task that reads them ends or ``finish()`` is called.
    ///
    /// - Parameter limit: the largest number of events that wait to be read; older ones are dropped.
    /// - Returns: a stream for one reader.
    package func events(keepingNewest limit: Int = 1_024) -> AsyncStream<TrafficEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TrafficEvent.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
        let number = watchers.withLock { watchers in
            watchers.nextNumber += 1
            watchers.continuations[watchers.nextNumber] = continuation
            return watchers.nextNumber
        }
        continuation.onTermination = { [weak self] _ in
            // The value is released outside the lock, because the end of the continuation may run this code.
            _ = self?.watchers.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    /// Whether there are watchers now.
    var isWatched: Bool { watchers.withLock { !$0.continuations.isEmpty } }

    /// Passes one event to all watchers.
    package func record(_ event: TrafficEvent) {
        let now = watchers.withLock { $0.continuations.isEmpty ? [] : Array($0.continuations.values) }
        for continuation in now { continuation.yield(event) }
    }

    /// Ends the streams of all watchers.
    package func finish() {
        let now = watchers.withLock { Array($0.continuations.values) }
        for continuation in now { continuation.finish() }
    }
}
