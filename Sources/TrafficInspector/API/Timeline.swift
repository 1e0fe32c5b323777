internal import TextFormats
internal import TrafficModel

/// Bytes and requests over time in one direction: the one that the filter names, or the first that there is.
struct Timeline: Sendable {
    /// Nanoseconds: two hours.
    ///
    /// Shorter ranges are computed from the exchanges themselves, in slots of a second or more.
    static let fine: Int64 = 2 * 3_600_000_000_000
    /// The slot lengths for short ranges, in nanoseconds; the first that is long enough is used.
    private static let steps: [Int64] = [1, 2, 5, 10, 15, 30, 60].map { $0 * 1_000_000_000 }
    /// The most exchanges that are read for a timeline; if there are more, the newest.
    private static let examinedLimit = 500_000

    let range: TimeRange
    let filter: ExchangeFilter
    let slots: Int

    /// The timeline that a request describes.
    init(_ request: Request, _ filter: ExchangeFilter) throws(Refusal) {
        range = try request.range
        slots = Int(try request.number("slots", in: 2...500) ?? 120)
        self.filter = filter
    }

    func json(_ reading: any TrafficBrowsing) throws -> JSONValue {
        let overview = try reading.overview()
        guard let first = range.since ?? overview.firstSeen, let end = range.until ?? overview.lastSeen else {
            return Self.json(from: range.since, step: 1_000_000_000, [])
        }
        var filter = filter
        let direction = try filter.direction ?? reading.directions().first ?? .called
        filter.direction = direction
        let isFine = end.nanoseconds &- first.nanoseconds < Self.fine
        var everything = ExchangeFilter()
        everything.range = range
        everything.direction = direction
        // Of several installations there are sums alone.
        guard try filter != everything || (isFine && reading.severalInstallations() == nil) else {
            let timeline = try reading.timeline(of: direction, in: range, limit: slots)
            return Self.json(from: timeline.slots.first?.begin, step: timeline.step, timeline.slots)
        }
        return try json(
            reading, filter, from: max(first, overview.firstSeen ?? first), to: min(end, overview.lastSeen ?? end))
    }

    private func json(
        _ reading: any TrafficBrowsing, _ filter: ExchangeFilter, from first: Timestamp, to last: Timestamp
    ) throws -> JSONValue {
        let span = max(0, last.nanoseconds - first.nanoseconds)
        var step = Self.steps.first { span / $0 + 2 <= slots } ?? 60_000_000_000
        while span / step + 2 > slots { step *= 2 }
        let begin = first.nanoseconds / step * step
        var all = (0...max(0, (last.nanoseconds - begin) / step)).map {
            TrafficTimeline.Slot(begin: Timestamp(nanoseconds: begin + $0 * step))
        }
        var left = Self.examinedLimit
        try reading.forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            let index = Int((exchange.request.startedAt.nanoseconds - begin) / step)
            if all.indices.contains(index) {
                all[index].add(ExchangeFigures(exchange.records), end: exchange.end)
            }
            left -= 1
            return left > 0
        }
        return Self.json(from: Timestamp(nanoseconds: begin), step: step, all)
    }

    private static func json(from: Timestamp?, step: Int64, _ slots: [TrafficTimeline.Slot]) -> JSONValue {
        .object([
            .init("from", .moment(from)), .init("slot", .milliseconds(step)),
            .init("requests", .array(slots.map { .integer($0.requests) })),
            .init("failures", .array(slots.map { .integer($0.failures) })),
            .init("up", .array(slots.map { .integer($0.up.bytes) })),
            .init("down", .array(slots.map { .integer($0.down.bytes) })),
        ])
    }
}
