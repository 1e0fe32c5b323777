internal import TrafficModel
internal import TrafficReports

/// A comparison of two files, or of two ranges of time of one.
struct Comparison: Sendable {
    /// The file with the earlier traffic; nil for the one that is shown.
    let file: String?
    let before: TimeRange
    let after: TimeRange

    /// What a request asks to compare.
    ///
    /// - Throws: ``Refusal`` if it names neither a file nor a range, and no file was named at the start.
    init(_ request: Request, _ files: OpenFiles) throws(Refusal) {
        before = try request.range("before.")
        after = try request.range
        if let named = request.item("before") {
            file = named == "this" ? nil : named
        } else if before != .always {
            file = nil
        } else if let named = files.list.first(where: { $0.kind == .named }) {
            file = named.id
        } else {
            throw Refusal(status: 404, code: "notFound", phrase: .compare)
        }
    }

    func json(_ reading: any TrafficBrowsing, _ files: OpenFiles) throws -> [UInt8] {
        let first = try file.map { try files.reading($0) } ?? reading
        let diff = try TrafficDiff(
            before: Self.exact(first, in: before), after: Self.exact(reading, in: after), in: (before, after))
        return Array(diff.json.utf8)
    }

    /// A store whose sums of a short range are exact: those of whole minutes would have what came just before it, too.
    private static func exact(_ store: any TrafficBrowsing, in range: TimeRange) throws -> any TrafficBrowsing {
        guard range != .always else { return store }
        let overview = try store.overview()
        guard let first = range.since ?? overview.firstSeen, let last = range.until ?? overview.lastSeen,
            last.nanoseconds - first.nanoseconds < Timeline.fine
        else { return store }
        return FilteredReading(store, FilterExpression([]), countsRows: true)
    }
}
