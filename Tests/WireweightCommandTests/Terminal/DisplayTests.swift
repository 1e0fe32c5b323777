import Foundation
import Testing
import WireweightTesting

@testable import WireweightCommand

/// The options for formats, columns, times and colours, which all commands have alike.
@Suite("What tables look like", .enabled(if: Built.isComplete, "needs 'make build'"))
struct DisplayTests {
    private static var file: String { DemoFile.path }

    private func run(_ words: [String], _ environment: [String: String?] = [:]) throws -> Ended {
        var changes: [String: String?] = ["TZ": "UTC", "COLUMNS": nil, "NO_COLOR": nil, "CLICOLOR_FORCE": nil]
        changes.merge(environment) { $1 }
        return try launch([Built.command] + words, environment: changes)
    }

    @Test(
        "--json is the same as --format json",
        arguments: [
            ["report"], ["audit"], ["exchanges"], ["connections"], ["show", "1"], ["diff"],
        ])
    func jsonFlag(words: [String]) throws {
        var words = words
        words.insert(Self.file, at: 1)
        if words[0] == "diff" { words.append(Self.file) }
        let short = try run(words + ["--json"])
        #expect(short.status == 0)
        _ = try JSONSerialization.jsonObject(with: short.output)
        #expect(try run(words + ["--format", "json"]).output == short.output)
        let both = try run(words + ["--format", words[0] == "show" ? "text" : "table", "--json"])
        #expect(both.status == 64)
        #expect(both.errorText.contains("contradict each other; leave one out"))
    }

    @Test("exchanges has the same rows in each format")
    func exchangeFormats() throws {
        let words = ["exchanges", Self.file, "--limit", "7"]
        let object = try #require(
            try JSONSerialization.jsonObject(with: run(words + ["--json"]).output) as? [String: [[String: Any]]])
        #expect(object["exchanges"]?.count == 7)
        #expect(try run(words + ["--format", "csv"]).outputText.components(separatedBy: "\r\n").count == 1 + 7 + 1)
        let markdown = try run(words + ["--format", "markdown"]).outputText.split(separator: "\n")
        #expect(markdown.count == 2 + 7)
        #expect(markdown[0].hasPrefix("| Exchange | Time (UTC) | Method |"))
        let none = try run(["exchanges", Self.file, "--host", "none.example", "--json"])
        #expect(none.outputText == "{\"exchanges\": []}\n")
    }

    @Test("a misspelled option gets the nearest one, and another one none")
    func misspelled() throws {
        let near = try run(["report", "--jsn"])
        #expect(near.status == 64)
        #expect(near.errorText.hasPrefix("error: there is no option '--jsn'; did you mean '--json'?\nUsage: "))
        let swapped = try run(["report", "--jsno"])
        #expect(swapped.errorText.hasPrefix("error: there is no option '--jsno'; did you mean '--json'?\nUsage: "))
        let far = try run(["report", "--zyx"])
        #expect(far.errorText.hasPrefix("error: there is no option '--zyx'\nUsage: "))
        #expect(
            Spelling.corrected("Unknown option '--jason'. Did you mean '--sort'?") == "there is no option '--jason'")
    }

    @Test(
        "a misspelled key of a filter gets the nearest one, and another word all of them",
        arguments: [
            ("stats:4xx", "'stats'; did you mean 'status'? Put"),
            ("x Methd:GET", "'Methd'; did you mean 'method'? Put"),
            ("zyx:1", "'zyx'; choose from host, status, "),
        ])
    func misspelledKey(filter: String, advice: String) throws {
        let ended = try run(["exchanges", Self.file, "--filter", filter])
        #expect(ended.status == 64)
        let place = filter.hasPrefix("x ") ? 3 : 1
        #expect(
            ended.errorText.hasPrefix("error: the filter is wrong at character \(place): there is no key \(advice)"))
    }

    @Test("--columns chooses columns and their order; a wrong name lists all")
    func columns() throws {
        let table = try run(["exchanges", Self.file, "--limit", "1", "--columns", "url,status,time"]).outputText
        #expect(table.hasPrefix("URL "))
        let titles = table.split(separator: "\n")[0].split(separator: " ").joined(separator: " ")
        #expect(titles == "URL Status Time (UTC)")
        let report = try run(["report", Self.file, "--by", "host", "--columns", "p95,wait-p50,up"]).outputText
        #expect(report.split(separator: "\n")[0].split(separator: " ") == ["Host", "p95", "Wait", "p50", "Up"])
        let ledger = try run(["connections", Self.file, "--limit", "1", "--columns", "payload,tls"]).outputText
        #expect(ledger.split(separator: "\n")[0].split(separator: " ") == ["Payload", "TLS"])
        for command in ["report", "exchanges", "connections"] {
            let wrong = try run([command, Self.file, "--columns", "colour"])
            #expect(wrong.status == 64)
            #expect(wrong.errorText.hasPrefix("error: there is no column 'colour'; there are: "), "\(command)")
        }
        let near = try run(["report", Self.file, "--columns", "totl"])
        #expect(near.errorText.hasPrefix("error: there is no column 'totl'; did you mean 'total'?\n"))
    }

    @Test("--columns may name what names a row, and puts it where it is named")
    func keyColumns() throws {
        func titles(_ words: [String]) throws -> [Substring] {
            try #require(run(words).outputText.split(separator: "\n").first).split(separator: " ")
        }
        let report = try titles(["report", Self.file, "--columns", "total,host,api"])
        #expect(report == ["Method", "Total", "Host", "API"])
        let diff = try titles(["diff", Self.file, Self.file, "--columns", "up,host"])
        #expect(diff == ["Method", "API", "Up", "Host"])
        #expect(try run(["report", Self.file, "--by", "type", "--columns", "host"]).status == 64)
        #expect(
            try run(["report", Self.file, "--format", "markdown", "--columns", "host,up"]).outputText
                .hasPrefix("| Method | Host | API | Up |\n"))
    }

    @Test("a list of columns names those once that differ only in their percentile")
    func columnList() {
        let names = ["up", "p95", "dns-p50", "dns-p90", "dns-p95", "dns-p99", "call-p95"]
        #expect(ColumnOptions.list(of: names) == "up, p95, dns-p50 (p90, p95, p99), call-p95")
    }

    @Test("columns that do not fit are named below the table, none where all fit")
    func hiddenColumns() throws {
        for command in ["report", "exchanges", "connections"] {
            let narrow = try run([command, Self.file], ["COLUMNS": "80"]).outputText
            #expect(narrow.contains("\nNot shown at 80 columns: "), "\(command)")
            #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(command)")
            #expect(try !run([command, Self.file], ["COLUMNS": "400"]).outputText.contains("Not shown"), "\(command)")
        }
    }

    @Test("times are local with their zone, --utc and machine formats have UTC")
    func localTimes() throws {
        let there: [String: String?] = ["TZ": "XST-05:30", "COLUMNS": "400"]
        let words = ["exchanges", Self.file, "--limit", "1", "--columns", "time"]
        let local = try run(words, there).outputText.split(separator: "\n")
        let utc = try run(words + ["--utc"], there).outputText.split(separator: "\n")
        #expect(local[0] == "Time (XST)")
        #expect(utc[0] == "Time (UTC)")
        func minutes(_ text: Substring) throws -> Int {
            let parts = text.split(separator: ":").compactMap { Int($0.prefix(2)) }
            try #require(parts.count == 3)
            return parts[0] * 60 + parts[1]
        }
        #expect((try minutes(local[1]) - minutes(utc[1]) + 1440) % 1440 == 330)
        #expect(try run(["report", Self.file], there).outputText.contains("Last seen (XST)"))
        #expect(try run(["connections", Self.file], there).outputText.contains("Opened (XST)"))
        #expect(try run(["show", Self.file, "1"], there).outputText.contains(" XST\n"))
        for format in [["report", "--json"], ["exchanges", "--json"], ["connections", "--format", "csv"]] {
            let words = [format[0], Self.file] + format.dropFirst()
            #expect(try run(words, there).output == run(words).output, "\(format)")
        }
    }

    @Test("a time without a zone is local time, as the tables show it")
    func localRange() throws {
        let words = ["report", Self.file, "--json"]
        let report = try run(words + ["--since", "2026-02-01T12:00"], ["TZ": "XST-05:30"]).outputText
        #expect(report.contains("\"since\": \"2026-02-01T06:30:00.000000Z\""))
        let utc = try run(words + ["--utc", "--since", "2026-02-01T12:00"], ["TZ": "XST-05:30"]).outputText
        #expect(utc.contains("\"since\": \"2026-02-01T12:00:00.000000Z\""))
        let named = try run(words + ["--since", "2026-02-01T12:00Z"], ["TZ": "XST-05:30"]).outputText
        #expect(named.contains("\"since\": \"2026-02-01T12:00:00.000000Z\""))
    }

    @Test(
        "colours follow --color, then NO_COLOR, then CLICOLOR_FORCE",
        arguments: [
            ([], [:], false), (["--color", "always"], [:], true), ([], ["CLICOLOR_FORCE": "1"], true),
            ([], ["CLICOLOR_FORCE": "0"], false), ([], ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
            (["--color", "never"], ["CLICOLOR_FORCE": "1"], false),
            (["--color", "always"], ["NO_COLOR": "1"], true),
        ] as [([String], [String: String], Bool)])
    func colours(words: [String], environment: [String: String], isColoured: Bool) throws {
        let text = try run(["report", Self.file] + words, environment).outputText
        #expect(text.contains("\u{1B}[1m") == isColoured)
    }

    @Test("the summary of 'run' has them, too", .enabled(if: Built.has("curl"), "needs curl"))
    func coloursOfRun() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let curl = ["--", "curl", "-s", "\(origin.address)/item/1"]
        for (color, isColoured) in [("always", true), ("never", false)] {
            let ended = try run(["run", "--no-keep", "--color", color, "--utc"] + curl, ["CLICOLOR_FORCE": "1"])
            #expect(ended.status == 0)
            #expect(ended.errorText.contains("\u{1B}[1m") == isColoured, "\(color)")
        }
    }

    @Test("'help' of a command that does not exist is an error", arguments: [("nosuch", ""), ("reprt", "report")])
    func unknownHelp(word: String, near: String) throws {
        let ended = try run(["help", word])
        #expect(ended.status == 64 && ended.output.isEmpty)
        let end = near.isEmpty ? "'wireweight run -- \(word)' meters a program\n" : "; did you mean '\(near)'?\n"
        #expect(ended.errorText.hasPrefix("error: there is no command '\(word)'") && ended.errorText.hasSuffix(end))
        #expect(try run(["help", "report"]).outputText.contains("USAGE: wireweight report"))
    }

    @Test(
        "bash completes the files of arguments and options", .enabled(if: Built.has("bash"), "needs bash"),
        arguments: [["report"], ["diff", "a.db"], ["run", "--db"], ["export", "--output"], ["verify", "--capture"]])
    func fileCompletion(words: [String]) throws {
        try withFolder { folder in
            try Data().write(to: folder.appendingPathComponent("traffic.db"))
            let list = (["wireweight"] + words + ["traf"]).joined(separator: " ")
            let script = """
                cd '\(folder.path)'; eval "$('\(Built.command)' completions bash)"
                COMP_WORDS=(\(list)); COMP_CWORD=\(words.count + 1); COMP_LINE='\(list)'; COMP_POINT=\(list.count)
                _wireweight wireweight traf \(words.last ?? ""); echo "${COMPREPLY[@]}"
                """
            #expect(try launch(["bash", "--norc", "-c", script]).outputText == "traffic.db\n")
        }
    }

    @Test(
        "bash completes exchanges, APIs and hosts of the file", .enabled(if: Built.has("bash"), "needs bash"),
        arguments: [
            (["show", "FILE", "19"], "199"), (["exchanges", "FILE", "--api", "PUT"], "PUT /users/{id}/avatar"),
            (["exchanges", "FILE", "--host", "127"], "127.0.0.1:"), (["show", "FIL"], "FILE"),
        ])
    func storeCompletion(words: [String], expected: String) throws {
        try withFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.appendingPathComponent("FILE.db").path, withDestinationPath: Self.file)
            let words = ["wireweight"] + words.map { $0 == "FILE" ? "FILE.db" : $0 }
            let list = words.joined(separator: " ")
            let script = """
                cd '\(folder.path)'; eval "$('\(Built.command)' completions bash)"
                COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); COMP_LINE='\(list)'; COMP_POINT=\(list.count)
                _wireweight wireweight '\(words[words.count - 1])' '\(words[words.count - 2])'; echo "${COMPREPLY[0]}"
                """
            try FileManager.default.createSymbolicLink(
                atPath: folder.appendingPathComponent("wireweight").path, withDestinationPath: Built.command)
            let ended = try launch(["env", "PATH=\(folder.path):/usr/bin:/bin", "bash", "--norc", "-c", script])
            #expect(ended.outputText.hasPrefix(expected), "\(ended)")
        }
    }

    @Test("diff has the columns that are chosen")
    func diffColumns() throws {
        let table = try run(["diff", Self.file, Self.file, "--columns", "change,latency"]).outputText
        #expect(
            table.split(separator: "\n")[0].split(separator: " ") == ["Method", "Host", "API", "Change", "Latency"])
        let words = ["diff", Self.file, Self.file, "--columns", "change", "--format", "markdown"]
        #expect(try run(words).outputText.contains("\n| API | Change |\n| --- | ---: |\n"))
        let wrong = try run(["diff", "--columns", "colour"])
        #expect(wrong.status == 64)
        #expect(
            wrong.errorText.hasPrefix(
                "error: there is no column 'colour'; there are: method, host, api, requests, up, down, a-request,"))
    }

    @Test("the titles of an empty table are no wider than they are")
    func emptyTable() throws {
        let table = try run(["exchanges", Self.file, "--host", "none.example"], ["TZ": "UTC"]).outputText
        #expect(table == "Exchange  Time (UTC)    Method  Status  URL  Type  Up  Down  Duration  Outcome\n")
    }

    @Test("completions are printed for each shell", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let ended = try run(["completions", shell])
        #expect(ended.status == 0)
        #expect(ended.outputText.contains("exchanges"))
    }
}
