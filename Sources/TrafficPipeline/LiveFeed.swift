import Synchronization
package import TrafficModel

/// Hands events to whoever watches now: a progress line, an inspector's page.
///
/// A watcher that is slower than the traffic misses events, the oldest first; nobody waits for it.
package final class LiveFeed: TrafficSink {
    private struct Watchers {
        var nextNumber = 0
        var continuations: [Int: AsyncStream<TrafficEvent>.Continuation] = [:]
    }

    private let watchers = Mutex(Watchers())

    /// A feed that nobody watches yet.
    package init() {}

    /// Events from now on, until the task that reads them ends or ``finish()`` is called.
    ///
    /// - Parameter limit: how many events may wait to be read.
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
            // Dropped outside the lock: the continuation's own end may run here.
            _ = self?.watchers.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    /// Hands one event to all watchers.
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
