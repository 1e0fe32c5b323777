import Foundation
import Testing
import WireweightTesting

/// What `export` and `import` write, and how they end.
@Suite("Export and import", .enabled(if: Built.isComplete, "needs 'make build'"))
struct TransferTests {
    private static var file: String { DemoFile.path }

    private func run(_ words: String...) throws -> Ended { try launch([Built.command] + words) }

    @Test("a HAR of the demo's traffic, imported again, weighs the same")
    func andBack() throws {
        try withFolder { folder in
            let (har, copy) = (folder.appendingPathComponent("a.har").path, folder.appendingPathComponent("b.db").path)
            let exported = try run("export", Self.file, "--format", "har", "--output", har)
            #expect(exported.status == 0 && exported.output.isEmpty && exported.errors.isEmpty)
            let imported = try run("import", har, "--db", copy)
            #expect(imported.status == 0)
            #expect(imported.outputText.hasPrefix("200 exchanges imported into \(copy)\n"))
            #expect(imported.errors.isEmpty)
            #expect(try Store(path: copy).lines() == Store(path: Self.file).lines())
            let (before, after) = (try Store(path: Self.file).totals(), try Store(path: copy).totals())
            for name in ["requests", "responses", "failures", "up", "down"] {
                #expect(after[name] as? Int == before[name] as? Int, "\(name)")
            }
            #expect(after["captured"] as? Double == 0)
        }
    }

    @Test(
        "each format goes to standard output or to a file, the same bytes",
        arguments: ["har", "csv", "ndjson", "curl", "openmetrics", "otlp-json", "otlp-protobuf"])
    func formats(_ format: String) throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("out").path
            let written = try run("export", Self.file, "--format", format, "--output", path)
            let printed = try run("export", Self.file, "--format", format)
            #expect(written.status == 0 && printed.status == 0)
            #expect(printed.output.count > 5_000)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == printed.output)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("the conditions of 'exchanges' hold, and one exchange can be named")
    func conditions() throws {
        func count(_ words: String...) throws -> Int {
            try launch([Built.command, "export", Self.file, "--format", "ndjson"] + words).outputText
                .split(separator: "\n").count
        }
        #expect(try count("--status", "404") == 4)
        #expect(try count("--method", "PUT", "--api", "/users/{id}/avatar") == 12)
        #expect(try count("--limit", "7", "--newest") == 7)
        #expect(try count("--exchange", "3") == 1)
        let none = try run("export", Self.file, "--format", "csv", "--host", "nowhere.example")
        #expect(none.status == 0)
        #expect(none.errorText == "no exchange matches; the file has 200\n")
    }

    @Test("the store of a page is copied whole, into a new file, with the page's token")
    func fromAPage() throws {
        try withFolder { folder in
            let copy = folder.appendingPathComponent("copy.db").path
            let page = try Launched([Built.command, "inspect", Self.file, "--address", "0.0.0.0", "--port", "0"])
            func address() -> String? {
                page.errorsSoFar.split { " \n".contains($0) }.map(String.init).first { $0.hasPrefix("http://") }
            }
            try waitUntil("the page's address") { address() != nil }
            let parts = address().flatMap { URLComponents(string: $0) }
            let (port, token) = (try #require(parts?.port), try #require(parts?.queryItems?.first?.value))
            let shown = "http://127.0.0.1:\(port)/"

            let refused = try run("import", shown, "--db", copy)
            #expect(refused.status == 65 && refused.errorText.contains("wants its token"), "\(refused)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            let copied = try run("import", "\(shown)?token=\(token)", "--db", copy)
            #expect(copied.status == 0 && copied.errors.isEmpty, "\(copied)")
            #expect(copied.outputText.hasPrefix("200 exchanges, "), "\(copied)")
            #expect(try Store(path: copy).lines() == Store(path: Self.file).lines())
            #expect(try run("report", copy).output == run("report", Self.file).output)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["copy.db"])
            let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
            #expect(mode == 0o600)

            let again = try run("import", "\(shown)?token=\(token)", "--db", copy)
            #expect(again.status == 65 && again.errorText.contains("exists already"), "\(again)")
            kill(page.pid, SIGTERM)
            _ = try page.wait()
            let gone = try run("import", shown, "--db", copy + "2")
            #expect(gone.status == 65 && gone.errorText.contains("does not answer"), "\(gone)")
        }
    }

    @Test("what is no page's store is refused, and nothing is left of it")
    func fromElsewhere() throws {
        try withFolder { folder in
            let origin = LoopbackOrigin { _ in .respond(body: .text("no store")) }
            try origin.start()
            defer { origin.stop() }
            let ended = try run("import", "http://127.0.0.1:\(origin.port)/x?y=1", "--db", folder.path + "/a.db")
            #expect(ended.status == 65 && ended.errorText.contains("is no store"), "\(ended)")
            let wrong = try run("import", "http://", "--db", folder.path + "/a.db")
            #expect(wrong.status == 65 && wrong.errorText.contains("is no address"), "\(wrong)")
            let nowhere = try run(
                "import", "http://127.0.0.1:\(origin.port)/", "--db", folder.path + "/none/a.db")
            #expect(nowhere.status == 73 && nowhere.errorText.contains("make its folder first"), "\(nowhere)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test("wrong words end with 64")
    func usage() throws {
        for words in [
            ["export", Self.file], ["export", Self.file, "--format", "xml"],
            ["export", Self.file, "--format", "csv", "--bodies"],
            ["export", Self.file, "--format", "csv", "--signal", "traces"],
            ["export", Self.file, "--format", "har", "--output", Self.file],
            ["export", Self.file, "--format", "har", "--exchange", "1", "--host", "a"],
            ["export", Self.file, "--format", "har", "--limit", "0"],
            ["export", Self.file, "--format", "har", "--since", "2026-02-01", "--until", "2026-01-01"],
            ["import", "http://a/", "--db", "b", "--keep-bodies", "9"], ["import", "x.har"], ["import"],
            ["import", Self.file, "--db", Self.file],
        ] {
            let ended = try launch([Built.command] + words)
            #expect(ended.status == 64, "\(words): \(ended)")
            #expect(!ended.errors.isEmpty && ended.output.isEmpty, "\(words)")
        }
        #expect(try run("report", Self.file).status == 0)
    }

    @Test("a bad archive ends with 65, says where and why, and makes no store, and leaves an old one as it was")
    func badArchives() throws {
        try withFolder { folder in
            let (har, new) = (folder.appendingPathComponent("a.har"), folder.appendingPathComponent("new.db").path)
            let old = folder.appendingPathComponent("old.db").path
            try FileManager.default.copyItem(atPath: Self.file, toPath: old)
            let before = try Data(contentsOf: URL(fileURLWithPath: old))
            let whole = try run("export", Self.file, "--format", "har").output
            let deep = Data("{\"log\": {\"pages\": \(String(repeating: "[", count: 100_000))".utf8)
            let fraction = String(decoding: whole, as: UTF8.self)
                .replacing("\"bodySize\":11,", with: "\"bodySize\":1.5,")
            for (bytes, reason) in [
                (whole.prefix(whole.count / 2), "it was cut"), (deep, "nested deeper than 64"),
                (Data(fraction.utf8), "'bodySize' is 1.5"), (Data(), "the file is empty"),
                (Data("{\"log\": 1}".utf8), "line 1, byte 8: a number where an object belongs"),
            ] {
                try bytes.write(to: har)
                for store in [new, old] {
                    let ended = try run("import", har.path, "--db", store)
                    #expect(ended.status == 65, "\(ended)")
                    #expect(ended.errorText.hasPrefix("error: '\(har.path)' cannot be imported: line "), "\(ended)")
                    #expect(ended.errorText.contains(reason), "\(ended)")
                    #expect(ended.output.isEmpty)
                }
                #expect(!FileManager.default.fileExists(atPath: new))
                #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == before)
            }
            #expect(try run("import", folder.appendingPathComponent("none.har").path, "--db", new).status == 65)
            #expect(try run("import", folder.path, "--db", new).status == 65)
            let store = try run("import", old, "--db", new)
            #expect(store.status == 65)
            #expect(store.errorText.hasPrefix("error: '\(old)' is a database, no archive; 'wireweight report \(old)'"))
            #expect(!FileManager.default.fileExists(atPath: new))
            // What can be read but once would be gone after the check.
            let device = try run("import", "/dev/null", "--db", new)
            #expect(device.status == 65)
            #expect(device.errorText.contains("is not a regular file"))
            try whole.write(to: har)
            #expect(try run("import", har.path, "--db", har.path + "x/y.db").status == 73)
            try Data("no database, but long enough to be one\n".utf8).write(to: URL(fileURLWithPath: new))
            #expect(try run("import", har.path, "--db", new).status == 65)
        }
    }

    @Test("export of a file that is none ends with 65, and one that cannot be written with 73")
    func badFiles() throws {
        try withFolder { folder in
            let (text, out) = (folder.appendingPathComponent("a.txt"), folder.appendingPathComponent("out").path)
            try Data("no database\n".utf8).write(to: text)
            for words in [[text.path], [text.path + ".none"], [Self.file, "--exchange", "999"]] {
                let ended = try launch([Built.command, "export", "--format", "har"] + words)
                #expect(ended.status == 65, "\(ended)")
                #expect(ended.errorText.hasPrefix("error: "))
            }
            let ended = try run("export", Self.file, "--format", "har", "--output", out + "/x")
            #expect(ended.status == 73)
        }
    }

    @Test(
        "a HAR that is given to a command that reads stores is answered with the import",
        arguments: ["report", "audit"])
    func archiveAsStore(command: String) throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("traffic.har").path
            try "\u{FEFF}\n {\"log\": {}}".write(toFile: path, atomically: false, encoding: .utf8)
            let ended = try run(command, path)
            #expect(ended.status == 65)
            #expect(
                ended.errorText.contains("if it is a HAR, 'wireweight import \(path) --db FILE' makes a store of it"))
            try "[]".write(toFile: path, atomically: false, encoding: .utf8)
            #expect(try run(command, path).errorText.contains("is not a database; name another file"))
        }
    }

    @Test("a kept body is in the HAR on request, and in the curl command")
    func bodies() throws {
        try withFolder { folder in
            let (har, db) = (folder.appendingPathComponent("a.har"), folder.appendingPathComponent("a.db").path)
            try Data(
                """
                {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [
                {"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0},
                "request": {"method": "POST", "url": "http://a.test/x", "httpVersion": "HTTP/1.1", "headers": [],
                "headersSize": 20, "bodySize": 5, "postData": {"mimeType": "text/plain", "text": "hello"}},
                "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [], "headersSize": 19,
                "bodySize": 3, "content": {"size": 3, "mimeType": "text/plain", "text": "bye"}}}]}}
                """.utf8
            ).write(to: har)
            #expect(try run("import", har.path, "--db", db, "--keep-bodies", "100").status == 0)
            let text = try run("export", db, "--format", "har", "--bodies").outputText
            #expect(text.contains("\"text\":\"bye\"") && text.contains("\"text\":\"hello\""))
            #expect(try !run("export", db, "--format", "har").outputText.contains("\"text\""))
            #expect(try run("export", db, "--format", "curl").outputText.contains("--data-raw hello"))
        }
    }

    @Test("both have help with an example")
    func help() throws {
        for command in ["export", "import"] {
            let ended = try run(command, "--help")
            #expect(ended.status == 0)
            #expect(ended.outputText.contains("Example: wireweight \(command)"))
        }
    }
}
