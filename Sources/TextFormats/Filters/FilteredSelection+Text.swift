package import TrafficModel

extension FilteredSelection {
    /// The filter, and what it was compared with.
    ///
    /// - Parameters:
    ///   - count: how many exchanges match.
    ///   - zone: the zone of the time.
    /// - Returns: a sentence.
    package func sentence(_ count: Int64, in zone: ClockZone) -> String {
        let filter = "Filter \(TerminalText.escaped(filter.text))"
        guard countsRows else { return "\(filter): from the sums of every request that was metered." }
        let since = keptSince.map { "; rows are kept since \($0.text(in: zone))" } ?? ""
        return "\(filter): from \(Units.count(count)) stored \(count == 1 ? "exchange" : "exchanges")\(since)."
    }
}
