package import TrafficModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What an observer of this room needs to report events: the sink, the process, the clock and the numbers.
package struct ObserverOutput: Sendable {
    package var sink: any TrafficSink
    /// Returns the number of a new exchange; exchange and connection numbers are unique among all observers of a sink.
    package var nextExchange: @Sendable () -> ExchangeID
    package var nextConnection: @Sendable () -> ConnectionID
    package var process: ProcessIdentity
    /// Returns the time of the wall clock.
    package var now: @Sendable () -> Timestamp

    package init(
        sink: any TrafficSink, nextExchange: @escaping @Sendable () -> ExchangeID,
        nextConnection: @escaping @Sendable () -> ConnectionID, process: ProcessIdentity = .current,
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.sink = sink
        self.nextExchange = nextExchange
        self.nextConnection = nextConnection
        self.process = process
        self.now = now
    }
}

extension ProcessIdentity {
    /// The identity of this process.
    package static var current: ProcessIdentity {
        ProcessIdentity(
            pid: getpid(), name: CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "")
    }
}

extension Timestamp {
    /// The current time of the wall clock.
    package static var now: Timestamp {
        var now = timespec()
        _ = withUnsafeMutablePointer(to: &now) { clock_gettime(CLOCK_REALTIME, $0) }
        return Timestamp(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
    }
}

extension Timestamp {
    /// The nanoseconds until another time; 0 if that is earlier, because the clock may have been set back in between.
    func span(to other: Timestamp) -> Int64 {
        let (span, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return overflow ? (other > self ? .max : 0) : max(0, span)
    }
}
