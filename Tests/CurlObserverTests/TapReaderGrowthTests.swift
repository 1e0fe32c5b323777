import CurlObserver
import Synchronization
import TapFrames
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

/// Counts what stands in all collections of a value, by reflection: so that a new table is counted, too.
private enum Entries {
    static func count(in value: Any) -> Int { look(at: value, 0).count }

    /// The names of the collections that were found.
    static func names(in value: Any) -> Set<String> { look(at: value, 0).names }

    private static func look(at value: Any, _ depth: Int) -> (count: Int, names: Set<String>) {
        var (count, names) = (0, Set<String>())
        let mirror = Mirror(reflecting: value)
        for child in mirror.children.prefix(200) {
            let inner = Mirror(reflecting: child.value)
            switch inner.displayStyle {
            case .collection, .dictionary, .set:
                count += inner.children.count
                if let label = child.label { names.insert(label) }
            case .struct, .class, .optional, .tuple, .enum: break
            default: continue
            }
            guard depth < 6, !(child.value is any TrafficSink), !(child.value is [UInt8]) else { continue }
            let found = look(at: child.value, depth + 1)
            count += found.count
            names.formUnion(found.names)
        }
        return (count, names)
    }
}
