import TestSupport
import Testing
import TextFormats
import TrafficModel
import URLTemplates

@testable import TrafficReports

@Suite struct OverflowTests {
    private let store = FakeStore(groups: [
        .api: [
            total(api("GET", "a.test", "/x"), requests: 10, up: parts(fields: 100), down: parts(body: 1_000)),
            total(
                api("GET", "b.test", TemplateLimits.overflow), requests: 7, up: parts(fields: 70), down: parts(body: 7)),
            total(api("GET", "a.test", TemplateLimits.overflow), requests: 20, up: parts(fields: 20), down: parts()),
            total(
                api("PUT", "a.test", TemplateLimits.overflow), requests: 3, up: parts(fields: 30), down: parts(body: 5)),
        ]
    ])

    @Test func pathsWithoutATemplateAreShownInTheTableAndInJSON() throws {
        // Also where the limit leaves their rows out.
        let report = try TrafficReport(of: store, by: .api, limit: 1)
        var style = TextStyle()
        style.width = 400
        let table = report.table(style)
        #expect(
            table.contains(
                "30 requests are counted as (other paths): a.test and 1 more has more APIs than it may have templates.")
        )
        #expect(table.contains("--template '/shops/{shop}/items/{item}'"))
        let expected = """
            "overflow":{"template":"(other paths)","requests":30,"hosts":[\
            {"host":"a.test","requests":23,"up":50,"down":5},{"host":"b.test","requests":7,"up":70,"down":7}]}
            """
        #expect(JSONValue.object(report.members).compact.contains(expected))
        #expect(try TrafficReport(of: store, by: .api).table(style).contains("(other paths) "))
    }

    @Test func nothingIsSaidWhereAllHaveOne() throws {
        let report = try TrafficReport(of: threeAPIs, by: .api)
        #expect(!report.table().contains(TemplateLimits.overflow))
        #expect(JSONValue.object(report.members).compact.contains("\"overflow\":null"))
    }
}
