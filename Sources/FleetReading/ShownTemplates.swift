internal import TrafficModel

/// Which template an API is shown under, after several merges.
enum ShownTemplates {
    /// The most merges that are followed; a chain that is longer is one that goes round.
    private static let most = 32

    /// The last template of each chain: what was merged into a template that was merged later belongs to the later one.
    static func resolved(_ shown: [TrafficTotal.Key: String]) -> [TrafficTotal.Key: String] {
        shown.reduce(into: [:]) { result, pair in
            var key = pair.key
            for _ in 0..<most {
                guard let next = shown[key], next != key.template else { break }
                key.template = next
            }
            result[pair.key] = key.template
        }
    }
}
