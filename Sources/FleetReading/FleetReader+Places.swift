import ClickHouse
import FleetTables
internal import TrafficModel

/// Where the sums of a range are.
extension FleetReader {
    /// Rows of a table that count.
    struct SumsPlace {
        /// What comes after `FROM`.
        let rows: SQLText
        /// The condition on the rows.
        let condition: SQLText
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
        guard let totals = try totals(with: columns) else {
            let condition = try sumsCondition(range, areFinest: areFinest)
            return [SumsPlace(rows: Self.sums, condition: "\(selection.condition) AND (\(condition))")]
        }
        var sums: [SQLText] = []
        var spans: [SumsLayout.Span] = []
        if range == .always, !areFinest {
            spans = FleetTotals.widths.map(FleetTotals.bounds)
            sums = spans.flatMap { span in
                Self.parts(of: SumsLayout.Span(width: span.width, first: nil, end: nil), outside: span)
            }.map { "(whole = 1 AND \(Self.condition($0)))" }
            if try installations().layouts.contains(where: { $0.whole == 1 }) {
                sums.append("(whole = 1 AND width = 1)")
            }
        } else {
            let layouts = try installations().layouts
            for (width, some) in Dictionary(grouping: layouts, by: { areFinest ? $0.finest : $0.whole }) {
                let own = some.map { self.spans(of: $0, in: range, areFinest: areFinest) }
                // Totals have the installations of all these layouts together.
                let haveTotals = layouts.filter { $0.whole == width }.count == some.count
                let common = haveTotals ? FleetTotals.common(own.map { $0.first { $0.width == width } }) : nil
                if let common { spans.append(common) }
                for (layout, own) in zip(some, own) {
                    let rest = own.flatMap { span in
                        common.map { span.width == width ? Self.parts(of: span, outside: $0) : [span] } ?? [span]
                    }
                    guard !rest.isEmpty else { continue }
                    sums.append("(\(condition(layout, among: layouts)) AND \(Self.condition(rest)))")
                }
            }
        }
        sums += spans.flatMap(totals.changes)
        let ofTotals = spans.flatMap { totals.conditions(on: $0, withDays: !areFinest) }
        let places: [(SQLText, [SQLText], SQLText)] = [
            (Self.sums, sums, ""), ("total", ofTotals, " AND \(FleetTotals.areNewest)"),
        ]
        return places.filter { !$0.1.isEmpty }.map { rows, conditions, more in
            SumsPlace(
                rows: rows,
                condition: "\(selection.condition) AND (\(SQLText.joined(conditions, by: " OR ")))\(more)")
        }
    }

    private static let sums: SQLText = "sums FINAL"

    /// The totals that can be read instead of sums; nil if there are none, or they lack a column.
    private func totals(with columns: [String]) throws -> FleetTotals? {
        guard usesTotals, selection.hasTotals, Set(columns).isSubset(of: FleetSums.groups) else { return nil }
        return try FleetTotals(client)
    }

    /// The condition on the rows of `sums` that together are a range, each exchange once.
    private func sumsCondition(_ range: TimeRange, areFinest: Bool) throws -> SQLText {
        let layouts = try installations().layouts
        if range == .always, !areFinest {
            // By the width, which comes first in the table's order, minutes are not read at all.
            return layouts.contains { $0.whole == 1 } ? "whole = 1" : "whole = 1 AND width != 1"
        }
        let parts = layouts.map { layout -> SQLText in
            let spans = spans(of: layout, in: range, areFinest: areFinest)
            return "(\(condition(layout, among: layouts)) AND \(Self.condition(spans)))"
        }
        return SQLText.joined(parts, by: " OR ")
    }

    /// The slots of a layout that are a range.
    private func spans(of layout: SumsLayout, in range: TimeRange, areFinest: Bool) -> [SumsLayout.Span] {
        let layout = areFinest ? SumsLayout(finest: layout.finest, whole: layout.finest) : layout
        let (since, until) = minutes(of: range)
        return layout.spans(since: since, until: until)
    }

    /// What of a span is not in another one, which is within it.
    private static func parts(of span: SumsLayout.Span, outside inner: SumsLayout.Span) -> [SumsLayout.Span] {
        var parts: [SumsLayout.Span] = []
        if let first = inner.first, span.first.map({ $0 < first }) ?? true {
            parts.append(SumsLayout.Span(width: span.width, first: span.first, end: first))
        }
        if let end = inner.end, span.end.map({ end < $0 }) ?? true {
            parts.append(SumsLayout.Span(width: span.width, first: end, end: span.end))
        }
        return parts
    }

    static func condition(_ spans: [SumsLayout.Span]) -> SQLText {
        guard !spans.isEmpty else { return "0" }
        return "(\(SQLText.joined(spans.map { "(\(condition($0)))" }, by: " OR ")))"
    }

    static func condition(_ span: SumsLayout.Span) -> SQLText {
        var sql: SQLText = "width = \(span.width)"
        if let first = span.first { sql = "\(sql) AND slot >= \(first)" }
        if let end = span.end { sql = "\(sql) AND slot < \(end)" }
        return sql
    }
}

extension FleetTotals {
    /// The widths of slots that have totals.
    static let widths = [hour, day]

    /// The slots of a width that can have totals.
    static func bounds(_ width: Int64) -> SumsLayout.Span {
        SumsLayout.Span(width: width, first: -mostSlots, end: mostSlots)
    }

    /// The slots that all of them have; nil if there are none.
    static func common(_ spans: [SumsLayout.Span?]) -> SumsLayout.Span? {
        let found = spans.compactMap(\.self)
        guard let width = found.first?.width, found.count == spans.count, widths.contains(width) else { return nil }
        let all = found + [bounds(width)]
        guard let first = all.compactMap(\.first).max(), let end = all.compactMap(\.end).min(), first < end else {
            return nil
        }
        return SumsLayout.Span(width: width, first: first, end: end)
    }

    /// The conditions on rows of `total` that are the slots of a span that have not changed; `withDays`: hours may be days.
    func conditions(on span: SumsLayout.Span, withDays: Bool) -> [SQLText] {
        let changed = changedSlots(in: span)
        let own: SQLText = "(whole = 1 AND \(FleetReader.condition(span))\(Self.but(changed)))"
        guard span.width == Self.hour, withDays else { return [own] }
        let (first, end) = (
            span.first.map { SumsLayout.ceiling($0, Self.hoursOfDay) },
            span.end.map { SumsLayout.floor($0, Self.hoursOfDay) }
        )
        if let first, let end, first >= end { return [own] }
        // Whole days, and the hours at the edges and of days of which an hour has changed.
        let days = SumsLayout.Span(width: Self.day, first: first, end: end)
        let changedDays = Set(changed.map { SumsLayout.floor($0, Self.hoursOfDay) }).sorted()
        var hours = changedDays.map { day in
            SumsLayout.Span(
                width: Self.hour, first: max(day * Self.hoursOfDay, span.first ?? .min),
                end: min((day + 1) * Self.hoursOfDay, span.end ?? .max))
        }
        if let first, let start = span.first, start < first * Self.hoursOfDay {
            hours.append(SumsLayout.Span(width: Self.hour, first: start, end: first * Self.hoursOfDay))
        }
        if let end, let last = span.end, end * Self.hoursOfDay < last {
            hours.append(SumsLayout.Span(width: Self.hour, first: end * Self.hoursOfDay, end: last))
        }
        let rest: [SQLText] =
            hours.isEmpty ? [] : ["(whole = 1 AND \(FleetReader.condition(hours))\(Self.but(changed)))"]
        return ["(whole = 0 AND \(FleetReader.condition(days))\(Self.but(changedDays)))"] + rest
    }

    /// The conditions on rows of `sums` that are the slots of a span that have changed; none if there are none.
    func changes(in span: SumsLayout.Span) -> [SQLText] {
        let changed = changedSlots(in: span)
        guard !changed.isEmpty else { return [] }
        return ["(whole = 1 AND width = \(span.width) AND slot IN (\(Self.list(changed))))"]
    }

    private func changedSlots(in span: SumsLayout.Span) -> [Int64] {
        changed.filter { slot in
            slot.width == span.width && span.first.map { slot.number >= $0 } ?? true
                && span.end.map { slot.number < $0 } ?? true
        }.map(\.number).sorted()
    }

    private static func but(_ slots: [Int64]) -> SQLText {
        slots.isEmpty ? "" : " AND slot NOT IN (\(list(slots)))"
    }

    private static func list(_ slots: [Int64]) -> SQLText { SQLText.joined(slots.map { "\($0)" }, by: ", ") }
}
