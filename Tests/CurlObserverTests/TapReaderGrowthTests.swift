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
        func most(in exchanges: Int) throws -> [String: Int] {
            var most: [String: Int] = [:]
            for number in 1...exchanges {
                try traffic.next().withUnsafeBytes { try reader.take($0) }
                if number % 250 == 0 { most.merge(Entries.counts(in: reader)) { max($0, $1) } }
            }
            return most
        }
        let early = try most(in: 6_000)
        let late = try most(in: 14_000)
        for (name, count) in late {
            // Orders have some more than the tables, whose oldest entries go together.
            #expect(count <= 2 * 256, "\(name)")
            #expect(count <= (early[name] ?? 0) * 5 / 4 + 16, "\(name): \(early[name] ?? 0) became \(count)")
        }
        #expect(Set(late.keys).isSuperset(of: ["transfers", "accounts", "sessions", "carriers", "traces", "unused"]))
        // And yet every exchange ended and every connection was told.
        #expect(sink.ends.load(ordering: .relaxed) == 20_000)
        #expect(sink.connections.withLock { $0.count } > 4_000)
    }
}
