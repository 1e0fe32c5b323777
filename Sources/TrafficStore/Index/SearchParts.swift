/// The parts of a range of numbers that have to be read; chunks are added from below.
struct SearchParts {
    private(set) var all: [ClosedRange<Int64>] = []
    // The first number about which nothing is known yet.
    private var next: Int64
    private let last: Int64

    init(_ range: ClosedRange<Int64>) {
        next = range.lowerBound
        last = range.upperBound
    }

    /// Adds what is before a chunk, and of the chunk the blocks that may match.
    mutating func add(_ chunk: ClosedRange<Int64>, _ candidates: UInt64) {
        guard chunk.upperBound >= next, chunk.lowerBound <= last else { return }
        addAll(until: chunk.lowerBound - 1)
        for block in 0..<SearchChunk.blocks where candidates & 1 << UInt64(block) != 0 {
            let numbers = SearchChunk.numbers(ofBlock: block, in: chunk)
            add(from: max(next, numbers.lowerBound), to: numbers.upperBound)
        }
        next = max(next, chunk.upperBound + 1)
    }

    /// Adds everything up to a number about which nothing is known.
    mutating func addAll(until number: Int64) {
        add(from: next, to: number)
        next = max(next, number + 1)
    }

    private mutating func add(from first: Int64, to end: Int64) {
        let end = min(end, last)
        guard first <= end else { return }
        if let before = all.last, before.upperBound + 1 == first {
            all[all.count - 1] = before.lowerBound...end
        } else {
            all.append(first...end)
        }
    }
}
