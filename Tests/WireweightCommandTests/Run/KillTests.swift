import Foundation
import TestSupport
import Testing
import WireweightTesting

/// The command or the program is killed in mid-run: what is in the file is whole, and true.
@Suite("run under kill -9", .enabled(if: Built.isComplete && Built.has("sqlite3"), "needs 'make build' and sqlite3"))
struct KillTests {
    /// How often each; integration takes its time.
    static let rounds = Rounds.areAll ? 250 : 4

    @Test(
        "of the command: the program runs on to its end, and every batch that was written stays", arguments: 0..<rounds)
    func commandIsKilled(round: Int) throws {
        try underLoad(each: 250) { load in
            // At any moment of its first half.
            let moment = Int.random(in: 4..<load.requests / 2)
            try waitUntil("\(moment) requests") { load.origin.exchangeCount > moment }
            kill(load.launched.pid, SIGKILL)
            let seenBefore = load.committed
            #expect(try load.launched.wait().status == 128 + SIGKILL)
            try waitUntil("the program's end") { load.launched.outputSoFar == "failures: 0\n" }
            #expect(load.origin.waitUntilIdle())
            #expect(load.origin.exchanges.count == load.requests, "the program made all of its requests")
            let after = try load.check()
            #expect(after >= seenBefore)
        }
    }

    @Test("of the program: what was sent is reported, and what was cut is reported as cut", arguments: 0..<rounds)
    func programIsKilled(round: Int) throws {
        try underLoad(each: 100_000) { load in
            usleep(UInt32.random(in: 0..<350_000))
            kill(try load.program, SIGKILL)
            let seenBefore = load.committed
            let ended = try load.launched.wait()
            #expect(ended.status == 128 + SIGKILL)
            #expect(load.origin.waitUntilIdle())
            let after = try load.check { #expect($0["outcome"] is String) }
            #expect(after >= seenBefore)
        }
    }

    @Test("in mid-response: the row says abandoned, with what came until then", .enabled(if: Built.has("curl")))
    func inMidResponse() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let launched = try Launched([
                Built.command, "run", "--db", store, "--output", "/dev/null", "--", "curl", "-qsSN",
                "\(origin.address)/drip/20",
            ])
            try waitUntil("some of the body") { launched.outputSoFar.utf8.count >= 2_000 }
            kill(try child(of: launched.pid), SIGKILL)
            #expect(try launched.wait().status == 128 + SIGKILL)
            #expect(origin.waitUntilIdle())
            let exchange = try #require(try Store(path: store).exchanges().first)
            #expect(exchange["outcome"] as? String == "abandoned")
            let seen = try #require(origin.exchanges.first)
            let (request, response) = (exchange["request"] as? [String: Any], exchange["response"] as? [String: Any])
            #expect(request?["total"] as? Int == seen.request.total)
            #expect(response?["startLine"] as? Int == seen.response.startLine)
            #expect(response?["fields"] as? Int == seen.response.fields)
            // The tap reports a body ten times a second; bytes since its last report may be lost with the program.
            let body = try #require(response?["body"] as? Int)
            #expect((1_500...2_000).contains(body), "\(body) of \(seen.response.body)")
        }
    }

    @Test(
        "in a body of which nothing has come: the row has the status and the headers", .enabled(if: Built.has("curl")))
    func beforeTheBody() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let launched = try Launched([
                Built.command, "run", "--db", store, "--output", "/dev/null", "--", "curl", "-qsSv",
                "\(origin.address)/headers",
            ])
            // The tap has seen the empty line before curl logs it. Then libcurl waits for the body.
            try waitUntil("the end of the headers") { launched.errorsSoFar.contains("< \r\n") }
            let program = try child(of: launched.pid)
            try waitUntil("the wait") {
                let status = (try? String(contentsOfFile: "/proc/\(program)/stat", encoding: .utf8)) ?? ""
                return status.split(separator: ")").last?.hasPrefix(" S") == true
            }
            kill(program, SIGKILL)
            #expect(try launched.wait().status == 128 + SIGKILL)
            #expect(origin.waitUntilIdle())
            let exchange = try #require(try Store(path: store).exchanges().first)
            #expect(exchange["outcome"] as? String == "abandoned")
            let seen = try #require(origin.exchanges.first)
            let response = exchange["response"] as? [String: Any]
            #expect(response?["status"] as? Int == 200)
            #expect(response?["startLine"] as? Int == seen.response.startLine)
            #expect(response?["fields"] as? Int == seen.response.fields)
        }
    }

    // MARK: the load

    private final class Load {
        let origin: LoopbackOrigin
        let launched: Launched
        let store: String
        let requests: Int
        init(origin: LoopbackOrigin, launched: Launched, store: String, requests: Int) {
            self.origin = origin
            self.launched = launched
            self.store = store
            self.requests = requests
        }

        var program: pid_t { get throws { try child(of: launched.pid) } }

        /// How many exchanges a reader finds ended in the file: those of batches that were written.
        ///
        /// It leaves the log beside the file as it is: the command is the first to read what a killed one has left.
        var committed: Int {
            guard FileManager.default.fileExists(atPath: store) else { return 0 }
            let count = "SELECT count(*) FROM exchange WHERE outcome = 0"
            let ended = try? launch(["sqlite3", "-readonly", store, count])
            return ended.flatMap { Int($0.outputText.dropLast()) } ?? 0
        }

        /// Checks the file against the origin; how many exchanges it has complete.
        func check(_ look: ([String: Any]) throws -> Void = { _ in }) throws -> Int {
            let exchanges = try Store(path: store).exchanges()
            let integrity = try launch(["sqlite3", store, "PRAGMA integrity_check"])
            #expect(integrity.outputText == "ok\n")
            #expect(try launch([Built.command, "report", store]).status == 0)
            let truth = Dictionary(
                uniqueKeysWithValues: origin.exchanges.compactMap { exchange in
                    exchange.parsed.map { ($0.path, exchange) }
                })
            var complete = 0
            for exchange in exchanges {
                try look(exchange)
                let path = try #require(exchange["path"] as? String)
                let (request, response) = (
                    exchange["request"] as? [String: Any], exchange["response"] as? [String: Any]
                )
                let (up, down) = (request?["total"] as? Int ?? 0, response?["total"] as? Int ?? 0)
                guard let seen = truth[path] else {
                    #expect(down == 0, "\(path) was never answered")
                    continue
                }
                if exchange["outcome"] as? String == "completed" {
                    complete += 1
                    #expect(up == seen.request.total, "\(path)")
                    #expect(down == seen.response.total, "\(path)")
                } else {
                    #expect(up <= seen.request.total, "\(path)")
                    #expect(down <= seen.response.total, "\(path)")
                }
            }
            return complete
        }
    }

    private func underLoad(each: Int, _ body: (Load) throws -> Void) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let program = try Built.program("threads")
            let threads = 4
            let launched = try Launched([
                Built.command, "run", "--db", store, "--output", "/dev/null", "--", program, origin.address,
                "\(threads)", "\(each)",
            ])
            let load = Load(origin: origin, launched: launched, store: store, requests: threads * each)
            try waitUntil("the first requests") { origin.exchangeCount > 3 }
            try body(load)
        }
    }
}

/// The one child of a process.
func child(of pid: pid_t) throws -> pid_t {
    var found: pid_t?
    try waitUntil("a child") {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)) ?? ""
        found = text.split(separator: " ").first.flatMap { pid_t($0) }
        return found != nil
    }
    return try #require(found)
}
