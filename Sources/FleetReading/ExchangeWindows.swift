internal import TrafficModel

/// Divides the numbers of exchanges into ranges, each of which is read by one query.
///
/// Ranges grow where few of the numbers have a row or match, and shrink where a response becomes large, so that memory
/// is bounded whatever the rows hold.
struct ExchangeWindows: Hashable {
    /// The numbers to read next; nil if there are no more.
    private(set) var next: ClosedRange<Int64>?
    private var rest: ClosedRange<Int64>
    private let order: ExchangeOrder
    private var length: Int64 = 500

    /// The fewest and the most rows that a response should have.
    static let usual: ClosedRange<Int> = 1_000...4_000
    private static let longest: Int64 = 1 << 40

    /// The numbers of a range, those after one of them if there is one; nil if there are none.
    init?(_ all: ClosedRange<Int64>?, order: ExchangeOrder, after: Int64?) {
        guard var all else { return nil }
        if let after {
            if order == .oldestFirst {
                guard after < all.upperBound else { return nil }
                all = max(all.lowerBound, after + 1)...all.upperBound
            } else {
                guard after > all.lowerBound else { return nil }
                all = all.lowerBound...min(all.upperBound, after - 1)
            }
        }
        rest = all
        self.order = order
        cut()
    }

    /// Whether the next range has more than one number.
    var canShrink: Bool { next.map { $0.lowerBound < $0.upperBound } ?? false }

    /// Makes the next range shorter.
    mutating func shrink() {
        guard let next else { return }
        length = max(1, (next.upperBound - next.lowerBound + 1) / 4)
        cut()
    }

    /// Goes on after the next range, which had that many rows.
    mutating func advance(rows: Int) {
        guard let done = next else { return }
        if rows < Self.usual.lowerBound { length = min(Self.longest, 2 * length) }
        if rows > Self.usual.upperBound { length = max(1, length / 2) }
        if order == .oldestFirst {
            guard done.upperBound < rest.upperBound else { return next = nil }
            rest = done.upperBound + 1...rest.upperBound
        } else {
            guard done.lowerBound > rest.lowerBound else { return next = nil }
            rest = rest.lowerBound...done.lowerBound - 1
        }
        cut()
    }

    private mutating func cut() {
        let last = min(length, Self.longest) - 1
        if rest.upperBound - rest.lowerBound <= last {
            next = rest
        } else if order == .oldestFirst {
            next = rest.lowerBound...rest.lowerBound + last
        } else {
            next = rest.upperBound - last...rest.upperBound
        }
    }
}
