import Testing
import TrafficModel

@testable import FleetReading

@Suite("Templates that were merged") struct ShownTemplatesTests {
    private func key(_ template: String) -> TrafficTotal.Key {
        TrafficTotal.Key(method: "GET", host: "a.test", template: template)
    }

    @Test("are followed to the last one, and a circle ends")
    func chains() {
        let shown = ShownTemplates.resolved([
            key("/a/1"): "/a/{id}", key("/a/{id}"): "/{name}/{id}", key("/b"): "/b", key("/c"): "/d", key("/d"): "/c",
        ])
        #expect(shown[key("/a/1")] == "/{name}/{id}")
        #expect(shown[key("/a/{id}")] == "/{name}/{id}")
        #expect(shown[key("/b")] == "/b")
        #expect(shown[key("/c")] != nil && shown.count == 5)
    }
}
