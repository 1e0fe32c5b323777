import Foundation
import Testing

/// The command over a file of the demo's.
@Suite("wireweight audit", .enabled(if: Built.isComplete, "needs 'make build'"))
struct AuditCommandTests {
    private static var file: String { DemoFile.path }

    private func audit(_ words: String...) throws -> Ended { try launch([Built.command, "audit"] + words) }

    private func object(_ words: String...) throws -> [String: Any] {
        let ended = try launch([Built.command, "audit", Self.file, "--format", "json"] + words)
        #expect(ended.status == 0, "\(ended)")
        return try #require(try JSONSerialization.jsonObject(with: ended.output) as? [String: Any])
    }

    private func findings(_ object: [String: Any]) -> [[String: Any]] { object["findings"] as? [[String: Any]] ?? [] }

    @Test("the demo has findings, each with its exchanges, which the file has")
    func evidence() throws {
        let found = findings(try object())
        #expect(found.count >= 7)
        for finding in found {
            let first = try #require((finding["evidence"] as? [Int])?.first)
            let shown = try launch([Built.command, "show", Self.file, "\(first)", "--format", "json"])
            let exchange = try #require(try JSONSerialization.jsonObject(with: shown.output) as? [String: Any])
            #expect(exchange["template"] as? String == finding["template"] as? String)
        }
    }

    @Test("there are no signs of tampering in the browsers' exports or in the demo")
    func falseAlarms() throws {
        func alarms(_ file: String) throws -> (alarms: Int, exchanges: Int) {
            let ended = try launch([Built.command, "audit", file, "--format", "json"])
            let object = try #require(try JSONSerialization.jsonObject(with: ended.output) as? [String: Any])
            let exchanges = (object["examined"] as? [String: Any])?["exchanges"] as? Int ?? 0
            return (findings(object).count { $0["alarm"] as? Bool == true }, exchanges)
        }
        let archives = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("BrowserHARs")
        try withFolder { folder in
            var files = [("the demo", Self.file)]
            for name in ["chromium", "firefox"] {
                let store = folder.appendingPathComponent(name).path
                let archive = archives.appendingPathComponent("\(name).har").path
                let ended = try launch(
                    [Built.command, "import", archive, "--db", store, "--keep-bodies", "1000000"])
                #expect(ended.status == 0, "\(ended)")
                files.append(("\(name).har", store))
            }
            for (name, file) in files {
                let (alarms, exchanges) = try alarms(file)
                print("\(name): \(alarms) warnings of tampering in \(exchanges) exchanges")
                #expect(exchanges > 0)
                #expect(alarms == 0)
            }
        }
    }

    @Test("options narrow what is looked at and shown")
    func options() throws {
        #expect(findings(try object("--limit", "2")).count == 2)
        #expect((try object("--limit", "2")["more"] as? Int ?? 0) > 0)
        #expect((try object("--examine", "50")["examined"] as? [String: Any])?["exchanges"] as? Int == 50)
        #expect(findings(try object("--host", "nowhere.example")).isEmpty)
        #expect(try object("--host", "nowhere.example")["requests"] as? Int == 0)
        #expect(findings(try object("--until", "2001-01-01")).isEmpty)
        let bytes = findings(try object("--sort", "bytes")).compactMap { ($0["saving"] as? [String: Double])?["bytes"] }
        #expect(bytes == bytes.sorted(by: >))
    }

    @Test("for people, and for a pull request")
    func formats() throws {
        let table = try audit(Self.file).outputText
        #expect(table.contains("Do: ") && table.contains("See exchanges: "))
        #expect(try audit(Self.file, "--format", "markdown").outputText.hasPrefix("| # | Saves |"))
        let csv = try audit(Self.file, "--format", "csv")
        #expect(csv.outputText.hasPrefix("rule,alarm,method,"))
        #expect(csv.outputText.split(separator: "\r\n").count == 1 + findings(try object()).count)
        #expect(csv.errorText.contains("do not add them up"))
    }

    @Test("wrong words end with 64, a wrong file with 65, and say what is wrong")
    func failures() throws {
        for words in [
            ["--since", "2026-02-01", "--until", "2026-01-01"], ["--examine", "0"], ["--limit", "0"],
            ["--sort", "colour"], ["--format", "xml"],
        ] {
            let ended = try launch([Built.command, "audit", Self.file] + words)
            #expect(ended.status == 64, "\(words): \(ended)")
            #expect(!ended.errors.isEmpty && ended.output.isEmpty, "\(words)")
        }
        let missing = try audit(Self.file + ".none")
        #expect(missing.status == 65)
        #expect(missing.errorText.hasPrefix("error: "))
    }
}
