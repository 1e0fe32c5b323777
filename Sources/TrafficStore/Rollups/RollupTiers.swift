import GRDB
internal import TrafficModel

/// The sums that the writer keeps: by minute, hour and day and for all time, and the traffic of each minute.
///
/// An exchange is added to its minute. When a minute is complete it is added to its hour; when an hour is complete, to
/// its day and to all time. `folded` and `folded_hours` in `meta` say how far that has come. A late exchange is added
/// to every tier that already includes its minute. So each exchange is in each tier once, and a reader takes the
/// coarsest tier that fits. Only minutes that are not too old have sums: see ``RowMinutes``.
///
/// The rows of coarse tiers are long. Writing them with every batch would cost as much as the exchanges.
final class RollupTiers {
    let minutes: RollupTable
    private let hours: RollupTable
    private let days: RollupTable
    private let allTime: RollupTable
    private let kinds: KindTable
    /// The minutes without sums.
    let rowMinutes: RowMinutes
    private let timelines: [(direction: TrafficDirection, statement: PreparedStatement)]
    private let readMeta: PreparedStatement
    private let writeMeta: PreparedStatement
    private let dataVersion: PreparedStatement
    private var lastVersion: Int64 = -1
    // Minutes before this one are included in the sums of their hours.
    @exclusivity(unchecked) private var folded: Int64 = 0
    // Hours before this one are included in the sums of their days and of all time.
    @exclusivity(unchecked) private var foldedHours: Int64 = 0
    // The last minute in which an exchange that this writer added began.
    @exclusivity(unchecked) private var newest: Int64 = -1
    @exclusivity(unchecked) private var growth = TimelineGrowth()
    @exclusivity(unchecked) private var servedGrowth = TimelineGrowth()

    /// The tiers of that store.
    init(_ database: Database) throws {
        minutes = try RollupTable(database, table: "rollup_minute")
        hours = try RollupTable(database, table: "rollup_hour")
        // These sums are used once an hour, and a row has a few KB.
        days = try RollupTable(database, table: "rollup_day", limit: 256)
        allTime = try RollupTable(database, table: "rollup_all", limit: 256)
        kinds = try KindTable(database)
        rowMinutes = try RowMinutes(database, minutes, kinds)
        timelines = try TrafficDirection.allCases.map { direction in
            let statement = try PreparedStatement(
                database,
                """
                INSERT INTO \(StoreSchema.timeline(of: direction))(minute, requests, failures, up, down)
                VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT(minute) DO UPDATE SET requests = requests + ?2, failures = failures + ?3, up = up + ?4,
                    down = down + ?5
                """)
            return (direction, statement)
        }
        readMeta = try PreparedStatement(database, "SELECT value FROM meta WHERE key = ?")
        writeMeta = try PreparedStatement(database, "INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)")
        dataVersion = try PreparedStatement(database, "PRAGMA data_version")
    }

    /// Adds an exchange that has ended to the sums, in memory until ``write()``.
    func add(_ exchange: borrowing OpenExchange, endedBy end: borrowing EndFigures) throws {
        let minute = TimeSlot.minute(of: exchange.startedAt)
        let kind = try kinds.kind(route: exchange.route, answer: exchange.answer)
        if try !rowMinutes.hasRow(of: exchange, minute: minute) {
            try minutes.add(exchange.figures, endedBy: end, to: RollupKey(kind: kind.id, slot: minute))
        }
        let hasFailed = exchange.figures.hasFailed(outcomeIsFailure: end.isFailure)
        if kind.direction == .called {
            growth.add(exchange.figures, hasFailed: hasFailed, minute: minute)
        } else {
            servedGrowth.add(exchange.figures, hasFailed: hasFailed, minute: minute)
        }
        newest = max(newest, minute)
        guard minute < folded else { return }
        var sum = TrafficSums()
        sum.add(exchange.figures, endedBy: end)
        try addToHour(sum, kind: kind.id, minute: minute)
    }

    /// Writes the changed sums, and adds complete minutes and hours to the coarser tiers.
    func write() throws {
        try minutes.write()
        try writeTimeline()
        try fold(until: newest)
        try rowMinutes.drop(before: folded - RowMinutes.kept, setMeta: setMeta)
    }

    /// Adds the minutes before one to their hours, and the hours before its hour to their days, in the open
    /// transaction.
    func fold(until minute: Int64) throws {
        try fold(until: minute, hours: TimeSlot.hour(of: minute))
    }

    /// Adds all minutes to all tiers, because the writer is being closed.
    func foldAll() throws {
        try write()
        if newest >= 0 { try fold(until: newest + 1, hours: TimeSlot.hour(of: newest) + 1) }
    }

    /// Clears the sums in memory if another connection may have changed them since the last transaction.
    func check() throws {
        guard try dataVersion.step() else { return }
        let version = dataVersion.int(0)
        dataVersion.reset()
        if version != lastVersion {
            forgetSums()
            folded = try meta("folded")
            foldedHours = try meta("folded_hours")
            try rowMinutes.read(meta)
        }
        lastVersion = version
    }

    /// Clears all sums in memory after a rollback or after rows were deleted.
    func forget() {
        forgetSums()
        kinds.forget()
    }

    private func forgetSums() {
        minutes.forget()
        hours.forget()
        days.forget()
        allTime.forget()
        growth.removeAll()
        servedGrowth.removeAll()
        // The next transaction then reads `folded` and `folded_hours` again.
        lastVersion = -1
    }

    private func fold(until minute: Int64, hours end: Int64) throws {
        if minute > folded {
            try minutes.forEach(from: folded, until: minute) { key, sum in
                try addToHour(sum, kind: key.kind, minute: key.slot)
            }
            folded = minute
            try setMeta("folded", minute)
        }
        try hours.write()
        if end > foldedHours {
            try hours.forEach(from: foldedHours, until: end) { key, sum in
                try addToDay(sum, kind: key.kind, hour: key.slot)
                if allTime.isFull { try writeDays() }
            }
            foldedHours = end
            try setMeta("folded_hours", end)
        }
        try writeDays()
    }

    private func writeDays() throws {
        try days.write()
        try allTime.write()
    }

    private func addToHour(_ sum: TrafficSums, kind: Int64, minute: Int64) throws {
        let hour = TimeSlot.hour(of: minute)
        try hours.change(RollupKey(kind: kind, slot: hour)) { $0.merge(sum) }
        if hour < foldedHours { try addToDay(sum, kind: kind, hour: hour) }
    }

    private func addToDay(_ sum: TrafficSums, kind: Int64, hour: Int64) throws {
        try days.change(RollupKey(kind: kind, slot: TimeSlot.day(of: hour))) { $0.merge(sum) }
        try allTime.change(RollupKey(kind: kind, slot: 0)) { $0.merge(sum) }
    }

    private func writeTimeline() throws {
        for (direction, timeline) in timelines {
            let minutes = direction == .called ? growth.takeMinutes() : servedGrowth.takeMinutes()
            for (minute, sum) in minutes {
                timeline.bind(1, minute)
                timeline.bind(2, sum.requests)
                timeline.bind(3, sum.failures)
                timeline.bind(4, sum.up.bytes)
                timeline.bind(5, sum.down.bytes)
                try timeline.runOnce()
            }
        }
    }

    private func meta(_ key: String) throws -> Int64 {
        readMeta.bind(1, key)
        defer { readMeta.reset() }
        return try readMeta.step() ? Plausible.slot(readMeta.int(0)) : 0
    }

    private func setMeta(_ key: String, _ value: Int64) throws {
        writeMeta.bind(1, key)
        writeMeta.bind(2, value)
        try writeMeta.runOnce()
    }
}
