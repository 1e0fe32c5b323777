import Foundation
import TestSupport
import TextFormats
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficInspector

/// A report as one HTML file.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(2))) struct SavedPageTests {
    private func shown() async throws -> Shown {
        let shown = try await Shown()
        for id in Int64(1)...20 {
            try shown.writer.write(
                Sample.events(
                    id, path: id % 2 == 0 ? "/even" : "/odd", host: "api.test", status: id == 5 ? 404 : 200,
                    body: 1_000 * id))
        }
        return shown
    }

    @Test func theFileHasTheSumsOfTheStoreAndNeedsNothingElse() async throws {
        let shown = try await shown()
        let sums = try await shown.ask("/api/v1/apis").object["totals"] as? [String: Any]
        let total = ByteCount(Int64(try #require(sums?["total"] as? Int)))
        let reply = try await shown.ask("/api/v1/report")
        #expect(reply.head.contains("filename=\"traffic.html\""))
        #expect(reply.body.contains("<dt>Total</dt><dd class=\"\">\(Units.bytes(total))</dd>"))
        #expect(reply.body.contains("<dt>Failed</dt><dd class=\"bad\">1<small>5.0 %</small></dd>"))
        // The heaviest API first, and the slowest request first.
        let even = try #require(reply.body.firstRange(of: "<b>GET</b>/even"))
        let odd = try #require(reply.body.firstRange(of: "<b>GET</b>/odd"))
        #expect(even.lowerBound < odd.lowerBound)
        let slowest = try #require(reply.body.firstRange(of: "The slowest requests"))
        let first = try #require(reply.body[slowest.upperBound...].firstRange(of: "<b>GET</b>http://api.test/"))
        #expect(reply.body[first.upperBound...].hasPrefix("even"))
        for word in ["<script", "src=", "href=", "url(", "@import"] { #expect(!reply.body.contains(word)) }
    }

    @Test(arguments: [("path=/odd", "10"), ("status=404", "1"), ("text=-path:/odd", "10"), ("", "20")])
    func aFilterSelectsWhatIsSummed(query: String, requests: String) async throws {
        let reply = try await shown().ask("/api/v1/report?\(query)")
        #expect(reply.body.contains("<dt>Requests</dt><dd class=\"\">\(requests)</dd>"))
    }

    @Test func capturedTextIsNeverMarkup() async throws {
        let shown = try await Shown()
        try shown.writer.write(
            Sample.events(1, path: "/<script>alert(1)</script>\"'&\u{202E}", host: "<b>.test", status: 200, body: 10))
        let body = try await shown.ask("/api/v1/report").body
        #expect(!body.contains("<script") && !body.contains("<b>.test") && !body.contains("\u{202E}"))
        #expect(body.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;"))
    }

    @Test func anEmptyStoreIsAReport() async throws {
        let body = try await Shown().ask("/api/v1/report").body
        #expect(body.contains("<dt>Requests</dt><dd class=\"\">0</dd>") && body.hasSuffix("</main></body></html>\n"))
    }

    @Test func areasHaveTheSharesOfTheirSizesAndStayInside() {
        let box = SquareAreas.Box(x: 10, y: 20, width: 300, height: 200)
        let sizes = [50.0, 30, 10, 5, 4, 1]
        let boxes = SquareAreas.boxes(of: sizes, in: box)
        for (size, area) in zip(sizes, boxes) {
            #expect(abs(area.width * area.height - size / 100 * 60_000) < 0.001)
            #expect(area.x >= 10 && area.y >= 20 && area.x + area.width < 310.001 && area.y + area.height < 220.001)
        }
        #expect(SquareAreas.boxes(of: [0, 0], in: box).allSatisfy { $0.width == 0 })
    }
}
