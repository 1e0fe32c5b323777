import Foundation
internal import TrafficModel

extension LatencyHistogram {
    /// The bucket of a duration above 0: what ``index(seconds:)`` says, with one comparison or two instead of a search.
    static func bucket(nanoseconds: Int64) -> Int {
        let seconds = Double(nanoseconds) * 1e-9
        let significand = seconds.significand
        var step = firstStep[Int(truncatingIfNeeded: seconds.significandBitPattern >> 46)]
        while step < 32, bounds[step] < significand { step += 1 }
        return Int(seconds.exponent) * 32 + step - 1
    }

    // The lower bounds of an octave's 32 buckets.
    private static let bounds: [Double] = {
        let roots = sequence(first: 2.0.squareRoot()) { $0.squareRoot() }.prefix(5).map(\.self)
        return (0..<32).map { step in
            roots.enumerated().reduce(1.0) { step & (16 >> $1.offset) != 0 ? $0 * $1.element : $0 }
        }
    }()

    // For each 64th of an octave, how many bounds lie below its begin.
    private static let firstStep: [Int] = (0..<64).map { part in
        bounds.prefix { $0 < 1 + Double(part) / 64 }.count
    }
}
