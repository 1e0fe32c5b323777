import Foundation

/// Compares the costs of the ways of metering: in each round, every way does the same work once, and is compared with
/// the unmetered run of that round.
struct Overhead {
    /// A program and the requests that it makes.
    struct Workload {
        var name: String
        var bodySize: Int
        var exchanges: Int
        /// The number of concurrent requests of URLSession; nil for curl.
        var concurrency: Int?
        /// The number of processes in which curl makes the requests.
        var processes = 1
        var rounds: Int
        /// The share of the work that mitmproxy does, because it is slow.
        var mitmproxyShare = 1.0
        var aims: [Way: String] = [:]

        static let all = [
            Workload(
                name: "URLSession, empty response", bodySize: 0, exchanges: 2_000, concurrency: 1, rounds: 11,
                mitmproxyShare: 0.2, aims: [.tap: "≤ 1.10", .run: "≤ 1.15"]),
            Workload(
                name: "URLSession, 64 KiB", bodySize: 65_536, exchanges: 2_000, concurrency: 1, rounds: 11,
                mitmproxyShare: 0.2, aims: [.tap: "≤ 1.03", .run: "≤ 1.15"]),
            Workload(
                name: "URLSession, 10 MiB", bodySize: 10 << 20, exchanges: 40, concurrency: 1, rounds: 7,
                mitmproxyShare: 0.25, aims: [.run: "≤ 1.15"]),
            Workload(
                name: "URLSession, 200 bytes, 1,000 at once", bodySize: 200, exchanges: 3_000, concurrency: 1_000,
                rounds: 5, mitmproxyShare: 0.34, aims: [.run: "≤ 1.15"]),
            Workload(
                name: "curl, empty response, one process", bodySize: 0, exchanges: 4_000, rounds: 11,
                mitmproxyShare: 0.1, aims: [.run: "≤ 1.15"]),
            Workload(
                name: "curl, 64 KiB, one process", bodySize: 65_536, exchanges: 4_000, rounds: 11,
                mitmproxyShare: 0.1, aims: [.run: "≤ 1.15"]),
            Workload(
                name: "curl, empty response, a process for each", bodySize: 0, exchanges: 100, processes: 100,
                rounds: 5,
                aims: [.run: "≤ 1.15"]),
        ]
    }

    /// Microseconds for an exchange: of the program's own threads, of all its threads, of other processes, on the
    /// clock.
    private struct Cost {
        var own: Double
        var all: Double
        var other: Double
        var wall: Double

        var together: Double { all + other }
    }

    let scale: Double

    /// Measures all workloads, or those whose names contain a text.
    func run(_ text: String = "") throws {
        let workloads = Workload.all.filter { text.isEmpty || $0.name.contains(text) }
        guard !workloads.isEmpty else {
            let names = Workload.all.map(\.name).joined(separator: "; ")
            throw Child.Failure(description: "no workload has '\(text)' in its name; there are: \(names)")
        }
        for workload in workloads { try measure(workload) }
    }

    private func measure(_ workload: Workload) throws {
        let origin = try Child(["serve", "\(workload.bodySize)"])
        defer { origin.wait() }
        let port = try origin.numbers().first ?? 0
        // Nil if the process ended without printing its figures: URLSession does not survive every way at every load.
        var costs: [Way: [Cost?]] = [:]
        let ways = Way.allCases.filter { workload.concurrency != nil || $0.isOutside }
        for round in 0..<max(1, Int(Double(workload.rounds) * scale)) {
            // A different way is first in each round, so that a machine that slows down favours none.
            for turn in ways.indices {
                let way = ways[(turn + round) % ways.count]
                guard let start = try Start(way) else { continue }
                defer { start.end() }
                do {
                    costs[way, default: []].append(try one(workload, way, start, port: Int(port)))
                } catch let failure as Child.Failure where way != .plain {
                    FileHandle.standardError.write(Data("\(way.name): \(failure)\n".utf8))
                    costs[way, default: []].append(nil)
                }
            }
        }
        tell(workload, costs, ways)
    }

    private func one(_ workload: Workload, _ way: Way, _ start: Start, port: Int) throws -> Cost {
        let share = way == .mitmproxy ? workload.mitmproxyShare : 1
        let exchanges = max(workload.concurrency ?? 1, Int(Double(workload.exchanges) * share))
        var words: [String]
        if let concurrency = workload.concurrency {
            words = ["client", "\(port)", way.meter.rawValue, "\(concurrency)", "\(exchanges)", start.other]
        } else {
            let file = NSTemporaryDirectory() + "wireweight-benchmark-curl.conf"
            let address = "url = http://127.0.0.1:\(port)/v1/items?page=1\noutput = /dev/null\n"
            try String(repeating: address, count: exchanges / workload.processes)
                .write(toFile: file, atomically: true, encoding: .utf8)
            words = ["repeat", "\(workload.processes)", start.other, "curl", "-q", "-s", "-S", "-f", "-K", file]
        }
        let figures = try Child.run(words, prefix: start.prefix, environment: start.environment)
            .map { Double($0) / 1_000 / Double(exchanges) }
        guard figures.count == 4 else { throw Child.Failure(description: "'\(words)' printed no figures") }
        try start.check(exchanges)
        return Cost(own: figures[0], all: figures[1], other: figures[2], wall: figures[3])
    }

    // MARK: the table

    private func tell(_ workload: Workload, _ costs: [Way: [Cost?]], _ ways: [Way]) {
        guard let plain = costs[.plain]?.compactMap({ $0 }), !plain.isEmpty else { return }
        func median(_ part: (Cost) -> Double) -> String {
            let value = Spread(plain.map(part)).median
            return Table.number(value, value < 100 ? 1 : 0) + " µs"
        }
        print("| \(workload.name) | aim | all processes' CPU | the program's CPU | its own threads' | clock |")
        print("| --- | --- | --- | --- | --- | --- |")
        let base = [median(\.together), median(\.all), median(\.own), median(\.wall)]
        print("| without, an exchange | | \(base.joined(separator: " | ")) |")
        for way in ways where way != .plain {
            guard let metered = costs[way] else {
                print("| \(way.name) | | not installed | | | |")
                continue
            }
            let pairs = zip(metered, plain).compactMap { metered, plain in metered.map { ($0, plain) } }
            let ended = metered.count - pairs.count
            let name = way.name + (ended > 0 ? " (crashed in \(ended) of \(metered.count))" : "")
            guard !pairs.isEmpty else {
                print("| \(name) | | – | – | – | – |")
                continue
            }
            func ratio(_ part: (Cost) -> Double) -> String {
                let spread = Spread(pairs.map { part($0) / part($1) })
                let digits = spread.median < 10 ? 3 : 1
                let between = "\(Table.number(spread.lower, digits)) to \(Table.number(spread.upper, digits))"
                return "\(Table.number(spread.median, digits)) (\(between))"
            }
            let parts = [ratio(\.together), ratio(\.all), ratio(\.own), ratio(\.wall)]
            print("| \(name) | \(workload.aims[way] ?? "") | \(parts.joined(separator: " | ")) |")
        }
        print("")
        fflush(nil)
    }
}
