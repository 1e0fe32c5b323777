import Foundation
import GRDB
package import TrafficModel

extension StoreReader {
    /// The newest matching exchanges of a part of the store, found in about that time.
    package func newest(
        _ count: Int, matching filter: ExchangeFilter, in rest: ClosedRange<StoredExchange.ID>?, for duration: Duration
    ) throws -> FoundPart {
        // All exchanges are read as a plain list, which takes a third of the time: it is what a page shows first.
        if rest == nil, filter == ExchangeFilter() {
            return FoundPart(moments: try newest(count, matching: filter), searched: nil, rest: nil)
        }
        let end = ContinuousClock.now + duration
        var query = ExchangeQuery(filter)
        if let rest { query.begin(in: rest) }
        var part = FoundPart(moments: [], searched: nil, rest: nil)
        guard count > 0 else { return part }
        try forEachFound(query, order: .newestFirst) { all, left in
            part.searched = Self.numbers(all)
            part.rest = left.map(Self.numbers)
            return ContinuousClock.now < end
        } _: { moment, _, _ in
            part.moments.append(moment)
            guard part.moments.count == count else { return true }
            part.rest = nil
            return false
        }
        return part
    }

    private static func numbers(_ range: ClosedRange<Int64>) -> ClosedRange<StoredExchange.ID> {
        StoredExchange.ID(range.lowerBound)...StoredExchange.ID(range.upperBound)
    }

    /// Visits the exchanges that a search finds, in that order, until `body` returns false.
    ///
    /// It reads one range of numbers after the other: small ones first, so that the first rows are found at once. In a
    /// large store, a second connection searches every other range, if it sees the same state.
    ///
    /// - Parameters:
    ///   - query: the conditions.
    ///   - order: from the oldest or from the newest.
    ///   - lengths: how long the ranges are.
    ///   - goOn: takes, when ranges have been searched, the whole range and what is left of it; returns whether to go on.
    ///   - body: takes an exchange and returns whether to go on.
    /// - Throws: the errors of the store and of `body`.
    func forEachFound(
        _ query: ExchangeQuery, order: ExchangeOrder, lengths: SearchRanges.Lengths = .usual,
        goOn: (_ all: ClosedRange<Int64>, _ left: ClosedRange<Int64>?) throws -> Bool = { _, _ in true },
        _ body: (ExchangeMoment, Database, ReadConnection) throws -> Bool
    ) throws {
        defer { note(share: nil) }
        func goOnNoting(_ all: ClosedRange<Int64>, _ ranges: SearchRanges) throws -> Bool {
            note(share: Double(ranges.begun) / Double(ranges.begun + ranges.left))
            return try goOn(all, ranges.rest)
        }
        let before = try state()
        try read { database, connection in
            guard let all = try query.range(database) else { return }
            let skipping = try index.search(query.rest, database, of: identity)
            let search = try ExchangeSearch(query, database, connection, skipping: skipping)
            var ranges = SearchRanges(all, order, lengths)
            // Without an index, the next search only takes longer.
            defer { if skipping != nil { try? index.noteSearch(self, ranges.begun, database) } }
            func visit(_ found: [ExchangeMoment]) throws -> Bool {
                for moment in order == .oldestFirst ? found : found.reversed() {
                    guard try body(moment, database, connection) else { return false }
                }
                return true
            }
            guard let first = ranges.next(), try visit(search.find(in: first)), try goOnNoting(all, ranges)
            else { return }
            var assistant: ReadAssistant<ExchangeSearch, [ExchangeMoment]>?
            defer { assistant?.end() }
            if ranges.left >= lengths.forTwo, ProcessInfo.processInfo.activeProcessorCount > 1 {
                let another = ReadAssistant<ExchangeSearch, [ExchangeMoment]>(self) { [index, identity] in
                    try ExchangeSearch(
                        query, $0, $1, skipping: index.search(query.rest, $0, of: identity))
                }
                // Nothing was written from before this read began until after the other one had begun.
                if try state() == before { assistant = another } else { another.end() }
            }
            while let range = ranges.next() {
                let other = assistant == nil ? nil : ranges.next()
                if let other { assistant?.begin { try $0.find(in: other) } }
                guard try visit(search.find(in: range)) else { return }
                if let assistant, other != nil, try !visit(assistant.wait()) { return }
                guard try goOnNoting(all, ranges) else { return }
            }
        }
    }
}

/// Divides a range of exchanges' numbers into ranges to search, each twice as long as the one before.
struct SearchRanges: IteratorProtocol {
    /// How many numbers ranges have.
    struct Lengths {
        static let usual = Lengths(shortest: 4_096, longest: 65_536, forTwo: 50_000)

        let shortest: Int64
        let longest: Int64
        /// How many must be left for a second thread to save more time than it takes to start.
        let forTwo: Int64
    }

    /// The numbers that are left.
    private(set) var rest: ClosedRange<Int64>?
    private let count: Int64
    private let order: ExchangeOrder
    private let longest: Int64
    private var length: Int64

    init(_ all: ClosedRange<Int64>, _ order: ExchangeOrder, _ lengths: Lengths = .usual) {
        rest = all
        count = all.upperBound - all.lowerBound + 1
        self.order = order
        length = lengths.shortest
        longest = lengths.longest
    }

    /// How many numbers are in the ranges so far.
    var begun: Int64 { count - left }

    /// How many numbers are left.
    var left: Int64 { rest.map { $0.upperBound - $0.lowerBound + 1 } ?? 0 }

    mutating func next() -> ClosedRange<Int64>? {
        guard let all = rest else { return nil }
        guard left > length else {
            rest = nil
            return all
        }
        defer { length = min(longest, 2 * length) }
        if order == .oldestFirst {
            let end = all.lowerBound + length
            rest = end...all.upperBound
            return all.lowerBound...(end - 1)
        }
        let start = all.upperBound - length
        rest = all.lowerBound...start
        return (start + 1)...all.upperBound
    }
}
