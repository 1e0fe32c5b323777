import GRDB
package import TrafficModel

extension StoreReader {
    /// Visits the lookups of names one by one, in the order of their ends; all are read from the state at the start.
    package func forEachLookup(order: ExchangeOrder, _ body: (LookupRecord) throws -> Bool) throws {
        try read { database, _ in
            let rows = try PreparedStatement(
                database, LookupRow.selection + " ORDER BY l.id" + (order == .oldestFirst ? "" : " DESC"))
            defer { rows.reset() }
            while try rows.step() {
                guard try body(LookupRow(row: rows).record) else { break }
            }
        }
    }
}
