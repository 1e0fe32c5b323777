import Foundation
import Testing
import TrafficModel
import WireweightTesting

@testable import WireweightCommand

/// `exchanges --follow` and `run --live` show traffic as it happens.
@Suite("Following", .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct FollowTests {
    private func meter(into store: String, _ address: String) throws {
        let ended = try launch([
            Built.command, "run", "--db", store, "--output", "/dev/null", "--", "curl", "-qsS", "-o", "/dev/null",
            address,
        ])
        try #require(ended.status == 0, "\(ended)")
    }

    @Test("prints what ends from now on, a line at once, and ends with 0 at Ctrl-C", arguments: [SIGINT, SIGTERM])
    func follow(signal: Int32) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("t.db").path
            try meter(into: store, "\(origin.address)/before")
            let all = try Launched([Built.command, "exchanges", store, "--follow", "--json"])
            let some = try Launched([Built.command, "exchanges", store, "--follow", "--path", "/b", "--columns", "url"])
            // It follows once it has read what is there; a file without news prints nothing.
            try waitUntil("the rows of new runs") {
                try meter(into: store, "\(origin.address)/a")
                return all.outputSoFar.split(separator: "\n").count >= 2
            }
            try meter(into: store, "\(origin.address)/b")
            try waitUntil("the matching row") { some.outputSoFar.contains("/b") }
            for program in [all, some] { kill(program.pid, signal) }
            let ended = try all.wait()
            #expect(ended.status == 0)
            let lines = ended.outputText.split(separator: "\n").map { Data($0.utf8) }
            let paths = try lines.map {
                try #require(try JSONSerialization.jsonObject(with: $0) as? [String: Any])["path"] as? String
            }
            #expect(paths.allSatisfy { $0 == "/a" || $0 == "/b" }, "\(paths)")
            let rows = try some.wait()
            #expect(rows.status == 0)
            #expect(!rows.outputText.contains("/a") && !rows.outputText.contains("/before"))
        }
    }

    @Test("its titles come before the first row", arguments: ["table", "csv", "markdown"])
    func titles(format: String) throws {
        let program = try Launched([Built.command, "exchanges", DemoFile.path, "--follow", "--format", format])
        try waitUntil("the titles") { program.outputSoFar.lowercased().contains("exchange") }
        kill(program.pid, SIGINT)
        let ended = try program.wait()
        #expect(ended.status == 0)
        #expect(!ended.outputText.contains("GET"))
    }

    @Test("a live table fits the terminal", arguments: [30, 39, 60, 100])
    func width(_ width: Int) {
        var total = TrafficTotal(
            key: .init(method: "GET", host: "long.name.of.a.host.example.com", template: "/users/{id}/posts"))
        total.requests = 123_456
        total.failures = 1_000
        total.up.body = .megabytes(123)
        total.down.body = .megabytes(456)
        total.latency.record(nanoseconds: 123_456_789)
        let lines = LiveTable([total]).lines(4, width: width)
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        #expect(lines[0].contains("Requests") == (width >= 60))
        #expect(lines[0].contains("Failed") == (width >= 60))
    }

    @Test("the line below a live table says how many rows have no room, and that it is cut")
    func below() {
        let line = LiveStatus.line([:], hidden: 3)
        #expect(line == "wireweight: 3 more; ")
        #expect(LiveStatus.line([:]) == "wireweight: ")
        #expect(LiveStatus.cut(line, to: 15) == "wireweight: 3 …")
        #expect(LiveStatus.cut(line, to: line.count) == line)
    }

    @Test(
        "--live shows a table above the sums, leaves the program's output whole, and the summary at the end",
        .enabled(if: OnTerminal.isPossible))
    func live() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let loop =
            "for i in 1 2 3 4 5 6 7 8; do curl -qsS -o /dev/null \(origin.address)/things/$i; echo line $i; "
            + "echo error $i >&2; sleep 0.3; done"
        let ended = try OnTerminal.run("\(Built.command) run --no-keep --live -- sh -c '\(loop)'", rows: 24)
        #expect(ended.status == 0)
        let text = ended.outputText
        // A third of 24 rows is reserved.
        #expect(text.contains("\u{1B}[1;16r"))
        #expect(text.contains("GET 127.0.0.1:"))
        let titles = try #require(text.range(of: "API "))
        let reset = try #require(text.range(of: "\u{1B}[r", options: .backwards))
        #expect(titles.lowerBound < reset.lowerBound)
        for number in 1...8 {
            #expect(text.contains("line \(number)\r\n") && text.contains("error \(number)\r\n"), "\(number)")
        }
        #expect(text[reset.upperBound...].contains("Total"))
    }

    @Test("--live without a terminal leaves only the summary, and says so")
    func liveElsewhere() throws {
        let ended = try launch([Built.command, "run", "--no-keep", "--live", "--", "true"])
        #expect(ended.status == 0)
        #expect(ended.errorText.hasPrefix("'--live' needs a terminal"))
        #expect(!ended.errorText.contains("\u{1B}"))
    }
}
