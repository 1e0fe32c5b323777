import Foundation
import Testing

/// The demo while somebody plays with its page.
@Suite("The demo with its page", .enabled(if: Built.isComplete && Built.has("curl")), .timeLimit(.minutes(4)))
struct DemoTests {
    /// What the demo has printed as JSON.
    private struct Proof {
        let status: Int32
        let object: [String: Any]
        let errors: String

        init(_ ended: Ended) throws {
            status = ended.status
            errors = ended.errorText
            let object = try JSONSerialization.jsonObject(with: ended.output) as? [String: Any]
            self.object = try #require(object, "\(ended)")
        }

        var difference: Int? { object["difference"] as? Int }
        var exchanges: Int { object["exchanges"] as? Int ?? -1 }
        var pauses: [[String: Any]] { object["pauses"] as? [[String: Any]] ?? [] }
    }

    /// A demo whose page is being used.
    private struct Playing {
        let program: Launched
        let address: String

        init(_ options: String...) throws {
            let program = try Launched([Built.command, "demo", "--port", "0"] + options)
            self.program = program
            try waitUntil("the page's address") { program.errorsSoFar.contains("Ctrl-C ends it") }
            let begin = try #require(program.errorsSoFar.range(of: "http://"))
            address = String(program.errorsSoFar[begin.lowerBound...].prefix { $0 != " " })
        }

        func ask(_ path: String, _ words: String...) throws -> [String: Any] {
            let ended = try launch(["curl", "-sS", "-H", "X-Wireweight: 1"] + words + ["\(address)api/v1/\(path)"])
            return try JSONSerialization.jsonObject(with: ended.output) as? [String: Any] ?? [:]
        }

        func press(_ button: String) throws {
            let said = try ask(button, "-X", "POST", "-d", button == "clear" ? #"{"confirm":true}"# : "")
            #expect(said["name"] != nil, "\(said)")
        }

        var exchanges: Int {
            get throws {
                try ask("overview")["exchanges"] as? Int ?? 0
            }
        }

        func waitForExchanges(_ count: Int) throws {
            try waitUntil("\(count) exchanges") { try exchanges >= count }
        }

        func end() throws -> Proof {
            kill(program.pid, SIGINT)
            return try Proof(program.wait())
        }
    }

    @Test("pause and resume in the middle of the first round leave a proof of what was recorded")
    func pauseAndResume() throws {
        let page = try Playing("--json")
        try page.waitForExchanges(20)
        try page.press("pause")
        let before = try page.exchanges
        // Calls go on meanwhile, unrecorded: long enough for some to be made.
        usleep(400_000)
        #expect(try page.exchanges == before)
        try page.press("resume")
        try page.waitForExchanges(before + 5)
        let proof = try page.end()
        #expect(proof.difference == 0)
        #expect(proof.status == 0, "\(proof.errors)")
        #expect(proof.pauses.count == 1)
        #expect(proof.pauses.first?["to"] is String)
    }

    @Test("so does a clear, and a pause that lasts to the end")
    func clearAndPause() throws {
        let page = try Playing("--json")
        try page.waitForExchanges(50)
        try page.press("clear")
        try page.waitForExchanges(10)
        try page.press("pause")
        try page.press("pause")
        usleep(300_000)
        let proof = try page.end()
        #expect(proof.difference == 0)
        #expect(proof.status == 0)
        #expect(proof.exchanges >= 10)
        #expect(proof.object["clearedAt"] is String)
        #expect(proof.pauses.count == 1)
        #expect(proof.pauses.first?["to"] is NSNull)
    }

    @Test("a clear while paused, and nothing after it, is no failure of the meter")
    func nothingLeft() throws {
        let page = try Playing("--json")
        try page.waitForExchanges(10)
        try page.press("pause")
        try page.press("clear")
        let proof = try page.end()
        #expect(proof.difference == 0)
        #expect(proof.exchanges == 0)
        #expect(proof.status == 0)
    }

    @Test("the text says from when to when nothing was recorded")
    func words() throws {
        let page = try Playing()
        try page.waitForExchanges(10)
        try page.press("pause")
        try page.press("resume")
        kill(page.program.pid, SIGINT)
        let ended = try page.program.wait()
        #expect(ended.status == 0)
        #expect(
            ended.outputText.firstMatch(
                of: /Recording was paused from \d\d:\d\d:\d\d to \d\d:\d\d:\d\d; the proof covers the rest\./) != nil)
        #expect(!ended.outputText.contains("Not proven"))
    }

    @Test("after the first round, calls come slowly enough to be read")
    func pace() throws {
        let page = try Playing("--json")
        try page.waitForExchanges(200)
        // Calls of the first round that were still under way may be among the first of these.
        try page.waitForExchanges(212)
        let first = try page.exchanges
        let began = ProcessInfo.processInfo.systemUptime
        try page.waitForExchanges(first + 21)
        let seconds = ProcessInfo.processInfo.systemUptime - began
        // 21 exchanges are at least 20 calls; a busy machine makes them later, never sooner.
        #expect(seconds > 1.5)
        let proof = try page.end()
        #expect(proof.difference == 0)
        #expect(proof.status == 0)
    }
}
