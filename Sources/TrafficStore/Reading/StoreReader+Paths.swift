import Foundation
package import TrafficModel

extension StoreReader {
    /// The totals of the first paths of a range, and the sum of the others.
    package func leadingPaths(
        _ most: Int, of direction: TrafficDirection, in range: TimeRange, order: GroupOrder,
        naming: @escaping @Sendable (String) -> String
    ) throws -> LeadingTotals {
        try leadingPaths(LeadingPaths(most, of: direction, in: range, order: order, naming: naming))
    }

    // How many exchanges there must be for a second thread to save more time than it takes to start.
    private static let exchangesForTwo = 50_000

    /// The totals of those paths; in a large store, a second connection reads every other part, if it sees the same
    /// state.
    func leadingPaths(_ paths: LeadingPaths, forTwo: Int = exchangesForTwo) throws -> LeadingTotals {
        let before = try state()
        return try read { database, connection in
            guard let all = try paths.query.range(database) else {
                return LeadingTotals(rows: [], otherGroups: 0, others: TrafficSums())
            }
            let scan = try PathScan(paths, database, connection)
            var assistant: ReadAssistant<PathScan, PathScan.Sums>?
            defer { assistant?.end() }
            if all.count >= forTwo, ProcessInfo.processInfo.activeProcessorCount > 1 {
                let another = ReadAssistant<PathScan, PathScan.Sums>(self) { try PathScan(paths, $0, $1) }
                // Nothing was written from before this read began until after the other one had begun.
                if try state() == before { assistant = another } else { another.end() }
            }
            return try paths.totals(all) { inSeveral, work in
                guard inSeveral else { return [try work(scan)] }
                assistant?.begin(work)
                let own = Result { try work(scan) }
                let other = try assistant?.wait()
                return [try own.get()] + (other.map { [$0] } ?? [])
            }
        }
    }
}
