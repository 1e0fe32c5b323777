internal import TrafficModel

/// Chooses the APIs that have labels of their own; all others are counted together.
///
/// An API keeps its place, so a metric of it never ends, and the number of different labels is bounded however long a
/// process runs.
struct LabelledAPIs {
    /// The label of the others; templates of APIs are never this text.
    static let others = "other"

    private let most: Int
    private var chosen: Set<TrafficTotal.Key> = []

    /// Gives labels to at most that number of APIs.
    init(most: Int) { self.most = max(0, most) }

    /// The same sums, with those of all APIs without a place as one total for each direction.
    ///
    /// As long as there are places, those APIs get them that have the most bytes.
    mutating func labelled(_ totals: [TrafficTotal]) -> [TrafficTotal] {
        let new = totals.filter { !chosen.contains($0.key) }
        for total in new.sorted(by: Self.isHeavier).prefix(most - chosen.count) { chosen.insert(total.key) }

        var result: [TrafficTotal] = []
        var others: [TrafficDirection: TrafficTotal] = [:]
        for total in totals {
            if chosen.contains(total.key) {
                result.append(total)
            } else {
                let direction = total.key.direction
                others[direction, default: Self.others(direction)].merge(total)
            }
        }
        return result + TrafficDirection.allCases.compactMap { others[$0] }
    }

    private static func others(_ direction: TrafficDirection) -> TrafficTotal {
        TrafficTotal(key: .init(method: others, host: others, template: others, direction: direction))
    }

    private static func isHeavier(_ one: TrafficTotal, than other: TrafficTotal) -> Bool {
        let (weight, otherWeight) = (one.up.total + one.down.total, other.up.total + other.down.total)
        return weight != otherWeight ? weight > otherWeight : name(one) < name(other)
    }

    private static func name(_ total: TrafficTotal) -> String {
        [total.key.host, total.key.template, total.key.method].map { $0 ?? "" }.joined(separator: "\0")
    }
}
