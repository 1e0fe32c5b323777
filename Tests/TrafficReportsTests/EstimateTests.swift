import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

@Suite("Reports on estimates") struct EstimateTests {
    private static func store(isEstimated: Bool) -> FakeStore {
        func path(_ name: String, _ requests: Int64, _ variance: Double) -> TrafficTotal {
            var path = total(
                TrafficTotal.Key(method: "GET", host: "a.example", path: name), requests: requests,
                up: parts(fields: 100 * requests), down: parts(body: 900 * requests))
            if isEstimated {
                path.error = SamplingError(
                    counted: requests / 100, requestVariance: variance, byteVariance: 1e6 * variance)
            }
            return path
        }
        return FakeStore(groups: [
            .path: [path("/a", 40_000, 360_000), path("/b", 30_000, 640_000)],
            .method: [total(TrafficTotal.Key(method: "GET"), requests: 70_100, up: parts(), down: parts())],
        ])
    }

    private let report: TrafficReport
    private let counted: TrafficReport

    init() throws {
        report = try TrafficReport(of: Self.store(isEstimated: true), by: .path)
        counted = try TrafficReport(of: Self.store(isEstimated: false), by: .path)
    }

    @Test("A table has the deviations, and says what they are; sums of everything have none")
    func table() {
        let table = report.table()
        #expect(table.contains("40,000 ± 600") && table.contains("40.0 MB ± 600.0 KB"))
        #expect(table.contains("70,000 ± 1,000"))
        #expect(report.markdown().contains("| 40,000 ± 600 |"))
        let note = report.notes(in: .utc).last ?? ""
        #expect(note.hasPrefix("Estimated from the 700 requests that were sent one by one"))
        #expect(!counted.table().contains("±"))
        #expect(counted.notes(in: .utc).last?.hasPrefix("Rows of 100 more requests") == true)
    }

    @Test(
        "Installations that sent sums alone are counted below the rows, and not below sums of everything",
        arguments: [
            (1, "1 of 12 installations sent no details of this time, so its requests are not in these sums."),
            (11, "11 of 12 installations sent no details of this time, so their requests are not in these sums."),
            (12, "No installation sent details of this time; reports by API, host and the like count all requests."),
        ]) func sumsAlone(count: Int64, sentence: String) throws
    {
        var store = Self.store(isEstimated: true)
        store.details = DetailCoverage(installations: 12, withoutDetails: count)
        let report = try TrafficReport(of: store, by: .path)
        #expect(report.table(TextStyle(width: 400)).contains(sentence) && report.markdown().contains(sentence))
        #expect(!report.completeness.isExact)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        let totals = try #require(json["totals"] as? [String: Any])
        #expect(totals["details"] as? [String: Int64] == ["installations": 12, "without": count])
        store.groups[.path] = []
        #expect(try TrafficReport(of: store, by: .path).table(TextStyle(width: 400)).contains(sentence))
        for whole in [try TrafficReport(of: store, by: .method), self.report] {
            #expect(!whole.table().contains("sent no details") && !whole.json.contains("\"without\""))
        }
        store.details?.withoutDetails = 0
        #expect(try !TrafficReport(of: store, by: .path).json.contains("\"without\""))
    }

    @Test("JSON has a member for it, and CSV three columns")
    func machineFormats() throws {
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        let rows = try #require(json["paths"] as? [[String: Any]])
        #expect(
            rows[0]["estimated"] as? [String: Int] == ["counted": 400, "requestsError": 600, "bytesError": 600_000])
        let totals = try #require(json["totals"] as? [String: Any])
        #expect(
            totals["estimated"] as? [String: Int]
                == ["counted": 700, "requestsError": 1_000, "bytesError": 1_000_000])
        let lines = report.csv.components(separatedBy: "\r\n")
        #expect(lines[0].hasSuffix(",counted,requestsError,bytesError") && lines[1].hasSuffix(",400,600,600000"))
        #expect(!counted.json.contains("requestsError"))
        #expect(!counted.csv.contains("requestsError"))
    }
}
