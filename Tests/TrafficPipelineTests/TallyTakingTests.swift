import Testing
import TrafficModel
import URLTemplates

@testable import TrafficPipeline

/// The sums since the last look.
@Suite struct TallyTakingTests {
    private func record(_ template: String, _ id: Int64, in tally: TrafficTally) {
        var request = makeRequest(id, host: "api.test", path: template)
        request.template = template
        tally.record(.request(request))
        tally.record(.response(makeResponse(id)))
        tally.record(.end(makeEnd(id)))
    }

    @Test func eachExchangeIsTakenOnce() {
        let tally = TrafficTally()
        record("/a", 1, in: tally)
        record("/a", 2, in: tally)
        #expect(tally.takeTotals().map(\.requests) == [2])
        #expect(tally.takeTotals().isEmpty)
        record("/a", 3, in: tally)
        record("/b", 4, in: tally)
        #expect(tally.takeTotals().map(\.key.template) == ["/a", "/b"])
    }

    @Test func learnedTemplatesStayAndNothingIsCountedTwice() {
        let tally = TrafficTally()
        let count = Int64(TemplateLimits().words) + 10
        var taken: [TrafficTotal] = []
        for id in 1...count {
            record("/people/name\(Character(Unicode.Scalar(UInt8(96 + id % 26 + 1))))\(id)x", id, in: tally)
            taken += tally.takeTotals()
        }
        #expect(taken.reduce(0) { $0 + $1.requests } == count)
        record("/people/somebody", count + 1, in: tally)
        let last = tally.takeTotals().map(\.key.template)
        #expect(last.count == 1 && last[0]?.hasPrefix("/people/{") == true)
    }

    @Test func aHostHasAsManyTemplatesAsTheLimitsSay() {
        let tally = TrafficTally(templates: TemplateLimits(templates: 2))
        for id in Int64(1)...4 { record(["/a", "/b", "/c", "/d"][Int(id) - 1], id, in: tally) }
        #expect(tally.takeTotals().contains { $0.key.template == TemplateLimits.overflow })
    }
}
