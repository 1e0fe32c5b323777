import Clocks
import Foundation
import TrafficModel
import TrafficStore

/// Measures how long new events wait while old rows of a large store are removed.
enum Retention {
    private static let perBlock = 50

    /// Prints the rows of a table; removes the oldest rows of the file.
    static func measure(_ path: String, share: Double) throws {
        let reader = try StoreReader.open(path)
        let before = try reader.overview()
        guard let first = before.firstSeen, let last = before.lastSeen else { return }
        let calm = try gaps(path, RetentionPolicy.keepAll, while: { $0 < 5 })
        let span = Double(last.nanoseconds - first.nanoseconds)
        // New exchanges are of today, and the given share of the old ones is older than this limit.
        let now = SystemClock.now().nanoseconds
        let limit = first.nanoseconds + Int64(span * share)
        let policy = RetentionPolicy(maxAge: now - limit, minutesAge: now - limit, interval: 3_600)
        var seen = Int64.max
        var (quiet, end) = (0, 0.0)
        let begin = Usage.process
        var computed = 0.0
        let busy = try gaps(path, policy) { seconds in
            // Removal has ended when the number no longer falls, because each step removes more rows than are added.
            let exchanges = (try? reader.overview().exchanges) ?? seen
            quiet = exchanges < seen ? 0 : quiet + 1
            if quiet == 0 {
                end = seconds
                computed = Double(Usage.process - begin) / 1_000
            }
            seen = exchanges
            return quiet < 8 && seconds < 3_600
        }
        let gone = before.exchanges + calm.sent + busy.sent - (try reader.overview().exchanges)
        let million = Double(before.exchanges) / 1_000_000
        Table.row(
            "\(Table.number(million, 0)) million: commits without retention: longest gap", aim: "",
            figure: text(calm.longest), spread: "half of \(calm.count) below \(text(calm.median))")
        Table.row(
            "— while a retention pass runs: longest gap", aim: "",
            figure: text(busy.longest), spread: "half of \(busy.count) below \(text(busy.median))")
        Table.row(
            "— the pass: \(Table.number(Double(gone) / 1_000_000, 2)) million exchanges, \(Table.number(end, 1)) s",
            figure: "\(Table.number(Double(gone) / max(end, 0.001), 0)) a second",
            spread:
                "\(Table.number(computed / Double(max(gone, 1)), 1)) µs of processor each, commits included"
        )
        Table.row("— events lost meanwhile", aim: "none", figure: "\(busy.dropped)")
    }

    private struct Gaps {
        var longest = 0.0
        var median = 0.0
        var count = 0
        var sent: Int64 = 0
        var dropped: Int64 = 0
    }

    // Repeatedly records a few exchanges and waits until they are in the file; returns how long each wait took.
    private static func gaps(
        _ path: String, _ policy: RetentionPolicy, while isOn: (Double) -> Bool
    ) throws -> Gaps {
        var options = BatchWriter.Options()
        options.retention = policy
        let writer = BatchWriter(store: try StoreWriter.open(path), options: options)
        var traffic = SampleTraffic(hasUniqueLines: false, begin: SystemClock.now().nanoseconds)
        var waits: [Double] = []
        let start = Usage.wall
        var (elapsed, look) = (0.0, 0.0)
        while true {
            let events = traffic.events(exchanges: perBlock)
            let begin = Usage.wall
            for event in events { writer.record(event) }
            try writer.flush()
            waits.append(Double(Usage.wall - begin) / 1e6)
            elapsed = Double(Usage.wall - start) / 1e9
            // Checking takes time itself, so check only four times a second.
            if elapsed - look > 0.25 {
                look = elapsed
                if !isOn(elapsed) { break }
            }
        }
        let dropped = writer.counters.dropped
        try writer.finish()
        let spread = Spread(waits)
        return Gaps(
            longest: waits.max() ?? 0, median: spread.median, count: waits.count,
            sent: Int64(waits.count * perBlock), dropped: dropped)
    }

    private static func text(_ milliseconds: Double) -> String { Table.number(milliseconds, 1) + " ms" }
}
