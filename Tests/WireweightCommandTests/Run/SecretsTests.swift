import Foundation
import TestSupport
import Testing
import WireweightTesting

/// Credentials of many kinds, sent by a real program, are looked for in everything that comes out.
@Suite(
    "planted secrets", .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"), .serialized)
struct SecretsTests {
    /// One program that sends all of them, one after the other.
    private static func program(_ origin: LoopbackOrigin) -> [String] {
        var words = ["curl", "-qsSL", "-o", "/dev/null"]
        for (index, planted) in PlantedSecret.all.enumerated() {
            if index > 0 { words += ["--next", "-sSL", "-o", "/dev/null"] }
            switch planted.place {
            case .field(let line): words += ["-H", line]
            case .body(let type, let body): words += ["-H", "Content-Type: \(type)", "--data-binary", body]
            default: break
            }
            words.append(planted.url(at: origin))
        }
        return words
    }

    /// An origin that answers each of them, a folder, and in it one of its own for the store.
    private func withStore(_ body: (LoopbackOrigin, _ folder: URL, _ files: URL, _ store: String) throws -> Void) throws
    {
        let origin = LoopbackOrigin(handler: PlantedSecret.response)
        try origin.start()
        defer { origin.stop() }
        try withFolder { folder in
            let files = folder.appendingPathComponent("files")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            try body(origin, folder, files, files.appendingPathComponent("db").path)
        }
    }

    @Test("nothing that is stored, printed, exported, served or logged holds one of them, and sizes are exact")
    func nowhere() throws {
        try withStore { origin, folder, files, store in
            let run = [Built.command, "run", "--db", store, "--keep-bodies", "65536"]
            let program = Self.program(origin)
            let table = try launch(run + ["--"] + program)
            #expect(table.status == 0, "\(table)")
            expectNone(in: table, "the summary")
            expectNone(inFilesOf: files)

            // Once more while a page looks at the file.
            let page = try Launched([Built.command, "inspect", store])
            defer { kill(page.pid, SIGKILL) }
            let address = try address(of: page)
            let events = try Launched(["curl", "-qsSN", "\(address)api/v1/events"])
            defer { kill(events.pid, SIGKILL) }
            // Its stream does not include what was there before.
            try waitUntil("the stream's beginning") { events.outputSoFar.contains("event: status") }
            let json = try launch(run + ["--json", "--"] + program)
            expectNone(in: json, "the summary as JSON")
            let expected = 2 * (PlantedSecret.all.count + 1)
            #expect(origin.exchanges.count == expected)
            try waitUntil("the event stream") { events.outputSoFar.contains("/planted/\(PlantedSecret.all.count - 1)") }
            expectNone(in: Data(events.outputSoFar.utf8), "the event stream")
            expectNone(inFilesOf: files)
            try expectNoneServed(address, exchanges: expected)
            kill(page.pid, SIGINT)
            let closed = try page.wait()
            expectNone(in: closed, "the inspector's own output")

            try expectNonePrinted(store, folder, exchanges: expected)
            #expect(origin.waitUntilIdle())
            // The origin did get them, and its counts are the reported ones.
            let sent = origin.exchanges.map { $0.requestLog.kept + $0.responseLog.kept }.reduce(Data()) {
                $0 + Data($1)
            }
            let arrived = Set(PlantedSecret.found(in: sent))
            let missing = Set(PlantedSecret.all.map(\.kind)).subtracting(arrived)
            // A client keeps a fragment to itself.
            #expect(missing == ["fragment"])
            #expect(try Self.sizes(Store(path: store).lines()) == Self.sizes(Store.lines(of: origin.exchanges)))
        }
    }

    /// The lines without the paths: some of these have lost a secret.
    private static func sizes(_ lines: [String]) -> [String] {
        lines.map { line in line.range(of: " up [").map { String(line[$0.lowerBound...]) } ?? line }.sorted()
    }

    @Test(
        "nor does anything that comes out of a proxy, which has both of its sides",
        .enabled(if: Built.hasProxy, "needs 'make proxy'"))
    func throughTheProxy() throws {
        try withStore { origin, folder, files, store in
            let ended = try launch([Built.command, "proxy", "--db", store, "--"] + Self.program(origin))
            #expect(ended.status == 0, "\(ended)")
            expectNone(in: ended, "the summary of a proxy")
            expectNone(inFilesOf: files)
            let expected = PlantedSecret.all.count + 1
            #expect(origin.exchanges.count == expected)
            #expect(try Store(path: store).lines().count == expected)
            try expectNonePrinted(store, folder, exchanges: expected)
        }
    }

    @Test("those who ask for secrets in bodies get them, and nothing else")
    func asked() throws {
        let origin = LoopbackOrigin(handler: PlantedSecret.response)
        try origin.start()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let ended = try launch(
                [Built.command, "run", "--db", store, "--keep-bodies", "65536", "--keep-secrets", "--"]
                    + Self.program(origin))
            #expect(ended.status == 0)
            let har = try launch([Built.command, "export", store, "--format", "har", "--bodies"])
            let found = Set(PlantedSecret.found(in: har.output))
            let bodies = PlantedSecret.all.filter { planted in
                switch planted.place {
                case .body, .responseBody, .compressedBody: true
                default: false
                }
            }
            #expect(found == Set(bodies.map(\.kind)))
            #expect(try launch([Built.command, "run", "--keep-secrets", "--", "true"]).status == 64)
        }
    }

    @Test(
        "libcurl's messages about a URL or a proxy that fails, and a proxy's password, are reported without the secret")
    func errors() throws {
        let origin = LoopbackOrigin(handler: PlantedSecret.response)
        try origin.start()
        defer { origin.stop() }
        let closed = try ClosedPort()
        let secret = PlantedSecret.all[0].secret
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let script = """
                curl -qsS "http://ada:$SECRET@127.0.0.1:$CLOSED/x?token=$SECRET"
                curl -qsS "http://ada:$SECRET@nowhere.invalid/?token=$SECRET"
                curl -qsS "http://ada:$SECRET@[bad/?token=$SECRET"
                http_proxy="http://ada:$SECRET@127.0.0.1:$ORIGIN" curl -qsS "http://api.test/planted/1?token=$SECRET"
                http_proxy="http://ada:$SECRET@127.0.0.1:$CLOSED" curl -qsS "http://api.test/?token=$SECRET"
                http_proxy="http://ada:$SECRET@nowhere.invalid:1" curl -qsS "http://api.test/?token=$SECRET"
                true
                """
            let ended = try Launched(
                [Built.command, "run", "--db", store, "--output", folder.appendingPathComponent("out").path, "--"]
                    + ["sh", "-c", script],
                environment: ["SECRET": secret, "CLOSED": "\(closed.number)", "ORIGIN": "\(origin.port)"]
            ).wait()
            #expect(ended.status == 0)
            #expect(origin.exchanges.count == 1)
            let told = try Store(path: store).exchanges()
            #expect(told.count >= 4)
            let basic = Data("ada:\(secret)".utf8).base64EncodedString()
            func expectNone(_ data: Data, _ what: String) {
                for trace in [secret, basic] {
                    #expect(data.range(of: Data(trace.utf8)) == nil, "\(what)")
                }
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                expectNone(try Data(contentsOf: folder.appendingPathComponent(name)), name)
            }
            for words in Self.commands(store) {
                let ended = try launch([Built.command] + words)
                expectNone(ended.output + ended.errors, words[0])
            }
            // A doctor that looks at a machine with such a proxy.
            let proxy = "http://ada:\(secret)@127.0.0.1:\(closed.number)"
            let doctor = try Launched(
                [Built.command, "doctor", "--json"], environment: ["http_proxy": proxy, "https_proxy": proxy]
            ).wait(seconds: 120)
            #expect(!doctor.output.isEmpty)
            expectNone(doctor.output + doctor.errors, "doctor")
        }
    }

    @Test("whatever the umask, only the owner may read what is written")
    func modes() throws {
        let origin = LoopbackOrigin(handler: PlantedSecret.response)
        try origin.start()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            func mode(_ name: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)[
                    .posixPermissions] as? Int
            }
            func open(_ words: [String]) -> [String] {
                ["sh", "-c", "umask 0; exec \"$@\"", "sh", Built.command] + words
            }
            let script = """
                curl -qsS "$1/planted/20" >/dev/null; sleep 0.6
                stat -c '%a %n' "$2" "$2-wal" "$2-shm" "$(dirname "$WIREWEIGHT_SOCKET")"
                """
            let run = try launch(
                open(["run", "--db", store, "--output", folder.appendingPathComponent("summary").path, "--"])
                    + ["sh", "-c", script, "sh", origin.address, store])
            let lines = run.outputText.split(separator: "\n").map { $0.prefix { $0 != " " } }
            #expect(lines == ["600", "600", "600", "700"], "\(run)")
            #expect(try mode("summary") == 0o600)
            for format in ["har", "csv", "ndjson", "curl", "openmetrics", "otlp-json", "otlp-protobuf"] {
                let path = folder.appendingPathComponent(format).path
                #expect(try launch(open(["export", store, "--format", format, "--output", path])).status == 0)
                #expect(try mode(format) == 0o600, "\(format)")
            }
            let imported = folder.appendingPathComponent("imported").path
            let har = folder.appendingPathComponent("har").path
            #expect(try launch(open(["import", har, "--db", imported])).status == 0)
            #expect(try mode("imported") == 0o600)
        }
    }

    // MARK: where it is looked for

    private static func commands(_ store: String) -> [[String]] {
        var commands = [
            ["connections", store], ["connections", store, "--format", "ndjson"], ["diff", store, store],
            ["exchanges", store], ["exchanges", store, "--format", "ndjson"],
        ]
        for format in ["table", "json", "csv", "markdown"] { commands.append(["report", store, "--format", format]) }
        for grouping in ["host", "path", "status", "type", "method", "process"] {
            commands.append(["report", store, "--by", grouping, "--format", "json"])
        }
        for format in ["table", "json", "markdown"] { commands.append(["audit", store, "--format", format]) }
        for format in ["har", "csv", "ndjson", "curl", "openmetrics", "otlp-json", "otlp-protobuf"] {
            commands.append(["export", store, "--format", format])
            if format == "har" { commands.append(["export", store, "--format", format, "--bodies"]) }
        }
        return commands
    }

    private func expectNonePrinted(_ store: String, _ folder: URL, exchanges: Int) throws {
        for words in Self.commands(store) {
            let ended = try launch([Built.command] + words)
            #expect(ended.status == 0, "\(words): \(ended.errorText)")
            #expect(!ended.output.isEmpty, "\(words)")
            expectNone(in: ended, words.joined(separator: " "))
        }
        // Each kind once is enough for what is slow.
        for id in 1...(exchanges / 2) {
            let ended = try launch([Built.command, "show", store, "\(id)"])
            #expect(ended.status == 0)
            expectNone(in: ended, "show \(id)")
        }
        let lockfile = folder.appendingPathComponent("lock.json").path
        #expect(try launch([Built.command, "budget", "record", store, "--lockfile", lockfile]).status == 0)
        expectNone(in: try Data(contentsOf: URL(fileURLWithPath: lockfile)), "the lockfile")
        expectNone(in: try launch([Built.command, "budget", "check", store, "--lockfile", lockfile]), "budget check")
    }

    private func expectNoneServed(_ address: String, exchanges: Int) throws {
        var paths = ["", "api/v1/overview", "api/v1/exchanges?limit=500", "api/v1/apis", "api/v1/timeline"]
        paths += ["api/v1/audit", "api/v1/connections", "api/v1/exchanges?text=Zp1"]
        for id in 1...(exchanges / 2) {
            paths += ["api/v1/exchanges/\(id)", "api/v1/exchanges/\(id)/bodies/request"]
            paths.append("api/v1/exchanges/\(id)/bodies/response")
        }
        let ended = try launch(["curl", "-qsS"] + paths.map { address + $0 })
        #expect(ended.status == 0)
        #expect(ended.outputText.contains("(redacted-"))
        #expect(ended.outputText.contains("****"), "bodies are served, covered")
        expectNone(in: ended, "the inspector")
    }

    private func address(of page: Launched) throws -> String {
        var found: String?
        try waitUntil("the inspector's address") {
            let text = page.errorsSoFar
            found = text.firstMatch(of: /http:\/\/[0-9.:]+\//).map { String($0.output) }
            return found != nil
        }
        return try #require(found)
    }

    private func expectNone(in data: Data, _ what: String) {
        let found = PlantedSecret.found(in: data)
        #expect(found.isEmpty, "\(what)")
    }

    private func expectNone(in ended: Ended, _ what: String) { expectNone(in: ended.output + ended.errors, what) }

    private func expectNone(inFilesOf folder: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        #expect(names.contains("db"))
        for name in names {
            expectNone(in: (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data(), name)
        }
    }
}
