/// Several measurements of one thing.
struct Spread {
    private let sorted: [Double]

    /// Of those measurements.
    init(_ values: [Double]) { sorted = values.sorted() }

    /// Half of them are below.
    var median: Double { quantile(0.5) }
    /// A quarter of them is below.
    var lower: Double { quantile(0.25) }
    /// A quarter of them is above.
    var upper: Double { quantile(0.75) }
    /// How many.
    var count: Int { sorted.count }

    private func quantile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
}
