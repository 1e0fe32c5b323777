import Foundation
import TrafficModel
import TrafficStore
import Wireweight
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One passage of URLSession through the corpus under the tap: of each exchange that was completed, what Foundation
/// shows and what went over the wire.
struct ShownPassage {
    /// One exchange.
    struct Pair {
        let path: String
        let shown: ShownExchange
        let row: StoredExchange

        /// Whether it is a copy of the other: the same request in the same case, with the same sizes.
        fileprivate func isLike(_ other: Pair) -> Bool {
            path == other.path && shown.request.url == other.shown.request.url
                && row.request.size == other.row.request.size && row.response?.size == other.row.response?.size
        }
    }

    /// One of each: a case that makes the same request 200 times counts once.
    var pairs: [Pair] = []
    /// All that were completed.
    var exchanges = 0
    /// Exchanges of which Foundation shows no request or response: not measured.
    var unshown = 0

    static func run() async throws -> ShownPassage {
        let origin = Corpus.origin()
        try origin.start()
        defer { origin.stop() }
        let file = TemporaryFile()
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        defer { monitor.stop() }
        let entries = Corpus.entries.filter {
            // `Data(contentsOf:)` shows nothing at all; what is cut short on purpose is not completed.
            $0.corpusCase.effectiveDrivers.contains(.urlSession) && $0.corpusCase.style != .contentsOfURL
                && $0.corpusCase.cancel == nil && $0.corpusCase.timeoutMilliseconds == nil
                && $0.corpusCase.outcome(for: .urlSession).isCompleted && $0.corpusCase.target == .origin
        }
        let driver = ShownDriver(address: origin.address)
        var shown: [String: [ShownExchange]] = [:]
        for entry in entries { shown[entry.path] = try await driver.run(entry) }
        _ = origin.waitUntilIdle()
        await monitor.flush()
        var rows: [String: [StoredExchange]] = [:]
        try StoreReader.open(file.path).forEachExchange(matching: ExchangeFilter(), order: .oldestFirst, after: nil) {
            rows[Corpus.path(ofTarget: $0.request.path), default: []].append($0)
            return true
        }
        var passage = ShownPassage()
        for entry in entries {
            let (ours, theirs) = (shown[entry.path] ?? [], rows[entry.path] ?? [])
            passage.unshown += abs(ours.count - theirs.count)
            guard ours.count == theirs.count else { continue }
            for (shown, row) in zip(ours, theirs) {
                guard row.end?.outcome == .completed, row.response != nil, shown.response != nil else {
                    passage.unshown += 1
                    continue
                }
                passage.exchanges += 1
                let pair = Pair(path: entry.path, shown: shown, row: row)
                if !passage.pairs.contains(where: { $0.isLike(pair) }) { passage.pairs.append(pair) }
            }
        }
        return passage
    }
}

extension CorpusCase.Outcome {
    fileprivate var isCompleted: Bool { if case .completed = self { true } else { false } }
}
