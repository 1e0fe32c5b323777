import ClickHouse
import FleetTables
import RowBinary
package import TrafficModel

extension FleetReader {
    private static let exchangeColumns = SQLText.joined(
        FleetExchange.table.columns.map { "\(name: $0.name)" }, by: ", ")

    /// Visits the matching exchanges one by one.
    package func forEachExchange(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws {
        try forEach(matching: filter, order: order, after: after, body)
    }

    /// The same; bodies are not shipped.
    package func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws {
        try forEach(matching: filter, order: order, after: after, body)
    }

    /// Visits the exchanges in ranges of their numbers, each of which is one query.
    ///
    /// The engine leaves out most of what cannot match; the filter itself decides, so that what matches is the same as
    /// everywhere else.
    func forEach(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws {
        let installation = try oneInstallation()
        let terms = filter.terms
        let range = selection.part(of: filter.range)
        let conditions = SQLText.joined(
            [installation] + startConditions(range) + terms.compactMap(ExchangeConditions.necessary), by: " AND ")
        guard var windows = try ExchangeWindows(bounds(of: installation), order: order, after: after?.rawValue) else {
            return
        }
        let templates = try shownTemplates()
        while let window = windows.next {
            var rows: [StoredExchange] = []
            do {
                try client.forEachRow(
                    """
                    SELECT \(Self.exchangeColumns) FROM exchange FINAL
                    WHERE \(conditions) AND number >= \(window.lowerBound) AND number <= \(window.upperBound)
                    ORDER BY number \(order == .oldestFirst ? "" : "DESC" as SQLText)
                    """
                ) { row in
                    rows.append(exchange(&row, templates))
                    return true
                }
            } catch let error as ClickHouseError where error.code == .responseTooLarge && windows.canShrink {
                windows.shrink()
                continue
            }
            for exchange in rows where terms.allSatisfy({ $0.matches(exchange) }) {
                guard try body(exchange) else { return }
            }
            windows.advance(rows: rows.count)
        }
    }

    /// The lowest and the highest number of an exchange.
    private func bounds(of installation: SQLText) throws -> ClosedRange<Int64>? {
        var bounds: ClosedRange<Int64>?
        try client.forEachRow(
            "SELECT toInt64(count()), min(number), max(number) FROM exchange WHERE \(installation)"
        ) { row in
            let (count, first, last) = (row.int64(), row.int64(), row.int64())
            if count > 0, first <= last { bounds = first...last }
            return false
        }
        return bounds
    }

    /// The conditions that an exchange began in a range.
    func startConditions(_ range: TimeRange, of column: String = "started_us") -> [SQLText] {
        // Times are in whole microseconds.
        func microseconds(_ moment: Timestamp) -> Int64 { SumsLayout.ceiling(moment.nanoseconds, 1_000) }
        return [
            range.since.map { "\(name: column) >= \(microseconds($0))" },
            range.until.map { "\(name: column) < \(microseconds($0))" },
        ].compactMap(\.self)
    }

    private func exchange(
        _ row: inout RowBinaryReader, _ templates: [TrafficTotal.Key: String]
    ) -> StoredExchange {
        var exchange = FleetExchange.table.read(&row).exchange
        if !templates.isEmpty, let shown = templates[exchange.request.apiKey] { exchange.request.template = shown }
        return exchange
    }

    /// One exchange; nil if there is none with that number.
    package func exchange(_ id: StoredExchange.ID) throws -> StoredExchange? { try heads(of: [id]).first }

    /// The exchanges with those numbers, in that order; numbers without an exchange are left out.
    package func heads(of ids: [StoredExchange.ID]) throws -> [StoredExchange] {
        guard !ids.isEmpty else { return [] }
        let list = SQLText.joined(ids.map { "\($0.rawValue)" }, by: ", ")
        let templates = try shownTemplates()
        var found: [StoredExchange.ID: StoredExchange] = [:]
        try client.forEachRow(
            """
            SELECT \(Self.exchangeColumns) FROM exchange FINAL
            WHERE \(try oneInstallation()) AND number IN (\(list))
            """
        ) { row in
            let exchange = exchange(&row, templates)
            found[exchange.id] = exchange
            return true
        }
        return ids.compactMap { found[$0] }
    }
}
