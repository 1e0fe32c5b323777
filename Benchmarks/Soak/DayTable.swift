import Foundation

/// Prints a table of the simulated days, each run in a process of its own.
enum DayTable {
    /// The MiB by which resident memory may grow from the second quarter of the day to the last.
    ///
    /// The medians of the quarters are compared, because caches fill up and are emptied, so a single hour shows little.
    private static let allowed = 4.0

    /// Runs the days, and prints the tables and a verdict.
    ///
    /// - Parameter factor: the share of each hour's exchanges to make; 1 for all.
    /// - Throws: an error if memory grows by more than is allowed.
    static func print(factor: Double) throws {
        let parts = [
            ("tap", "frames → `TapReader`"), ("store", "records → pipeline → store"),
            ("all", "frames → pipeline → store"),
        ]
        let days = try parts.map { part, _ in
            let child = try Child(["day-of", part, "24", "\(factor)"])
            defer { child.wait() }
            return try (0..<24).map { _ in try child.numbers() }
        }
        Swift.print("| hour | exchanges | " + parts.map { "\($0.1) (MiB) |" }.joined(separator: " ") + " file (MB) |")
        Swift.print("| ---: | ---: | " + parts.map { _ in "---: |" }.joined(separator: " ") + " ---: |")
        for hour in 0..<24 {
            let exchanges = days[0].prefix(hour + 1).reduce(0) { $0 + Int($1[0]) }
            let sizes = days.map { "\(Table.number(Self.mebibytes($0[hour][1]), 1)) |" }.joined(separator: " ")
            let file = Table.number(Double(days[1][hour][2]) / 1e6, 0)
            Swift.print("| \(hour + 1) | \(exchanges) | \(sizes) \(file) |")
        }
        var growing: [String] = []
        Swift.print(
            """

            | part | resident in the second quarter (MiB) | in the last | MiB an hour, from the sixth to the last | flat \
            | allocated in the second quarter (MiB) | in the last |
            | --- | ---: | ---: | ---: | --- | ---: | ---: |
            """)
        for ((_, name), day) in zip(parts, days) {
            let sizes = day.map { mebibytes($0[1]) }
            let resident = quarters(sizes)
            let allocated = quarters(day.map { mebibytes($0[3]) })
            let isFlat = resident.last - resident.second <= allowed
            if !isFlat { growing.append(name) }
            let figures = [
                Table.number(resident.second, 1), Table.number(resident.last, 1),
                Table.number(slope(Array(sizes[5...])), 3), isFlat ? "yes" : "no",
                Table.number(allocated.second, 1), Table.number(allocated.last, 1),
            ]
            Swift.print("| \(name) | \(figures.joined(separator: " | ")) |")
        }
        guard growing.isEmpty else {
            throw Child.Failure(description: "grows: \(growing.joined(separator: ", "))")
        }
    }

    private static func quarters(_ hours: [Double]) -> (second: Double, last: Double) {
        (Spread(Array(hours[6..<12])).median, Spread(Array(hours[18...])).median)
    }

    private static func mebibytes(_ bytes: Int64) -> Double { Double(bytes) / 1_048_576 }

    /// The slope of the values by least squares.
    private static func slope(_ values: [Double]) -> Double {
        let middle = Double(values.count - 1) / 2
        let mean = values.reduce(0, +) / Double(values.count)
        let (above, below) = values.enumerated().reduce((0.0, 0.0)) { sums, entry in
            let distance = Double(entry.offset) - middle
            return (sums.0 + distance * (entry.element - mean), sums.1 + distance * distance)
        }
        return above / below
    }
}
