package import TrafficModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Where an observer of this room tells what it saw, and as whom.
package struct ObserverOutput: Sendable {
    package var sink: any TrafficSink
    /// Numbers of exchanges and of connections that are unique among all observers of the same sink.
    package var nextExchange: @Sendable () -> ExchangeID
    package var nextConnection: @Sendable () -> ConnectionID
    package var process: ProcessIdentity
    /// The wall clock.
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
    /// This process.
    package static var current: ProcessIdentity {
        ProcessIdentity(
            pid: getpid(), name: CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "")
    }
}

extension Timestamp {
    /// The wall clock's moment.
    package static var now: Timestamp {
        var now = timespec()
        _ = withUnsafeMutablePointer(to: &now) { clock_gettime(CLOCK_REALTIME, $0) }
        return Timestamp(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
    }
}

extension Timestamp {
    /// Nanoseconds up to another moment; 0 where that is earlier, for a clock may have been set back in between.
    func span(to other: Timestamp) -> Int64 {
        let (span, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return overflow ? (other > self ? .max : 0) : max(0, span)
    }
}
