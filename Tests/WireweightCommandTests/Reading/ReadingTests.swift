import Foundation
import Testing
import TrafficModel

/// What `report`, `exchanges` and `show` say of a file, and how they end.
@Suite("Reading a file", .enabled(if: Built.isComplete, "needs 'make build'"))
struct ReadingTests {
    private static var demo: (path: String, up: Int, down: Int) { DemoFile.made }
    private static var file: String { DemoFile.path }

    private func run(_ words: String...) throws -> Ended { try launch([Built.command] + words) }

    private func object(_ ended: Ended) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: ended.output) as? [String: Any])
    }

    @Test("report as JSON has an array named for the grouping, and totals of the same shape")
    func reportJSON() throws {
        for (grouping, plural, count) in [("api", "apis", 12), ("host", "hosts", 1), ("method", "methods", 4)] {
            let report = try object(try run("report", Self.file, "--by", grouping, "--format", "json"))
            let rows = try #require(report[plural] as? [[String: Any]])
            #expect(rows.count == count)
            let totals = try #require(report["totals"] as? [String: Any])
            #expect(totals["requests"] as? Int == 200)
            #expect(totals["up"] as? Int == Self.demo.up)
            #expect(totals["down"] as? Int == Self.demo.down)
            #expect(totals["captured"] as? Double == 1)
            for name in ["requests", "responses", "unanswered", "failures", "up", "down", "parts", "latency"] {
                #expect(rows.allSatisfy { $0[name] != nil }, "\(grouping): \(name)")
            }
            #expect(rows.reduce(0) { $0 + ($1["up"] as? Int ?? 0) } == Self.demo.up)
        }
    }

    @Test(
        "a report with a filter is the sum of the exchanges that the filter lists",
        arguments: [
            "status:400-499", "method:PUT", "-method:GET larger:1000", "has:content-encoding", "avatar",
        ])
    func filteredReports(filter: String) throws {
        let listed = try object(try run("exchanges", Self.file, "--filter", filter, "--json"))
        let rows = try #require(listed["exchanges"] as? [[String: Any]])
        #expect(!rows.isEmpty && rows.count < 200)
        func sum(_ message: String) -> Int {
            rows.reduce(0) { $0 + (($1[message] as? [String: Any])?["total"] as? Int ?? 0) }
        }
        for grouping in ["api", "host", "path", "status", "network"] {
            let report = try object(try run("report", Self.file, "-f", filter, "--by", grouping, "--json"))
            let totals = try #require(report["totals"] as? [String: Any])
            #expect(totals["requests"] as? Int == rows.count)
            #expect(totals["up"] as? Int == sum("request"))
            #expect(totals["down"] as? Int == sum("response"))
            #expect(report["filter"] as? String == filter)
            let isSum = filter == "method:PUT" && ["api", "host"].contains(grouping)
            #expect(report["countedFrom"] as? String == (isSum ? "totals" : "rows"))
            #expect((report["keptSince"] is String) != isSum)
        }
        let isPut = filter == "method:PUT"
        let origin = isPut ? "the sums of every request" : "\(rows.count) stored exchange"
        let sentence = "Filter \(filter): from \(origin)"
        #expect(try run("report", Self.file, "-f", filter).outputText.replacing("\n", with: " ").contains(sentence))
        #expect(try run("report", Self.file, "-f", filter, "--format", "markdown").outputText.contains(sentence))
        #expect(try run("report", Self.file, "-f", filter, "--format", "csv").errorText.contains(sentence))
        let audit = try object(try run("audit", Self.file, "-f", filter, "--json"))
        #expect(audit["requests"] as? Int == rows.count)
        #expect(audit["filter"] as? String == filter)
        #expect((audit["examined"] as? [String: Any])?["exchanges"] as? Int == rows.count)
    }

    @Test("reports by path, status and type add up to the same bytes")
    func detailReports() throws {
        for grouping in ["path", "status", "type", "process"] {
            let report = try object(try run("report", Self.file, "--by", grouping, "--format", "json"))
            let totals = try #require(report["totals"] as? [String: Any])
            #expect(totals["up"] as? Int == Self.demo.up)
            #expect(totals["down"] as? Int == Self.demo.down)
        }
    }

    @Test("the error for a range the wrong way round names both ends")
    func wrongRange() throws {
        let ended = try run("report", Self.file, "--since", "2026-02-01", "--until", "2026-01-01T12:00Z")
        #expect(ended.status == 64)
        let ends = ["'--since' (2026-02-01T00:00:00.000000Z)", "'--until' (2026-01-01T12:00:00.000000Z)", "swap them"]
        for text in ends { #expect(ended.errorText.contains(text), "\(ended.errorText)") }
    }

    @Test("a range counts what began in it, in every report")
    func ranges() throws {
        for grouping in ["api", "host", "path", "status", "type", "method", "process"] {
            let words = ["report", Self.file, "--by", grouping, "--format", "json"]
            let all = try object(try launch([Built.command] + words + ["--since", "1h", "--until", "2100-01-01"]))
            #expect((all["totals"] as? [String: Any])?["requests"] as? Int == 200, "\(grouping)")
            let none = try object(try launch([Built.command] + words + ["--until", "2020-01-01"]))
            #expect((none["totals"] as? [String: Any])?["requests"] as? Int == 0, "\(grouping)")
        }
    }

    @Test("the demo's figures are those of its calls")
    func figures() throws {
        let report = try object(try run("report", Self.file, "--format", "json"))
        let totals = try #require(report["totals"] as? [String: Any])
        let connections = try #require(totals["connections"] as? [String: Any])
        let phases = try #require(totals["phases"] as? [String: [String: Any]])
        let new = try #require(connections["new"] as? Int)
        let reused = try #require(connections["reused"] as? Int)
        #expect(new > 0 && new + reused == 200)
        #expect(phases["tls"]?["count"] as? Int == 0)
        #expect(phases["wait"]?["count"] as? Int ?? 0 > 150)
        let timeline = try #require(report["timeline"] as? [String: Any])
        let slots = try #require(timeline["slots"] as? [[String: Any]])
        #expect(slots.reduce(0) { $0 + ($1["requests"] as? Int ?? 0) } == 200)
        #expect(slots.reduce(0) { $0 + ($1["down"] as? Int ?? 0) } == Self.demo.down)
        let csv = try run("report", Self.file, "--format", "csv").outputText
        #expect(csv.components(separatedBy: "\r\n").count == 12 + 2)
        let markdown = try run("report", Self.file, "--format", "markdown", "--show", "latency").outputText
        // Titles, rule, APIs, totals, how much was captured, and what went beside the messages.
        #expect(markdown.split(separator: "\n").count == 2 + 12 + 1 + 2)
    }

    @Test("a report as a page has the sums of the report, and only of what matches")
    func page() throws {
        let page = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).html").path
        defer { try? FileManager.default.removeItem(atPath: page) }
        func text(_ words: String...) throws -> String {
            #expect(try launch([Built.command, "report", Self.file, "--html", page] + words).status == 0)
            return try String(contentsOfFile: page, encoding: .utf8)
        }
        #expect(try text().contains("<dt>Requests</dt><dd class=\"\">200</dd>"))
        let filtered = try object(try run("report", Self.file, "-f", "method:POST", "--json"))
        let posts = try #require((filtered["totals"] as? [String: Any])?["requests"] as? Int)
        #expect(posts > 0 && posts < 200)
        #expect(try text("-f", "method:POST").contains("<dt>Requests</dt><dd class=\"\">\(posts)</dd>"))
        let refused = try launch([Built.command, "report", Self.file, "--html", Self.file])
        #expect(refused.status == 64 && refused.errorText.contains("name another one"))
        #expect(try run("report", Self.file, "--html", page, "--json").status == 64)
    }

    @Test("the limit leaves rows out and their sum in")
    func limit() throws {
        let report = try object(try run("report", Self.file, "--limit", "2", "--sort", "requests", "--format", "json"))
        #expect((report["apis"] as? [Any])?.count == 2)
        #expect((report["totals"] as? [String: Any])?["requests"] as? Int == 200)
        #expect((report["more"] as? [String: Any])?["rows"] as? Int == 10)
    }

    @Test("each line of NDJSON is an exchange with all that is promised")
    func ndjson() throws {
        let lines = try run("exchanges", Self.file, "--format", "ndjson").outputText.split(separator: "\n")
        #expect(lines.count == 200)
        let promised = [
            "exchange", "task", "resendCount", "pid", "process", "startedAt", "method", "url", "host", "path",
            "template",
            "httpVersion", "request", "response", "outcome", "error", "timings", "connection", "reused",
            "remoteAddress",
        ]
        let parts = ["startLine", "fields", "cookies", "interim", "body", "framing", "total", "evidence"]
        var up = 0
        for line in lines {
            let exchange = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(promised.allSatisfy { exchange[$0] != nil })
            let request = try #require(exchange["request"] as? [String: Any])
            #expect(parts.allSatisfy { request[$0] != nil })
            up += request["total"] as? Int ?? 0
        }
        #expect(up == Self.demo.up)
    }

    @Test("filters combine")
    func filters() throws {
        func count(_ words: String...) throws -> Int {
            try launch([Built.command, "exchanges", Self.file, "--format", "ndjson"] + words).outputText
                .split(separator: "\n").count
        }
        #expect(try count("--status", "5xx") == 2)
        #expect(try count("--status", "404") == 4)
        #expect(try count("--method", "PUT", "--api", "/users/{id}/avatar") == 12)
        #expect(try count("--host", "nowhere.example") == 0)
        #expect(try count("--limit", "7") == 7)
        #expect(try count("--failed") == 12)
    }

    @Test("show prints one exchange part by part")
    func show() throws {
        let text = try run("show", Self.file, "1").outputText
        for part in ["start line", "headers", "of which cookies", "interim responses", "body", "framing", "total"] {
            #expect(text.contains(part))
        }
        let json = try object(try run("show", Self.file, "1", "--format", "json"))
        #expect(json["exchange"] as? Int == 1)
    }

    @Test("wrong words end with 64, a wrong file with 65, and say what is wrong")
    func failures() throws {
        let text = Self.file + ".txt"
        try Data("no database\n".utf8).write(to: URL(fileURLWithPath: text))
        defer { try? FileManager.default.removeItem(atPath: text) }
        for words in [
            ["report", Self.file, "--by", "colour"], ["report", Self.file, "--limit", "0"],
            ["report", Self.file, "--since", "2026-02-01", "--until", "2026-01-01"],
            ["report", Self.file, "--since", "1h", "--until", "2h"],
            ["report", Self.file, "--since", "2026-02-01", "--until", "2026-02-01"],
            ["report", Self.file, "--since", "yesterday"], ["report", Self.file, "--sort", "colour"],
            ["report", Self.file, "--show", "colour"], ["report", Self.file, "--format", "xml"],
            ["exchanges", Self.file, "--since", "2026-02-01", "--until", "2026-01-01"],
            ["run"], ["run", "--jsn", "--", "true"], ["exchanges", Self.file, "--status", "abc"],
            ["exchanges", Self.file, "--slower", "soon"],
        ] {
            let ended = try launch([Built.command] + words)
            #expect(ended.status == 64, "\(words): \(ended)")
            #expect(!ended.errors.isEmpty && ended.output.isEmpty, "\(words)")
        }
        for words in [["report", text], ["show", Self.file + ".none", "1"], ["show", Self.file, "99999"]] {
            let ended = try launch([Built.command] + words)
            #expect(ended.status == 65, "\(words): \(ended)")
            #expect(ended.errorText.hasPrefix("error: "), "\(words)")
        }
    }

    @Test(
        "each command has help with an example and a page that exists",
        arguments: [
            "run", "proxy", "import", "demo", "report", "exchanges", "show", "connections", "audit", "inspect", "diff",
            "budget", "budget record", "budget check", "verify", "export", "ship", "fleet", "fleet schema",
            "fleet check", "doctor",
        ])
    func help(command: String) throws {
        let ended = try launch([Built.command] + command.split(separator: " ").map(String.init) + ["--help"])
        #expect(ended.status == 0)
        #expect(ended.outputText.contains("Example: wireweight "))
        let more = try #require(ended.outputText.firstMatch(of: #/\n *More: (docs/[a-z]+\.md)\n/#))
        var project = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { project.deleteLastPathComponent() }
        #expect(FileManager.default.fileExists(atPath: project.appendingPathComponent(String(more.1)).path))
    }

    @Test("the help of ship names what is shared, and what is unless something else is said")
    func shares() throws {
        let help = try launch([Built.command, "ship", "--help"]).outputText
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("(values: templates, paths, queries, headers, all; default: templates)"))
    }

    @Test("the demo proves its sum and says so as JSON")
    func demo() throws {
        let ended = try run("demo", "--once", "--json")
        #expect(ended.status == 0)
        let outcome = try object(ended)
        #expect(outcome["exchanges"] as? Int == 200)
        #expect(outcome["apis"] as? Int == 12)
        #expect(outcome["difference"] as? Int == 0)
        let metered = try #require(outcome["metered"] as? [String: Int])
        let origin = try #require(outcome["origin"] as? [String: Int])
        #expect(metered == origin)
        #expect(metered["up"] ?? 0 > 400_000)
    }
}
