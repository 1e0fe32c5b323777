import ClickHouse

/// The widths of the slots, in minutes, of which an installation ships sums.
struct SumsLayout: Hashable, Sendable {
    /// The width of the narrowest slots.
    let finest: Int64
    /// The width of those slots that count every exchange once.
    let whole: Int64

    /// What installations ship: minutes, hours and days; other widths, which strangers may send, count for nothing.
    static let widths: SQLText = "1, 60, 1440"

    /// Slots of one width.
    struct Span: Hashable, Sendable {
        /// The width in minutes.
        let width: Int64
        /// The first slot, counted from the epoch; nil if there is no first.
        let first: Int64?
        /// The first slot after them.
        let end: Int64?
    }

    /// The fewest slots that together are the minutes from `since` on and before `until`.
    ///
    /// A bound that is no edge of the finest slots is moved outwards to one.
    func spans(since: Int64?, until: Int64?) -> [Span] {
        let since = since.map { Self.floor($0, finest) * finest }
        let until = until.map { Self.ceiling($0, finest) * finest }
        if let since, let until, since >= until { return [] }
        let first = since.map { Self.ceiling($0, whole) }
        let end = until.map { Self.floor($0, whole) }
        if let first, let end, first >= end {
            return [
                Span(
                    width: finest, first: since.map { Self.floor($0, finest) },
                    end: until.map { Self.floor($0, finest) })
            ]
        }
        var spans = [Span(width: whole, first: first, end: end)]
        if let since, let first, since < first * whole {
            spans.append(Span(width: finest, first: Self.floor(since, finest), end: first * whole / finest))
        }
        if let until, let end, end * whole < until {
            spans.append(Span(width: finest, first: end * whole / finest, end: Self.floor(until, finest)))
        }
        return spans
    }

    /// The quotient, rounded down even before the epoch.
    static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : -((-(value + 1)) / unit) - 1
    }

    /// The quotient, rounded up.
    static func ceiling(_ value: Int64, _ unit: Int64) -> Int64 { -floor(-value, unit) }
}
