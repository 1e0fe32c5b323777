import ClickHouse
import FleetTables
internal import TrafficModel

/// Where the sums of a range are.
extension FleetReader {
    /// Rows of a table that count.
    struct SumsPlace {
        /// The table.
        let table: SQLText
        /// Whether it may have several versions of a row.
        let hasVersions: Bool
        /// The condition on the rows.
        let condition: SQLText

        /// What comes after `FROM`.
        var rows: SQLText { hasVersions ? "\(table) FINAL" : table }
    }

    /// The rows that together are the selected part of a range, each exchange once.
    ///
    /// - Parameters:
    ///   - range: the range.
    ///   - columns: the columns that are read beside the figures.
    ///   - areFinest: whether only the narrowest slots count.
    /// - Returns: the rows of one table or of both; none if the range has no slot.
    /// - Throws: ``ClickHouseError``.
    func sumsPlaces(
        _ range: TimeRange, with columns: [String], areFinest: Bool = false
    ) throws -> [SumsPlace] {
        let range = selection.part(of: range)
        if let totals = try totals(with: columns) {
            let places = try places(of: range, areFinest: areFinest, with: totals)
            // With very many slots that have changed, sums alone are as fast.
            if places.allSatisfy({ $0.condition.description.utf8.count <= Self.longestCondition }) { return places }
        }
        return try places(of: range, areFinest: areFinest, with: nil)
    }

    /// The most bytes of a condition, which the statement for all histograms has twelve times: ClickHouse reads 256 KiB.
    private static let longestCondition = 16_000

    private func places(of range: TimeRange, areFinest: Bool, with totals: FleetTotals?) throws -> [SumsPlace] {
        var (sums, spans) =
            range == .always && !areFinest
            ? try allSlots(hasTotals: totals != nil)
            : try slots(of: range, areFinest: areFinest, hasTotals: totals != nil)
        var ofTotals: [SQLText] = []
        if let totals {
            sums += spans.flatMap(totals.changes)
            ofTotals = spans.flatMap { totals.conditions(on: $0, withDays: !areFinest) }
        }
        func place(_ table: SQLText, hasVersions: Bool, _ conditions: [SQLText], and more: SQLText) -> SumsPlace? {
            guard !conditions.isEmpty else { return nil }
            let condition: SQLText = "\(selection.condition) AND (\(SQLText.joined(conditions, by: " OR ")))\(more)"
            return SumsPlace(table: table, hasVersions: hasVersions, condition: condition)
        }
        return [
            place("sums", hasVersions: true, sums, and: ""),
            place("total", hasVersions: false, ofTotals, and: " AND \(FleetTotals.areNewest)"),
        ].compactMap(\.self)
    }

    /// The totals that can be read instead of sums; nil if there are none, or they lack a column.
    private func totals(with columns: [String]) throws -> FleetTotals? {
        guard selection.hasTotals, Set(columns).isSubset(of: FleetSums.groups) else { return nil }
        return try totals()
    }

    /// Conditions on rows of `sums`, and the totals that together with them are a range, each exchange once.
    private typealias Slots = (sums: [SQLText], totals: [FleetTotals.Span])

    private func allSlots(hasTotals: Bool) throws -> Slots {
        let haveMinutes = try installations().layouts.contains { $0.whole == 1 }
        guard hasTotals else {
            // By the width, which comes first in the table's order, minutes are not read at all.
            return ([haveMinutes ? "whole = 1" : "whole = 1 AND width != 1"], [])
        }
        let totals = FleetTotals.widths.map(FleetTotals.bounds)
        let others = totals.flatMap { SumsLayout.Span(width: $0.width, first: nil, end: nil).parts(outside: $0) }
        let sums = others + (haveMinutes ? [SumsLayout.Span(width: 1, first: nil, end: nil)] : [])
        return (sums.map { "(whole = 1 AND \(Self.condition($0)))" }, totals)
    }

    private func slots(of range: TimeRange, areFinest: Bool, hasTotals: Bool) throws -> Slots {
        var slots: Slots = ([], [])
        let layouts = try installations().layouts
        for (width, some) in Dictionary(grouping: layouts, by: { areFinest ? $0.finest : $0.whole }) {
            let own = some.map { spans(of: $0, in: range, areFinest: areFinest) }
            // Totals have the installations of all layouts whose whole sums have that width.
            let areTogether = hasTotals && layouts.filter { $0.whole == width }.count == some.count
            let common = areTogether ? FleetTotals.common(own.map { $0.first { $0.width == width } }) : nil
            if let common { slots.totals.append(common) }
            for (layout, own) in zip(some, own) {
                let rest = own.flatMap { span in common.map(span.parts(outside:)) ?? [span] }
                guard !rest.isEmpty else { continue }
                slots.sums.append("(\(condition(layout, among: layouts)) AND \(Self.condition(rest)))")
            }
        }
        return slots
    }

    /// The slots of a layout that are a range.
    private func spans(of layout: SumsLayout, in range: TimeRange, areFinest: Bool) -> [SumsLayout.Span] {
        let layout = areFinest ? SumsLayout(finest: layout.finest, whole: layout.finest) : layout
        let (since, until) = minutes(of: range)
        return layout.spans(since: since, until: until)
    }

    static func condition(_ spans: [SumsLayout.Span]) -> SQLText {
        "(\(SQLText.joined(spans.map { "(\(condition($0)))" }, by: " OR ")))"
    }

    static func condition(_ span: SumsLayout.Span) -> SQLText {
        var sql: SQLText = "width = \(span.width)"
        if let first = span.first { sql = "\(sql) AND slot >= \(first)" }
        if let end = span.end { sql = "\(sql) AND slot < \(end)" }
        return sql
    }
}

extension SumsLayout.Span {
    /// What of a span has no totals in those slots, which are within it if they are as wide.
    fileprivate func parts(outside totals: FleetTotals.Span) -> [Self] {
        guard totals.width == width else { return [self] }
        var parts: [Self] = []
        if first.map({ $0 < totals.slots.lowerBound }) ?? true {
            parts.append(Self(width: width, first: first, end: totals.slots.lowerBound))
        }
        if end.map({ totals.slots.upperBound < $0 }) ?? true {
            parts.append(Self(width: width, first: totals.slots.upperBound, end: end))
        }
        return parts
    }
}

extension FleetTotals {
    /// Slots of one width that can have totals.
    struct Span: Hashable, Sendable {
        /// The width in minutes.
        let width: Int64
        /// The slots, counted from the epoch.
        let slots: Range<Int64>
    }

    /// The widths of slots that have totals.
    static let widths = [hour, day]

    /// The slots of a width that can have totals.
    static func bounds(_ width: Int64) -> Span { Span(width: width, slots: -mostSlots..<mostSlots) }

    /// The slots that all of them have; nil if there are none.
    static func common(_ spans: [SumsLayout.Span?]) -> Span? {
        let found = spans.compactMap(\.self)
        guard let width = found.first?.width, found.count == spans.count, widths.contains(width) else { return nil }
        let first = found.compactMap(\.first).reduce(-mostSlots, max)
        let end = found.compactMap(\.end).reduce(mostSlots, min)
        return first < end ? Span(width: width, slots: first..<end) : nil
    }

    /// The conditions on rows of `total` that are the slots of a span that have not changed; `withDays`: hours may be days.
    func conditions(on span: Span, withDays: Bool) -> [SQLText] {
        let changed = changedSlots(in: span)
        guard span.width == Self.hour, withDays, let days = Self.days(in: span.slots) else {
            return [Self.condition(span, but: changed)]
        }
        // Whole days, and the hours at the edges and of days of which an hour has changed.
        let hoursOfDays = days.lowerBound * Self.hoursOfDay..<days.upperBound * Self.hoursOfDay
        let edges = [
            span.slots.lowerBound..<hoursOfDays.lowerBound, hoursOfDays.upperBound..<span.slots.upperBound,
        ]
        let changedDays = Set(changed.map { SumsLayout.floor($0, Self.hoursOfDay) }).sorted().filter(days.contains)
        let hours = edges + changedDays.map { $0 * Self.hoursOfDay..<($0 + 1) * Self.hoursOfDay }
        return [Self.condition(Span(width: Self.day, slots: days), but: changedDays, isWhole: false)]
            + hours.filter { !$0.isEmpty }.map { Self.condition(Span(width: span.width, slots: $0), but: changed) }
    }

    /// The whole days in a range of hours; nil if there are none.
    private static func days(in hours: Range<Int64>) -> Range<Int64>? {
        let first = SumsLayout.ceiling(hours.lowerBound, hoursOfDay)
        let end = SumsLayout.floor(hours.upperBound, hoursOfDay)
        return first < end ? first..<end : nil
    }

    /// The conditions on rows of `sums` that are the slots of a span that have changed; none if there are none.
    func changes(in span: Span) -> [SQLText] {
        let changed = changedSlots(in: span)
        guard !changed.isEmpty else { return [] }
        return ["(whole = 1 AND width = \(span.width) AND slot IN (\(Self.list(changed))))"]
    }

    private func changedSlots(in span: Span) -> [Int64] {
        changed.filter { $0.width == span.width && span.slots.contains($0.number) }.map(\.number).sorted()
    }

    private static func condition(_ span: Span, but changed: [Int64], isWhole: Bool = true) -> SQLText {
        let changed = changed.filter(span.slots.contains)
        let rest: SQLText = changed.isEmpty ? "" : " AND slot NOT IN (\(list(changed)))"
        return """
            (whole = \(isWhole ? 1 : 0 as Int64) AND width = \(span.width) AND slot >= \(span.slots.lowerBound)
                AND slot < \(span.slots.upperBound)\(rest))
            """
    }

    private static func list(_ slots: [Int64]) -> SQLText { SQLText.joined(slots.map { "\($0)" }, by: ", ") }
}
