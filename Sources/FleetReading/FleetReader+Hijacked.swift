import ClickHouse
import FleetTables
import RowBinary
internal import TrafficModel

/// Responses that something between the client and the server may have altered, such as a carrier's sign-in page.
extension FleetReader {
    /// An API has a usual media type if it has this share of the successful responses, and there are enough of them.
    private static let usualShare = 0.9
    private static let leastResponses: Int64 = 10
    /// Network Authentication Required (RFC 6585, section 6): only what is in between sends it.
    private static let networkStatus = 511

    /// The totals of the altered responses by API and media type, and of everything else under an empty name.
    func hijackedTotals(in range: TimeRange) throws -> [TrafficTotal] {
        var answers: [TrafficTotal.Key: [Answers]] = [:]
        let templates = try templates()
        let columns = ["direction", "method", "authority", "template", "status", "type"]
        let groups = try self.sums(by: columns, in: range) { row in
            let direction = FleetNumbers.direction(row.uint8())
            var api = TrafficTotal.Key(
                method: row.text(), host: row.text(), template: row.text(), direction: direction)
            api.template = templates.template(of: api)
            return (api: api, status: Int(FleetNumbers.count(row.int64())), type: row.text())
        }
        for (key, sums) in groups {
            answers[key.api, default: []].append(Answers(status: key.status, type: key.type, sums: sums))
        }
        var sums: [TrafficTotal.Key: TrafficSums] = [:]
        for (api, answers) in answers {
            let usual = Self.usualType(of: answers)
            for some in answers {
                var key = TrafficTotal.Key(direction: api.direction)
                let isOther = usual.map { some.isSuccess && some.type != $0 } ?? false
                if isOther || some.status == Self.networkStatus {
                    key = api
                    (key.contentType, key.source) = (some.type, usual)
                }
                sums[key, default: TrafficSums()].merge(some.sums)
            }
        }
        return sums.map { TrafficTotal(key: $0.key, sums: $0.value) }
    }

    private struct Answers {
        let status: Int
        let type: String
        let sums: TrafficSums

        /// Whether the responses are successful and have a media type.
        var isSuccess: Bool { 200..<300 ~= status && !type.isEmpty }
    }

    private static func usualType(of answers: [Answers]) -> String? {
        var counts: [String: Int64] = [:]
        for some in answers where some.isSuccess { counts[some.type, default: 0] += some.sums.responses }
        let all = counts.values.reduce(0, +)
        guard all >= leastResponses else { return nil }
        return counts.first { Double($0.value) >= usualShare * Double(all) }?.key
    }
}
