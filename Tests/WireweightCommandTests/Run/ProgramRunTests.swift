import Foundation
import TestSupport
import Testing
import WireweightTesting

/// `wireweight run` with other programs than curl: how they come by libcurl, and how many they are.
@Suite("run meters any program on libcurl", .enabled(if: Built.isComplete, "needs 'make build'"))
struct ProgramRunTests {
    private func compare(
        exchanges: Int, comparesErrors: Bool = true, environment: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation, _ words: (String) throws -> [String]
    ) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let comparison = try Comparison.make(
            origin, expectedExchanges: exchanges, comparesErrors: comparesErrors, environment: environment,
            sourceLocation: sourceLocation, words)
        #expect(comparison.plain.status == 0, sourceLocation: sourceLocation)
    }

    @Test("that loads libcurl late and looks its functions up by name")
    func late() throws {
        try compare(exchanges: 3) { [try Built.program("late"), "\($0)/a", "\($0)/chunks", "\($0)/c"] }
    }

    @Test("that forks, and transfers in both processes at once")
    func forks() throws {
        try compare(exchanges: 30) { [try Built.program("forks"), $0, "10"] }
    }

    @Test("that forks and transfers in handlers of a fork, and forks in the middle of a call of libcurl")
    func forkings() throws {
        for (kind, exchanges) in [("handlers", 12), ("within", 2)] {
            try compare(exchanges: exchanges) {
                [try Built.program("forkings"), kind, $0, String($0.split(separator: ":")[2])]
            }
        }
    }

    @Test("with 64 threads that transfer at once")
    func threads() throws {
        try compare(exchanges: 1_920) { [try Built.program("threads"), $0, "64", "30"] }
    }

    @Test("that becomes another program: what it sent before, and what its successors send")
    func successors() throws {
        try compare(exchanges: 3 + 2 + 4) { address in
            let successor = try Built.program("successor")
            return [
                successor, address, "3", successor, address, "2", try Built.program("late"), "\(address)/a",
                "\(address)/chunks", "\(address)/coded/gzip", "\(address)/d",
            ]
        }
    }

    @Test("with children that run side by side", .enabled(if: Built.has("curl")))
    func children() throws {
        try compare(exchanges: 3) { address in
            [
                "sh", "-c",
                "curl -qs \(address)/a -o /dev/null & curl -qs \(address)/b -o /dev/null & wait; curl -qs \(address)/c",
            ]
        }
    }

    @Test("after a chain of exec", .enabled(if: Built.has("curl")))
    func execChain() throws {
        try compare(exchanges: 1) { address in
            ["sh", "-c", "exec env FOO=bar nice -n 1 sh -c 'exec curl -qsS \(address)/x'"]
        }
    }

    @Test("that is a script without a magic number", .enabled(if: Built.has("curl")))
    func scriptWithoutMagic() throws {
        try withFolder { folder in
            let script = folder.appendingPathComponent("script").path
            try "curl -qsS \"$1\"\n".write(toFile: script, atomically: false, encoding: .utf8)
            #expect(chmod(script, 0o755) == 0)
            let origin = try Site.makeOrigin()
            defer { origin.stop() }
            let store = folder.appendingPathComponent("db").path
            let ended = try launch([
                Built.command, "run", "--db", store, "--output", "/dev/null", "--", script, "\(origin.address)/x",
            ])
            #expect(ended.status == 0)
            #expect(ended.outputText == "hello /x\n")
            #expect(origin.waitUntilIdle())
            #expect(try Store(path: store).lines() == Store.lines(of: origin.exchanges))
        }
    }

    @Test("with a child that outlives it: the run ends with the program, and the child goes on unmetered")
    func backgroundChild() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let (store, threads) = (folder.appendingPathComponent("db").path, try Built.program("threads"))
            let go = folder.appendingPathComponent("go").path
            let script = """
                \(threads) \(origin.address) 4 100000 >/dev/null 2>&1 & echo $!
                until [ -e '\(go)' ]; do sleep 0.02; done; exit 2
                """
            let launched = try Launched([
                Built.command, "run", "--db", store, "--output", "/dev/null", "--", "sh", "-c", script,
            ])
            try waitUntil("the child's requests") { origin.exchangeCount > 200 }
            #expect(FileManager.default.createFile(atPath: go, contents: nil))
            let ended = try launched.wait()
            let child = try #require(pid_t(ended.outputText.split(separator: "\n").first ?? ""))
            defer { kill(child, SIGKILL) }
            #expect(ended.status == 2)
            #expect(kill(child, 0) == 0, "it was waited for")
            let counted = origin.exchanges.count
            try waitUntil("more requests") { origin.exchangeCount > counted + 50 }
            let truth = Set(Store.lines(of: origin.exchanges.filter(\.isComplete)))
            let completed = try Store(path: store).exchanges().count { $0["outcome"] as? String == "completed" }
            #expect(completed > 20)
            #expect(try Store(path: store).lines().count(where: truth.contains) >= completed)
        }
    }

    static let closer = """
        import os, io, sys, pycurl
        def fetch(path):
            c = pycurl.Curl(); b = io.BytesIO()
            c.setopt(c.URL, sys.argv[1] + path); c.setopt(c.WRITEDATA, b)
            c.perform(); c.close(); print(b.getvalue())
        os.closerange(3, 10000)
        fetch("/a")
        os.closerange(3, 10000)
        held = [os.open("/dev/null", os.O_RDONLY) for _ in range(800)] if len(sys.argv) > 2 else []
        fetch("/b")
        os.closerange(3, 10000)
        fetch("/c")
        """

    static let python = ["/usr/bin/python3", "python3"].first {
        (try? Tool.run(Tool.path(of: $0) ?? $0, ["-c", "import pycurl"]))?.status == 0
    }

    @Test(
        "that closes all descriptors, ours with them", .enabled(if: python != nil, "needs python3-pycurl"),
        arguments: [[], ["hold"]])
    func closesDescriptors(more: [String]) throws {
        let python = try #require(Self.python)
        try compare(exchanges: 3) { [python, "-c", Self.closer, $0] + more }
    }

    @Test("with few descriptors", .enabled(if: Built.has("curl")))
    func fewDescriptors() throws {
        try withFolder { folder in
            try compare(exchanges: 60, comparesErrors: false) { address in
                [
                    "sh", "-c",
                    "ulimit -n 40; exec curl -qsZ --parallel-max 12 '\(address)/x/[1-60]' -o '\(folder.path)/#1'",
                ]
            }
        }
    }

    @Test("with no descriptor to spare: it runs on, and nothing is invented for what could not be reported")
    func noDescriptor() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            // Standard input, output and error, and the one connection.
            let ended = try launch([
                Built.command, "run", "--db", store, "--output", "/dev/null", "--",
                "sh", "-c", "ulimit -n 4; exec \(try Built.program("threads")) \(origin.address) 1 5",
            ])
            #expect(ended.status == 0)
            #expect(ended.outputText == "failures: 0\n")
            #expect(origin.waitUntilIdle())
            let lines = try Store(path: store).lines()
            #expect(Set(lines).isSubset(of: Store.lines(of: origin.exchanges)))
        }
    }

    @Test("PHP", .enabled(if: Rounds.areAll && Built.has("php"), "needs php-cli and php-curl"))
    func php() throws {
        // PHP loads its extensions with RTLD_DEEPBIND, past names that were exported first.
        try compare(exchanges: 2) { address in
            [
                "php", "-r",
                "foreach(['/a','/b'] as $p){$c=curl_init($argv[1].$p);curl_exec($c);curl_close($c);}", address,
            ]
        }
    }
}

/// Programs that cannot be metered: they run, and the summary says why nothing came of it.
@Suite("run says why nothing was metered", .enabled(if: Built.isComplete, "needs 'make build'"))
struct UnmeteredRunTests {
    private func reason(_ words: [String], status: Int32 = 0) throws -> String {
        try withFolder { folder in
            let report = folder.appendingPathComponent("report")
            let plain = try launch(words)
            let metered = try launch([Built.command, "run", "--json", "--output", report.path, "--"] + words)
            #expect(metered.status == plain.status)
            #expect(metered.output == plain.output)
            #expect(metered.errors == plain.errors)
            let summary = try JSONSerialization.jsonObject(with: Data(contentsOf: report)) as? [String: Any]
            #expect(summary?["exchanges"] as? Int == 0)
            return try #require(summary?["unmetered"] as? String)
        }
    }

    @Test("of a program without libcurl")
    func noLibcurl() throws {
        let reason = try reason(["ls", "/"])
        #expect(
            reason.contains(
                "no program that loaded the tap ('ls') sent or received a request through libcurl, or through sockets"))
    }

    @Test(
        "of a program that is statically linked", .enabled(if: FileManager.default.fileExists(atPath: "/usr/include")))
    func staticProgram() throws {
        let program = try Built.program("inheritance-static")
        try withFolder { folder in
            let report = folder.appendingPathComponent("report")
            let ended = try launch([Built.command, "run", "--output", report.path, "--", program])
            #expect(ended.status == 0)
            #expect(
                try String(contentsOf: report, encoding: .utf8)
                    == "wireweight: nothing was metered: 'test-program-inheritance-static' cannot be metered: it is statically "
                    + "linked, so nothing can be loaded into it.\n"
                    + "Use a build that is linked dynamically. The programs that it starts are metered.\n")
        }
    }

    @Test("of a program that has libcurl and makes no request", .enabled(if: Built.has("curl")))
    func noRequest() throws {
        #expect(try reason(["curl", "-q", "--version"]) == "libcurl was loaded, but no HTTP request went through it")
    }

    @Test("of one that clears its environment, and its child does the rest", .enabled(if: Built.has("curl")))
    func clearedEnvironment() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let reason = try reason(["env", "-i", "/usr/bin/curl", "-qsS", "\(origin.address)/x"])
        #expect(
            reason
                == "'curl' cannot be metered: it was started with a cleared environment, which no longer names the tap")
        #expect(origin.waitUntilIdle())
        #expect(origin.exchanges.count == 2)
    }

    @Test(
        "with --require-traffic an empty run fails, and another ends as its program does",
        .enabled(if: Built.has("curl")))
    func requiredTraffic() throws {
        func run(_ options: [String], _ words: [String]) throws -> Ended {
            try launch([Built.command, "run"] + options + ["--"] + words)
        }
        let empty = try run(["--require-traffic"], ["curl", "-q", "--version"])
        #expect(empty.status == 1)
        #expect(empty.outputText.hasPrefix("curl "))
        #expect(
            empty.errorText.contains("nothing was metered: libcurl was loaded, but no HTTP request went through it"))
        #expect(
            empty.errorText.hasSuffix(
                "error: '--require-traffic': no request was metered; 'wireweight doctor -- curl' says what can be\n"))
        #expect(try run([], ["curl", "-q", "--version"]).status == 0)
        // A failure of the program's own says more than an empty table.
        #expect(try run(["--require-traffic"], ["sh", "-c", "exit 7"]).status == 7)
        #expect(try run(["--require-traffic"], ["sh", "-c", "kill -TERM $$"]).status == 128 + SIGTERM)
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let full = try run(["--require-traffic"], ["curl", "-qsS", "\(origin.address)/x"])
        #expect(full.status == 0)
        #expect(!full.errorText.contains("error:"))
    }

    @Test("there is no such program: 127, as a shell has it")
    func notFound() throws {
        let ended = try launch([Built.command, "run", "--", "no-such-program-here", "x"])
        #expect(ended.status == 127)
        #expect(ended.outputText == "")
        #expect(
            ended.errorText == "error: there is no program 'no-such-program-here'; give its path, or look at PATH\n")
    }

    @Test("it is not executable: 126, as a shell has it", arguments: ["/etc/passwd", "/"])
    func notExecutable(path: String) throws {
        let ended = try launch([Built.command, "run", "--", path])
        #expect(ended.status == 126)
        #expect(ended.errorText == "error: '\(path)' cannot be run: it is a folder or not executable\n")
    }

    @Test("no program at all is wrong usage: 64")
    func noProgram() throws {
        let ended = try launch([Built.command, "run", "--"])
        #expect(ended.status == 64)
        #expect(ended.errorText.contains("there is no program to run; give one after '--'"))
    }
}
