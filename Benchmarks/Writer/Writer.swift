import Foundation
import TrafficModel
import TrafficStore

/// The store's writer beside plain SQLite.
enum Writer {
    /// Events that are made ahead, outside the time that is measured.
    private static let ahead = 10_000

    /// Prints the nanoseconds of processor time and of the clock that the writer took for all exchanges, the processor
    /// time that plain SQLite took for the same rows, and the size of the file.
    static func measure(exchanges: Int, hasUniqueLines: Bool) throws {
        let path = NSTemporaryDirectory() + "wireweight-benchmark-\(getpid()).db"
        let copy = path + ".raw"
        defer { for name in [path, copy] { for suffix in ["", "-wal", "-shm"] { unlink(name + suffix) } } }
        var traffic = SampleTraffic(hasUniqueLines: hasUniqueLines)
        let writer = BatchWriter(store: try StoreWriter.open(path))
        var (cost, wall, batches) = (Int64(0), Int64(0), Int64(0))
        for _ in 0..<(exchanges / ahead) {
            var events = traffic.events(exchanges: ahead)
            let (start, wallStart) = (Usage.process, Usage.wall)
            for event in events { writer.record(event) }
            // The last to hold an event pays for letting it go; in a program that is the writer.
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
        let raw = try RawCopy.cost(of: path, to: copy, transactions: Int(batches))
        print(cost, wall, raw, size)
    }
}
