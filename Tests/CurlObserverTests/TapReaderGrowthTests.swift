import CurlObserver
import Locks
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
            process: ProcessIdentity(pid: 1, name: "test"), sink: sink, memory: 256,
            wallOffset: { 1_000_000 })
        var traffic = FrameTraffic()
        var most: [String: Int] = [:]
        for number in 1...20_000 {
            try traffic.next().withUnsafeBytes { try reader.take($0) }
            if number % 250 == 0 { most.merge(Entries.counts(in: reader)) { max($0, $1) } }
        }
        // Sessions of connections that are not closed are removed with their connections; two wait for that.
        // Of each session the newest frames are known, too.
        for (name, count) in most { #expect(count <= (name == "newestUp" ? 32 * 400 : 400), "\(name)") }
        #expect(
            Set(most.keys).isSuperset(of: [
                "transfers", "places", "sessions", "sessionEnds", "attempts", "closedSockets",
            ]))
        // Even so, every exchange ended and every connection was reported.
        #expect(sink.ends.load(ordering: .relaxed) == 20_000)
        #expect(sink.connections.withLock { $0.count } > 4_000)
    }
}
