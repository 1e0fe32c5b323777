/// The distribution of several measurements of one value.
struct Spread {
    private let sorted: [Double]

    /// Makes the distribution of measurements in any order.
    init(_ values: [Double]) { sorted = values.sorted() }

    /// The median: half of the measurements are below.
    var median: Double { quantile(0.5) }
    /// The lower quartile: a quarter of the measurements is below.
    var lower: Double { quantile(0.25) }
    /// The upper quartile: a quarter of the measurements is above.
    var upper: Double { quantile(0.75) }
    /// The number of measurements.
    var count: Int { sorted.count }

    private func quantile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
}
