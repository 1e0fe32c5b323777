internal import Clocks
package import TrafficModel

/// What an observer needs to report events: the sink, the numbers, the process and the clock.
package struct ObserverOutput: Sendable {
    package var sink: any TrafficSink
    package var identifiers: IdentifierSource
    package var process: ProcessIdentity
    /// Returns the time of the wall clock.
    package var now: @Sendable () -> Timestamp

    /// The output of this process, unless another one is given.
    package init(
        sink: any TrafficSink, identifiers: IdentifierSource = IdentifierSource(), process: ProcessIdentity = .current,
        now: @escaping @Sendable () -> Timestamp = SystemClock.now
    ) {
        self.sink = sink
        self.identifiers = identifiers
        self.process = process
        self.now = now
    }
}
