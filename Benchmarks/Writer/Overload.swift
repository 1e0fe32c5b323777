import Foundation
import TrafficModel
import TrafficStore

/// Writes three times as much traffic as a slow disk takes, and the same at the same time to a fast disk.
///
/// A shim loaded into the process makes the files of the slow disk slow: see `Scripts/bench-overload.sh`.
enum Overload {
    /// The number of exchanges that are recorded at once.
    private static let block = 100
    private static let overload = 3.0

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    // A writer, its traffic, and the time taken to record events.
    private struct Lane {
        let path: String
        let writer: BatchWriter
        var traffic = SampleTraffic(hasUniqueLines: false)
        var sent: Int64 = 0
        var processor: [Double] = []
        var clock: [Double] = []

        init(_ path: String) throws {
            self.path = path
            writer = BatchWriter(store: try StoreWriter.open(path))
        }

        mutating func tell() {
            let events = traffic.events(exchanges: Overload.block)
            let (start, wallStart) = (Usage.thread, Usage.wall)
            for event in events { writer.record(event) }
            processor.append(Double(Usage.thread - start) / Double(Overload.block) / 1_000)
            clock.append(Double(Usage.wall - wallStart) / Double(Overload.block) / 1_000)
            sent += Int64(events.count)
        }

        // Each recorded event must be a row or be counted as lost.
        func settle() throws -> (stored: Int64, lost: Int64) {
            try writer.finish()
            let reader = try StoreReader.open(path)
            var stored: Int64 = 0
            try reader.forEachExchange(matching: ExchangeFilter(), order: .oldestFirst, after: nil) { exchange in
                stored += exchange.response == nil ? 1 : 2
                // Exchanges without an end were ended as abandoned when the file was closed.
                if let end = exchange.end, end.outcome != .abandoned { stored += 1 }
                return true
            }
            return (stored, try reader.overview().losses.reduce(0) { $0 + $1.count })
        }
    }

    /// Prints the rows of a table.
    static func measure(slow: String, fast: String, seconds: Double) throws {
        let rate = try capacity(of: slow + ".capacity", seconds: seconds / 3)
        var (slow, fast) = (try Lane(slow), try Lane(fast))
        let idle = Usage.resident
        var peak = idle
        let start = Usage.wall
        var due = 0.0
        while due < seconds {
            // The two take turns in going first, so that neither always finds warm caches.
            if slow.clock.count % 2 == 0 {
                slow.tell()
                fast.tell()
            } else {
                fast.tell()
                slow.tell()
            }
            peak = max(peak, Usage.resident)
            due += Double(block) / (rate * overload)
            let ahead = due - Double(Usage.wall - start) / 1e9
            if ahead > 0 { usleep(UInt32(ahead * 1_000_000)) }
        }
        let took = Double(Usage.wall - start) / 1e9
        let (stored, lost) = try slow.settle()
        let beside = try fast.settle()
        guard stored + lost == slow.sent, beside.stored + beside.lost == fast.sent else {
            throw Failure(
                description: "of \(slow.sent) events \(stored) are stored and \(lost) counted as lost; "
                    + "beside it, of \(fast.sent), \(beside.stored) and \(beside.lost)")
        }
        guard lost > 0 else { throw Failure(description: "the disk was not too slow; raise FAULTS_DELAY") }
        let sent = Double(slow.sent / 3)
        Table.row("what the slow disk takes, exchanges a second", figure: Table.number(rate, 0))
        Table.row(
            "traffic, exchanges a second, for \(Table.number(took, 0)) s",
            figure: "\(Table.number(sent / took, 0)), \(Table.number(sent / took / rate, 1)) × as much")
        Table.row(
            "events sent = stored + counted as lost", aim: "exact",
            figure: "\(slow.sent) = \(stored) + \(lost)")
        Table.row("events lost on the fast disk beside it", figure: "\(beside.lost)")
        Table.row(
            "resident memory before, and the most meanwhile", aim: "bounded",
            figure: "\(mebibytes(idle)), \(mebibytes(peak)) MiB")
        let base = Table.number(Spread(fast.clock).median, 2)
        Table.row(
            "time that the program's thread takes to report an exchange, slow ÷ fast (\(base) µs)", aim: "1",
            Spread(zip(slow.clock, fast.clock).map { $0 / $1 }), digits: 2)
        Table.row(
            "— of which processor time (\(Table.number(Spread(fast.processor).median, 2)) µs)", aim: "1",
            Spread(zip(slow.processor, fast.processor).map { $0 / $1 }), digits: 2)
    }

    // The number of exchanges a second that the writer can sustain.
    private static func capacity(of path: String, seconds: Double) throws -> Double {
        var lane = try Lane(path)
        let start = Usage.wall
        var elapsed = 0.0
        while elapsed < seconds {
            for _ in 0..<30 { lane.tell() }
            try lane.writer.flush()
            elapsed = Double(Usage.wall - start) / 1e9
        }
        try lane.writer.finish()
        return Double(lane.sent / 3) / elapsed
    }

    private static func mebibytes(_ bytes: Int64) -> String { Table.number(Double(bytes) / 1_048_576, 0) }
}
