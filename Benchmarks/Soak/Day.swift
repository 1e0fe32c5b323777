import CurlObserver
import Foundation
import Locks
import TapFrames
import TrafficModel
import TrafficPipeline
import TrafficStore

/// Simulates a day of fifty exchanges a second at full speed, and measures memory after each simulated hour.
enum Day {
    private static let perSecond = 50

    /// Prints a line for each hour: exchanges, resident bytes, bytes of the file, allocated bytes.
    ///
    /// - Parameters:
    ///   - part: `tap` for only the reader of the tap's frames, `store` for only the pipeline and the store, `all` for
    ///     frames that end up in the store.
    ///   - hours: the number of hours.
    ///   - factor: the share of each hour's exchanges to make; 1 for all, less for a quick look.
    /// - Throws: an error if the store cannot be written, or events were dropped.
    static func measure(_ part: String, hours: Int, factor: Double) throws {
        let path = NSTemporaryDirectory() + "wireweight-day-\(getpid()).db"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
        let clock = SimulatedClock(ServiceTraffic.begin)
        let exchanges = max(1, Int(Double(3_600 * perSecond) * factor))
        let writer = part == "tap" ? nil : BatchWriter(store: try StoreWriter.open(path, now: { clock.now }))
        let ignoring = Ignoring()
        let sink: any TrafficSink = writer.map { TrafficPipeline(TrafficPipeline.Rules(), to: $0) } ?? ignoring
        var source = part == "store" ? Source.records(ServiceTraffic()) : .frames(FrameTraffic(), reader(sink))
        for _ in 0..<hours {
            var left = exchanges
            while left > 0 {
                // Fewer events than the writer's buffer holds, so that none is dropped.
                let count = min(10_000, left)
                try source.give(count, to: sink, clock)
                try writer?.flush()
                left -= count
            }
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? 0
            print(exchanges, Usage.resident, size, Usage.allocated)
            fflush(nil)
        }
        try writer?.finish()
        if let dropped = writer?.counters.dropped, dropped > 0 {
            throw Child.Failure(description: "\(dropped) events were dropped")
        }
    }

    private static func reader(_ sink: any TrafficSink) -> TapReader {
        TapReader(
            process: ProcessIdentity(pid: getpid(), name: "day"), sink: sink,
            wallOffset: { ServiceTraffic.begin })
    }

    /// The source of the exchanges.
    private enum Source {
        case records(ServiceTraffic)
        case frames(FrameTraffic, TapReader)

        mutating func give(_ count: Int, to sink: any TrafficSink, _ clock: SimulatedClock) throws {
            switch self {
            case .records(var traffic):
                for _ in 0..<count {
                    let exchange = traffic.exchange()
                    sink.record(.request(exchange.request))
                    if let response = exchange.response { sink.record(.response(response)) }
                    if let end = exchange.end { sink.record(.end(end)) }
                }
                for connection in traffic.takeClosedConnections() { sink.record(.connection(connection)) }
                clock.set(traffic.clock)
                self = .records(traffic)
            case .frames(var traffic, let reader):
                for _ in 0..<count { try traffic.next().withUnsafeBytes { try reader.take($0) } }
                clock.set(ServiceTraffic.begin + Int64(clamping: traffic.clock))
                self = .frames(traffic, reader)
            }
        }
    }

    private final class Ignoring: TrafficSink {
        func record(_ event: TrafficEvent) {}
    }
}

/// A clock that follows the simulated traffic.
final class SimulatedClock: Sendable {
    private let nanoseconds: Mutex<Int64>

    init(_ begin: Int64) { nanoseconds = Mutex(begin) }

    var now: Timestamp { Timestamp(nanoseconds: nanoseconds.withLock(\.self)) }
    func set(_ value: Int64) { nanoseconds.withLock { $0 = value } }
}
