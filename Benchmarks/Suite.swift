import Foundation

/// Runs all measurements one after the other, each in processes of its own.
struct Suite {
    /// The amount of work: 1 for figures to publish, less for a quick look.
    let scale: Double

    /// Runs all measurements and prints the table.
    func run() throws {
        try Overhead(scale: scale).run()
        try runOthers()
    }

    /// Runs the measurements that do not compare ways of metering.
    func runOthers() throws {
        Table.begin()
        try callers()
        for mebibytes in [0, 1_024] { try body(mebibytes: mebibytes) }
        try memory(exchanges: scaled(100_000))
    }

    /// Compares the store's writer with plain SQLite.
    func runWriters() throws {
        Table.begin()
        try writer("8 + 8 header lines", hasUniqueLines: false)
        try writer("8 + 8 header lines, two of them never twice", hasUniqueLines: true)
    }

    private func scaled(_ count: Int) -> Int { max(1, Int(Double(count) * scale)) }

    private func origin<Result>(_ bodySize: Int, _ body: (Int64) throws -> Result) throws -> Result {
        let origin = try Child(["serve", "\(bodySize)"])
        defer { origin.wait() }
        return try body(origin.numbers().first ?? 0)
    }

    // MARK: the caller's thread

    private func callers() throws {
        var took: [Int: Double] = [:]
        for (name, size) in [("empty response", 0), ("64 KiB", 65_536), ("1 MiB", 1 << 20)] {
            took[size] = try caller(name, bodySize: size)
        }
        guard let small = took[0], let large = took[1 << 20] else { return }
        Table.row("— for each 16 KiB of body", figure: Table.number((large - small) / 64, 2) + " µs")
    }

    private func caller(_ name: String, bodySize: Int) throws -> Double {
        let pairs = scaled(100)
        let exchanges = bodySize > 65_536 ? 20 : 200
        let results = try origin(bodySize) { port in
            let child = try Child(["caller", "\(port)", "\(pairs)", "\(exchanges)"])
            defer { child.wait() }
            return try (0..<pairs).map { _ in try child.numbers().map { Double($0) / 1_000 } }
        }
        let base = Table.number(Spread(results.map { $0[0] }).median, 0)
        let took = Spread(results.map { $0[1] - $0[0] })
        Table.row(
            "libcurl, \(name): the tap's time on the caller's thread (an exchange: \(base) µs)",
            aim: bodySize > 65_536 ? "" : "≤ 5 µs", took, digits: 1, unit: " µs")
        return took.median
    }

    // MARK: memory

    private func body(mebibytes: Int) throws {
        guard let run = try Start(.run) else { return }
        // The increase of resident memory and of its anonymous part, with the monitor and metered from outside.
        let more = try origin(mebibytes << 20) { port in
            try (0..<3).map { _ in
                func took(_ mode: String, _ prefix: [String] = []) throws -> [Double] {
                    try Child.run(["body", "\(port)", mode], prefix: prefix).map { Double($0) / 1_048_576 }
                }
                let (plain, metered, outside) = (try took("plain"), try took("metered"), try took("plain", run.prefix))
                try run.check(1)
                return zip(metered + outside, plain + plain).map { $0 - $1 }
            }
        }
        let rows = [
            "libcurl, a body of \(mebibytes) MiB: resident memory at its peak, metered − without",
            "— without the code that is mapped from files", "— the program under `wireweight run`, resident",
            "— without the code that is mapped from files",
        ]
        for (index, name) in rows.enumerated() {
            let aim = mebibytes > 0 ? "≤ 5 MiB" : ""
            Table.row(name, aim: aim, Spread(more.map { $0[index] }), digits: 1, unit: " MiB")
        }
    }

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
        // The meter remembers the rows of the last 16,384 exchanges.
        func growth(_ bytes: [Int64]) -> Double { Double(bytes[9] - bytes[1]) / 1_048_576 }
        let tenth = exchanges / 10
        Table.row(
            "resident memory, metered, after \(tenth), \(2 * tenth) … \(exchanges) exchanges (MiB)",
            figure: mebibytes(metered))
        Table.row("— without the meter (MiB)", figure: mebibytes(plain))
        Table.row(
            "— growth after the first \(2 * tenth), beyond that without the meter", aim: "none",
            figure: Table.number(growth(metered) - growth(plain), 1) + " MiB")
    }

    // MARK: the writer

    private func writer(_ name: String, hasUniqueLines: Bool) throws {
        let exchanges = max(10_000, scaled(100_000))
        let results = try (0..<scaled(5)).map { _ in
            try Child.run(["writer", "\(exchanges)", hasUniqueLines ? "unique" : "repeating"]).map { Double($0) }
        }
        for (rows, aim, place) in [("two rows", "≤ 1.6", 4), ("one row, as the store has", "", 2)] {
            let raw = Table.number(Spread(results.map { $0[place] / Double(exchanges) / 1_000 }).median, 1)
            Table.row(
                "writer, \(name): CPU ÷ plain sqlite3, \(rows) (\(raw) µs an exchange)", aim: aim,
                Spread(results.map { $0[0] / $0[place] }), digits: 2)
        }
        Table.row(
            "— exchanges a second, sustained", aim: "",
            Spread(results.map { Double(exchanges) / $0[1] * 1_000_000_000 }), digits: 0)
        let size = Spread(results.map { $0[3] / Double(exchanges) }).median
        Table.row("— file for 1,000,000 exchanges", figure: Table.number(size, 0) + " MB")
    }
}
