import Foundation
import Testing
import WireweightTesting

/// `wireweight run --template …`, and what is learned of many paths.
@Suite("run names APIs", .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct TemplateRunTests {
    /// The APIs with how many requests each has, of a summary or a report.
    private func apis(_ report: [String: Any]) -> [String: Int] {
        let rows = report["apis"] as? [[String: Any]] ?? []
        return Dictionary(
            rows.map { ($0["template"] as? String ?? "", $0["requests"] as? Int ?? 0) }, uniquingKeysWith: +)
    }

    @Test("learned and given templates are the same in the summary and in the file")
    func learnedAndGiven() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let (store, summary) = (folder.appendingPathComponent("db").path, folder.appendingPathComponent("sum").path)
            let names = (0..<40).map { number in
                "hello/name" + String(String(number).map { Character(UnicodeScalar($0.asciiValue! + 49)) })
            }
            let paths =
                names + [
                    "hello/me", "shops/a/items/1", "shops/b/items/2", "shops/b/items/list",
                    "hello?operationName=Feed&variables=%7B%7D",
                ]
            let ended = try launch(
                [
                    Built.command, "run", "--db", store, "--json", "--output", summary,
                    "--template", "/shops/{shop}/items/{item}", "--template", "/nobody/{x}", "--", "curl", "-qsS", "-g",
                ] + paths.map { "\(origin.address)/\($0)" })
            #expect(ended.status == 0, "\(ended)")
            let expected = [
                "/hello/{hello}": 40, "/hello/me": 1, "/shops/{shop}/items/{item}": 3, "/hello?operationName=Feed": 1,
            ]
            let text = try Data(contentsOf: URL(fileURLWithPath: summary))
            let told = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
            #expect(apis(told) == expected)
            let report = try launch([Built.command, "report", store, "--format", "json"])
            let read = try #require(try JSONSerialization.jsonObject(with: report.output) as? [String: Any])
            #expect(apis(read) == expected)
            let found = try launch(
                [Built.command, "exchanges", store, "--api", "/shops/{shop}/items/{item}", "--format", "ndjson"])
            #expect(found.outputText.split(separator: "\n").count == 3)
        }
    }

    @Test("a template that is none is refused with what to write, and nothing is run")
    func refused() throws {
        for template in ["shops/{shop}", "/shops/{shop", "/x?y"] {
            let ended = try launch([Built.command, "run", "--template", template, "--", "echo", "ran"])
            #expect(ended.status == 64)
            #expect(!ended.outputText.contains("ran"))
            #expect(ended.errorText.contains("'--template': '\(template)' is no template"), "\(ended)")
            #expect(ended.errorText.contains("write it like '/shops/{shop}/items/{item}'"))
        }
        let help = try launch([Built.command, "run", "--help"])
        #expect(help.outputText.contains("--template"))
    }
}
