import Foundation
import Locks
import Testing
import WireweightTesting

/// A run is recorded, another is checked: what `budget` and `diff` say, and how they end.
@Suite("Budgets of real runs", .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct BudgetCommandTests {
    /// An origin whose feed can grow, and a folder for what is made of it.
    private final class Setting: Sendable {
        let folder: URL
        let origin: LoopbackOrigin
        private let feed: FeedSize

        /// How large the feed is at the moment.
        private final class FeedSize: Sendable {
            let value = Atomic(2_000)
        }

        init() throws {
            folder = try Scratch.makeFolder()
            let feed = FeedSize()
            self.feed = feed
            origin = LoopbackOrigin { request in
                let size = request.path == "/feed" ? feed.value.load(ordering: .relaxed) : 100
                return .respond(fields: ["Content-Type: application/json"], body: .fill(size))
            }
            try origin.start()
        }

        deinit {
            origin.stop()
            try? FileManager.default.removeItem(at: folder)
        }

        func setFeed(bytes: Int) { feed.value.store(bytes, ordering: .relaxed) }

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        var lockfile: String { path("traffic.lock.json") }

        /// Meters a run of curl over those paths.
        func meter(_ name: String, _ paths: [String] = ["/feed", "/users/1", "/users/2"]) throws -> String {
            let urls = paths.map { origin.address + $0 }
            let outputs = paths.flatMap { _ in ["-o", "/dev/null"] }
            let ended = try launch(
                [Built.command, "run", "--db", path(name), "--", "curl", "-q", "-sS"] + outputs + urls)
            guard ended.status == 0 else { throw Failed("\(ended)") }
            return path(name)
        }

        func budget(_ words: String...) throws -> Ended {
            try launch([Built.command, "budget"] + words + ["--lockfile", lockfile])
        }

        func readLockfile() throws -> String { try String(contentsOfFile: lockfile, encoding: .utf8) }
        func writeLockfile(_ text: String) throws {
            try text.write(toFile: lockfile, atomically: true, encoding: .utf8)
        }
    }

    @Test("the same run keeps its budgets; one API that grew breaches them and is named")
    func growth() throws {
        let setting = try Setting()
        let first = try setting.meter("first.db")
        #expect(try setting.budget("record", first).status == 0)
        let recorded = try setting.readLockfile()
        #expect(recorded.hasSuffix("}\n"))
        #expect(recorded.contains("\"template\": \"/users/{id}\""))
        #expect(recorded.contains("      \"requests\": 2,\n"))
        #expect(!recorded.contains("\(setting.origin.port)"))

        // Recording again changes nothing, nor does another run of the same.
        #expect(try setting.budget("record", first).status == 0)
        #expect(try setting.readLockfile() == recorded)
        let second = try setting.meter("second.db")
        let kept = try setting.budget("check", second)
        #expect(kept.status == 0, "\(kept)")
        #expect(kept.outputText == "2 APIs are the same to the byte.\nEvery API is within its budget (2 checked).\n")
        #expect(try setting.budget("record", second).status == 0)
        #expect(try setting.readLockfile() == recorded)

        setting.setFeed(bytes: 3_000)
        let third = try setting.meter("third.db")
        let breached = try setting.budget("check", third)
        #expect(breached.status == 1, "\(breached)")
        #expect(breached.outputText.contains("EXCEEDED  GET     127.0.0.1:*  /feed"))
        #expect(breached.outputText.contains("body +1,000 B"))
        #expect(!breached.outputText.contains("/users/{id}"))
        #expect(breached.outputText.hasSuffix("1 of 2 APIs breaches its budget.\n"))
        let markdown = try setting.budget("check", third, "--format", "markdown")
        #expect(markdown.status == 1)
        #expect(markdown.outputText.contains("| **exceeded** | GET 127.0.0.1:\\* /feed | 1 |"))
        let json = try setting.budget("check", third, "--format", "json")
        #expect(json.status == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        #expect(object["passed"] as? Bool == false)
        let apis = try #require(object["apis"] as? [[String: Any]])
        #expect(apis.first?["exceeded"] as? [String] == ["down"])

        // An API's own tolerance is kept, and lets it through.
        let own = recorded.replacing(
            "      \"template\": \"/feed\",\n", with: "      \"template\": \"/feed\",\n      \"tolerance\": \"60%\",\n")
        try setting.writeLockfile(own)
        #expect(try setting.budget("check", third).status == 0)
        #expect(try setting.budget("record", first).status == 0)
        #expect(try setting.readLockfile() == own)
    }

    @Test("new and vanished APIs")
    func newAndVanished() throws {
        let setting = try Setting()
        #expect(try setting.budget("record", try setting.meter("first.db")).status == 0)
        let run = try setting.meter("second.db", ["/feed", "/settings"])
        let check = try setting.budget("check", run)
        #expect(check.status == 1)
        #expect(check.outputText.contains("NEW       GET     127.0.0.1:*  /settings"))
        #expect(check.outputText.contains("vanished  GET     127.0.0.1:*  /users/{id}"))
        #expect(try setting.budget("check", run, "--allow-new").status == 0)
        #expect(try setting.budget("check", run, "--allow-new", "--forbid-vanished").status == 1)
        let diff = try launch([Built.command, "diff", setting.path("first.db"), run])
        #expect(diff.status == 0)
        #expect(diff.outputText.contains(", 1 new, 1 vanished.\n"))
    }

    @Test("diff counts bytes a request and says nothing of a few latencies")
    func diff() throws {
        let setting = try Setting()
        let first = try setting.meter("first.db")
        setting.setFeed(bytes: 3_000)
        let second = try setting.meter("second.db", ["/feed", "/feed", "/users/1"])
        let ended = try launch([Built.command, "diff", first, second, "--format", "json"])
        #expect(ended.status == 0, "\(ended)")
        let object = try #require(try JSONSerialization.jsonObject(with: ended.output) as? [String: Any])
        let apis = try #require(object["apis"] as? [[String: Any]])
        #expect(apis.map { $0["template"] as? String } == ["/feed", "/users/{id}"])
        #expect(apis[0]["changePerRequest"] as? Double == 1_000)
        #expect((apis[0]["latency"] as? [String: Any])?["finding"] as? String == "tooFew")
        let markdown = try launch([Built.command, "diff", first, second, "--format", "markdown"])
        #expect(markdown.outputText.contains("| GET 127.0.0.1:\\* /feed | 1 → 2 |"))
    }

    @Test("bad input ends with 65 and says where, wrong usage with 64")
    func failures() throws {
        let setting = try Setting()
        let run = try setting.meter("run.db")
        let missing = try setting.budget("check", run)
        #expect(missing.status == 65)
        #expect(missing.errorText.contains("make it with 'wireweight budget record'"))
        #expect(try setting.budget("record", run).status == 0)
        let recorded = try setting.readLockfile()
        for (before, after, words) in [
            ("\"version\": 2", "\"version\": 3", "line 2: version 3 is of a newer wireweight"),
            ("\"requests\": 1", "\"requests\": -1", "line 9: a number of requests cannot be negative"),
            ("\"requests\": 1", "\"calls\": 1", "line 9: an API has no member 'calls'; remove it"),
            ("\"requests\": 1,", "\"requests\": 1", "line 10: '\"' where a comma or '}' belongs"),
        ] {
            let broken = recorded.replacing(before, with: after)
            try setting.writeLockfile(broken)
            for verb in ["check", "record"] {
                let ended = try setting.budget(verb, run)
                #expect(ended.status == 65, "\(ended)")
                #expect(ended.errorText.contains("traffic.lock.json', \(words)"), "\(ended)")
                #expect(ended.output.isEmpty)
            }
            #expect(try setting.readLockfile() == broken)
        }
        try setting.writeLockfile(recorded)
        for words in [
            ["budget", "record", run, "--tolerance", "much"], ["budget", "frobnicate", run],
            ["budget", "check", run, "--format", "xml"], ["diff", run], ["diff", run, run, "--limit", "0"],
            ["budget", "check", run, "--since", "2026-02-01", "--until", "2026-01-01"],
        ] {
            let ended = try launch([Built.command] + words)
            #expect(ended.status == 64, "\(words): \(ended)")
        }
        for words in [
            ["budget", "record", setting.path("none.db")], ["diff", run, setting.path("none.db")],
            ["diff", setting.lockfile, run],
        ] {
            let ended = try launch(
                [Built.command] + words + (words[0] == "budget" ? ["--lockfile", setting.lockfile] : []))
            #expect(ended.status == 65, "\(words): \(ended)")
            #expect(ended.errorText.hasPrefix("error: "))
        }
        let unwritable = try launch([
            Built.command, "budget", "record", run, "--lockfile", setting.path("none/lock.json"),
        ])
        #expect(unwritable.status == 73)
    }

    @Test("a run without requests is nothing to record, and breaches every budget")
    func empty() throws {
        let setting = try Setting()
        #expect(try setting.budget("record", try setting.meter("first.db")).status == 0)
        let recorded = try setting.readLockfile()
        let run = try launch([Built.command, "run", "--db", setting.path("none.db"), "--", "true"])
        #expect(run.status == 0)
        let check = try setting.budget("check", setting.path("none.db"))
        #expect(check.status == 1)
        #expect(check.outputText.hasSuffix("The run has no requests, so no budget was checked.\n"))
        #expect(try setting.budget("record", setting.path("none.db")).status == 65)
        #expect(try setting.readLockfile() == recorded)
    }
}
