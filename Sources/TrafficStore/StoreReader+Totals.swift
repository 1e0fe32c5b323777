import GRDB
package import TrafficModel

extension StoreReader {
    /// The totals of a range by one grouping, in no particular order.
    package func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        try read { database, connection in
            switch grouping {
            case .api, .host, .method:
                var sums = RollupSums(database)
                try sums.add(range)
                return try sums.totals(by: grouping)
            case .path, .status, .type:
                return try DetailSums(database, connection).totals(by: grouping, in: range)
            }
        }
    }
}
