import Foundation

/// All measurements, one after the other, each in processes of its own.
struct Suite {
    /// How much is measured: 1 for figures to publish, less for a look.
    let scale: Double

    /// Runs them all and prints the table.
    func run() throws {
        Table.begin()
        try client("small GET, one at a time", bodySize: 200, concurrency: 1, exchanges: 2_000, pairs: 20)
        try client("small GET, 16 at a time", bodySize: 200, concurrency: 16, exchanges: 2_000, pairs: 20)
        try client("64 KiB, one at a time", bodySize: 65_536, concurrency: 1, exchanges: 2_000, pairs: 20)
        try caller("small response", bodySize: 200)
        try caller("64 KiB", bodySize: 65_536)
        try memory(exchanges: scaled(100_000))
        try writer("8 + 8 header lines", hasUniqueLines: false)
        try writer("8 + 8 header lines, two of them never twice", hasUniqueLines: true)
    }

    private func scaled(_ count: Int) -> Int { max(1, Int(Double(count) * scale)) }

    private func origin<Result>(_ bodySize: Int, _ body: (Int64) throws -> Result) throws -> Result {
        let origin = try Child(["serve", "\(bodySize)"])
        defer { origin.wait() }
        return try body(origin.numbers().first ?? 0)
    }

    // MARK: the client

    private func client(_ name: String, bodySize: Int, concurrency: Int, exchanges: Int, pairs: Int) throws {
        let results = try origin(bodySize) { port in
            try (0..<scaled(pairs)).map { pair in
                func one(_ mode: String) throws -> [Double] {
                    try Child.run(["client", "\(port)", mode, "\(concurrency)", "\(exchanges)"]).map {
                        Double($0) / Double(exchanges) / 1_000
                    }
                }
                // Who begins takes turns, so that a machine that slows down favours neither.
                if pair % 2 == 0 { return (without: try one("plain"), with: try one("metered")) }
                let with = try one("metered")
                return (without: try one("plain"), with: with)
            }
        }
        let base = Table.number(Spread(results.map { $0.without[0] }).median, 0)
        Table.row(
            "URLSession, \(name): CPU with the meter ÷ without (\(base) µs)", aim: "≤ 1.05",
            Spread(results.map { $0.with[0] / $0.without[0] }), digits: 3)
        Table.row(
            "— of which the program's own threads", aim: "",
            Spread(results.map { $0.with[1] / $0.without[0] }), digits: 3)
        Table.row(
            "— time on the clock", aim: "", Spread(results.map { $0.with[2] / $0.without[2] }), digits: 3)
    }

    // MARK: the caller's thread

    private func caller(_ name: String, bodySize: Int) throws {
        let pairs = scaled(200)
        let results = try origin(bodySize) { port in
            let child = try Child(["caller", "\(port)", "\(pairs)", "200"])
            defer { child.wait() }
            return try (0..<pairs).map { _ in try child.numbers().map { Double($0) / 1_000 } }
        }
        let base = Table.number(Spread(results.map { $0[0] }).median, 0)
        Table.row(
            "libcurl, \(name): the tap's time on the caller's thread (beside \(base) µs)", aim: "≤ 5 µs",
            Spread(results.map { $0[1] - $0[0] }), digits: 1, unit: " µs")
    }

    // MARK: memory

    private func memory(exchanges: Int) throws {
        let (plain, metered) = try origin(200) { port in
            let plain = try Child(["grow", "\(port)", "plain", "\(exchanges)"])
            let metered = try Child(["grow", "\(port)", "metered", "\(exchanges)"])
            defer {
                plain.wait()
                metered.wait()
            }
            return (try plain.numbers(), try metered.numbers())
        }
        func mebibytes(_ bytes: [Int64]) -> String {
            bytes.map { Table.number(Double($0) / 1_048_576, 1) }.joined(separator: ", ")
        }
        func growth(_ bytes: [Int64]) -> Double { Double(bytes[9] - bytes[0]) / 1_048_576 }
        let tenth = exchanges / 10
        Table.row(
            "resident memory, metered, after \(tenth), \(2 * tenth) … \(exchanges) exchanges (MiB)",
            figure: mebibytes(metered))
        Table.row("— without the meter (MiB)", figure: mebibytes(plain))
        Table.row(
            "— growth after the first \(tenth), beyond that without the meter", aim: "none",
            figure: Table.number(growth(metered) - growth(plain), 1) + " MiB")
    }

    // MARK: the writer

    private func writer(_ name: String, hasUniqueLines: Bool) throws {
        let exchanges = max(10_000, scaled(100_000))
        let results = try (0..<scaled(5)).map { _ in
            try Child.run(["writer", "\(exchanges)", hasUniqueLines ? "unique" : "repeating"]).map { Double($0) }
        }
        let raw = Table.number(Spread(results.map { $0[2] / Double(exchanges) / 1_000 }).median, 1)
        Table.row(
            "writer, \(name): CPU ÷ plain sqlite3 (\(raw) µs an exchange)", aim: "≤ 1.3",
            Spread(results.map { $0[0] / $0[2] }), digits: 2)
        Table.row(
            "— exchanges a second, sustained", aim: "",
            Spread(results.map { Double(exchanges) / $0[1] * 1_000_000_000 }), digits: 0)
        let size = Spread(results.map { $0[3] / Double(exchanges) }).median
        Table.row("— file for 1,000,000 exchanges", figure: Table.number(size, 0) + " MB")
    }
}
