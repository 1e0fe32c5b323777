import Foundation
import TrafficModel
import TrafficStore

/// Compares the store's writer with plain SQLite.
enum Writer {
    /// The number of exchanges whose events are made at once, outside the measured time.
    private static let ahead = 10_000

    /// Prints the writer's processor time and clock time for all exchanges in nanoseconds, the processor time of plain
    /// SQLite for the same rows, the size of the file, and the processor time of plain SQLite if an exchange has two
    /// rows.
    static func measure(exchanges: Int, hasUniqueLines: Bool) throws {
        let path = NSTemporaryDirectory() + "wireweight-benchmark-\(getpid()).db"
        let (copy, divided) = (path + ".raw", path + ".divided")
        defer { for name in [path, copy, divided] { for suffix in ["", "-wal", "-shm"] { unlink(name + suffix) } } }
        var traffic = SampleTraffic(hasUniqueLines: hasUniqueLines)
        let writer = BatchWriter(store: try StoreWriter.open(path))
        var (cost, wall, batches) = (Int64(0), Int64(0), Int64(0))
        for _ in 0..<(exchanges / ahead) {
            var events = traffic.events(exchanges: ahead)
            let (start, wallStart) = (Usage.process, Usage.wall)
            for event in events { writer.record(event) }
            // Release our references first, because the last holder pays for freeing an event, and in a program that is
            // the writer.
            events = []
            try writer.flush()
            cost += Usage.process - start
            wall += Usage.wall - wallStart
        }
        batches = writer.counters.batches
        let (start, wallStart) = (Usage.process, Usage.wall)
        try writer.finish()
        cost += Usage.process - start
        wall += Usage.wall - wallStart
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64 ?? 0
        let raw = try RawCopy.cost(of: path, to: copy, .oneRow, transactions: Int(batches))
        let rawOfTwo = try RawCopy.cost(of: path, to: divided, .twoRows, transactions: Int(batches))
        print(cost, wall, raw, size, rawOfTwo)
    }
}
