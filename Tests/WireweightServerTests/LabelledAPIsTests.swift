import Testing
import TrafficModel

@testable import WireweightServer

@Suite("Labels of metrics")
struct LabelledAPIsTests {
    private func total(
        _ template: String, bytes: Int, _ direction: TrafficDirection = .called
    ) -> TrafficTotal {
        var sums = TrafficSums()
        sums.requests = 1
        sums.up.body = .bytes(bytes)
        return TrafficTotal(
            key: .init(method: "GET", host: "a.example", template: template, direction: direction), sums: sums)
    }

    private func names(_ totals: [TrafficTotal]) -> [String?] { totals.map(\.key.template) }

    @Test("the heaviest APIs get the places, and the others are one sum")
    func heaviest() {
        var apis = LabelledAPIs(most: 2)
        let labelled = apis.labelled([
            total("/a", bytes: 1), total("/b", bytes: 30), total("/c", bytes: 20), total("/d", bytes: 4),
        ])
        #expect(names(labelled) == ["/b", "/c", "other"])
        #expect(labelled[2].key == .init(method: "other", host: "other", template: "other"))
        #expect(labelled[2].requests == 2)
        #expect(labelled[2].up.body == .bytes(5))
    }

    @Test("an API keeps its place, and a heavier one that comes later gets none")
    func places() {
        var apis = LabelledAPIs(most: 1)
        #expect(names(apis.labelled([total("/a", bytes: 1)])) == ["/a"])
        #expect(names(apis.labelled([total("/b", bytes: 9)])) == ["other"])
        #expect(names(apis.labelled([total("/b", bytes: 9), total("/a", bytes: 1)])) == ["/a", "other"])
    }

    @Test("what was called and what was served have an 'other' each")
    func directions() {
        var apis = LabelledAPIs(most: 0)
        let labelled = apis.labelled([total("/a", bytes: 1), total("/a", bytes: 2, .served), total("/b", bytes: 4)])
        #expect(labelled.map(\.key.direction) == [.called, .served])
        #expect(labelled.map(\.up.body) == [.bytes(5), .bytes(2)])
    }

    @Test("however many APIs there are, the number of labels is bounded, and no request is missing")
    func bounded() {
        var apis = LabelledAPIs(most: 10)
        var labels: Set<TrafficTotal.Key> = []
        var requests: Int64 = 0
        for round in 0..<100 {
            for total in apis.labelled((0..<20).map { total("/\(round)/\($0)", bytes: $0) }) {
                labels.insert(total.key)
                requests += total.requests
            }
        }
        #expect(labels.count == 11)
        #expect(requests == 2_000)
    }
}
