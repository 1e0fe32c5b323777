import CurlObserver
import Synchronization
import TapFrames
import TestSupport
import Testing
import TrafficModel

/// A program may run for months: what the reader knows of the past must not grow with it.
@Suite struct TapReaderGrowthTests {
    private final class Counting: TrafficSink {
        let ends = Atomic(0)
        let connections = Mutex<Set<ConnectionID>>([])

        func record(_ event: TrafficEvent) {
            switch event {
            case .end: ends.add(1, ordering: .relaxed)
            case .connection(let record): connections.withLock { _ = $0.insert(record.connection) }
            default: break
            }
        }
    }

    /// Twenty times as many of everything as it remembers at most, and many that are never said to be over.
    @Test func itsTablesAreEmptiedAgain() throws {
        let sink = Counting()
        let reader = TapReader(
            process: ProcessIdentity(pid: 1, name: "test"), sink: sink, identifiers: IdentifierSource(), memory: 256,
            wallOffset: { 1_000_000 })
        var traffic = FrameTraffic()
        func most(in exchanges: Int) throws -> Int {
            var most = 0
            for number in 1...exchanges {
                try traffic.next().withUnsafeBytes { try reader.take($0) }
                if number % 250 == 0 { most = max(most, Entries.count(in: reader)) }
            }
            return most
        }
        let early = try most(in: 5_000)
        let late = try most(in: 15_000)
        #expect(late <= early + early / 10, "\(early) entries became \(late)")
        // Connections and two orders of them, sessions and their order, handles and their order.
        #expect(late < 8 * 256, "\(late)")
        // And yet every exchange ended and every connection was told.
        #expect(sink.ends.load(ordering: .relaxed) == 20_000)
        #expect(sink.connections.withLock { $0.count } > 4_000)
        #expect(Entries.names(in: reader).isSuperset(of: ["transfers", "accounts", "sessions", "carriers", "traces"]))
    }
}
