import Foundation
import TestSupport
import Testing
import TrafficStore
import WireweightTesting

/// Faults of a whole program, and of what meters it: the program comes to the same, and the rows say what was.
@Suite("run under faults", .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct FaultRunTests {
    /// The outcome of a program, and what was reported of it.
    private struct Metered {
        var ended: Ended
        var lines: [String]
        var exchanges: [[String: Any]]
        var losses: Int
    }

    private func meter(_ words: [String], environment: [String: String?] = [:]) throws -> Metered {
        try withFolder { folder in
            let (store, report) = (folder.appendingPathComponent("db").path, folder.appendingPathComponent("report"))
            let ended = try launch(
                [Built.command, "run", "--db", store, "--json", "--output", report.path, "--"] + words,
                environment: environment)
            let summary = try JSONSerialization.jsonObject(with: Data(contentsOf: report)) as? [String: Any]
            let exchanges = try Store(path: store).exchanges()
            return Metered(
                ended: ended, lines: Store.lines(of: exchanges), exchanges: exchanges,
                losses: Self.losses(summary))
        }
    }

    private static func losses(_ summary: [String: Any]?) -> Int {
        let totals = summary?["totals"] as? [String: Any]
        let losses = totals?["losses"] as? [[String: Any]] ?? []
        return losses.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
    }

    /// Each row that says completed is what the origin saw; what is missing was counted.
    private func check(
        _ metered: Metered, _ plain: Ended, _ origin: LoopbackOrigin, exchanges: Int, _ name: String
    ) {
        #expect(metered.ended.status == plain.status, "\(name): \(metered.ended)")
        #expect(metered.ended.output == plain.output, "\(name): \(metered.ended)")
        #expect(
            Comparison.settled(metered.ended.errorText) == Comparison.settled(plain.errorText),
            "\(name): \(metered.ended)")
        let truth = Set(Store.lines(of: origin.exchanges))
        let completed = metered.exchanges.count { $0["outcome"] as? String == "completed" }
        #expect(metered.lines.count(where: truth.contains) >= completed, "\(name): \(metered.lines)")
        #expect(completed == exchanges || metered.losses > 0, "\(name): \(completed) rows and no loss")
    }

    // MARK: memory

    private func runOutOfMemory(_ words: [String], exchanges: Int, origin: LoopbackOrigin, from all: Bool) throws -> Int
    {
        let shim = try Built.program("outofmemory-shim")
        return try withFolder { folder in
            let count = folder.appendingPathComponent("count").path
            let plain = try launch(words)
            // None fails, which shows how many there are.
            let whole = try meter(words, environment: ["LD_PRELOAD": shim, "FAIL_COUNT": count])
            check(whole, plain, origin, exchanges: exchanges, "none")
            #expect(whole.losses == 0)
            let text = try String(contentsOfFile: count, encoding: .utf8)
            let allocations = try #require(text.split(separator: "\n").compactMap { Int($0) }.max())
            for number in 1...allocations {
                let last = all ? "1000000" : "\(number)"
                let metered = try meter(
                    words, environment: ["LD_PRELOAD": shim, "FAIL_FROM": "\(number)", "FAIL_TO": last])
                check(metered, plain, origin, exchanges: exchanges, "\(number)\(all ? " and all after it" : "")")
            }
            return allocations
        }
    }

    @Test(
        "each of the tap's allocations fails, alone or with all that follow",
        arguments: Rounds.areAll ? [false, true] : [false])
    func outOfMemory(all: Bool) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let words = ["curl", "-qsS", "\(origin.address)/hello", "--next", "-qsS", "\(origin.address)/chunks"]
        #expect(try runOutOfMemory(words, exchanges: 2, origin: origin, from: all) >= 5)
    }

    @Test(
        "each of the tap's allocations fails over TLS",
        .enabled(if: Rounds.areAll && Built.has("openssl", "stunnel")), arguments: [false, true])
    func outOfMemoryOverTLS(all: Bool) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let front = try TLSFront(originPort: origin.port, version: .tls13)
        defer { front.stop() }
        let words = [
            "curl", "-qsS", "--cacert", front.certificateFile, "\(front.address)/hello", "\(front.address)/chunks",
        ]
        #expect(try runOutOfMemory(words, exchanges: 2, origin: origin, from: all) >= 5)
    }

    // MARK: descriptors

    @Test("few descriptors, down to one too few for curl itself")
    func fewDescriptors() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        var (failed, worked) = (0, 0)
        for most in Rounds.areAll ? Array(4...24) : [5, 6, 7, 9, 12] {
            let words = [
                "sh", "-c", "ulimit -Sn \(most); exec curl -qsS \(origin.address)/hello \(origin.address)/chunks",
            ]
            let plain = try launch(words)
            let metered = try meter(words)
            check(metered, plain, origin, exchanges: plain.status == 0 ? 2 : 0, "\(most) descriptors")
            if plain.status == 0 { worked += 1 } else { failed += 1 }
        }
        #expect(failed > 0 && worked > 0)
    }

    // MARK: connections

    @Test("frames that find no room are a loss of each transfer that they belong to")
    func lostTransfers() throws {
        try withFolder { folder in
            let ended = try launch([try Built.program("channel"), folder.appendingPathComponent("s").path])
            #expect(ended.outputText == "2×1 3×1 4×1 \n", "\(ended)")
        }
    }

    @Test(
        "a FIN that the kernel counts but does not show, or that a reset followed, is no byte of a response",
        arguments: ["hidden", "reset"])
    func fins(how: String) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let shim = try Built.program("fins-shim")
        try withFolder { folder in
            let path = folder.appendingPathComponent("db").path
            let words = ["curl", "-qsS"] + (0..<10).map { "\(origin.address)/hangup/\($0)" }
            let ended = try launch(
                [Built.command, "run", "--db", path, "--output", "/dev/null", "--"] + words,
                environment: ["LD_PRELOAD": shim, "FIN": how])
            #expect(ended.status == 0, "\(ended)")
            #expect(try Store(path: path).lines() == Store.lines(of: origin.exchanges))
            let connections = try StoreReader.open(path).connections()
            let sizes = origin.exchanges.map { Int64($0.response.total) }
            #expect(connections.map { $0.payloadDown?.bytes }.sorted { $0 ?? 0 < $1 ?? 0 } == sizes.sorted())
        }
    }

    /// The kernel's count as the program saw it, and the one in the store.
    private func closing(_ address: String, _ how: String, certificate: [String] = []) throws {
        let program = try Built.program("closings")
        try withFolder { folder in
            let (path, summary) = (folder.appendingPathComponent("db").path, folder.appendingPathComponent("summary"))
            let count = folder.appendingPathComponent("count").path
            // The program's last output is read only after it has printed its count.
            let script = #"""
                count=$1; shift
                "$@" 2>"$count" | (n=0; until [ -s "$count" ] || [ $n -gt 600 ]; do n=$((n + 1)); sleep 0.1; done; cat >/dev/null)
                cat "$count" >&2
                """#
            let ended = try launch(
                [Built.command, "run", "--db", path, "--json", "--output", summary.path, "--"]
                    + ["sh", "-c", script, "sh", count, program, address, how] + certificate)
            #expect(ended.status == 0, "\(ended)")
            let told = try JSONSerialization.jsonObject(with: Data(contentsOf: summary)) as? [String: Any]
            let names = (told?["processes"] as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
            #expect(names.count { $0 == URL(fileURLWithPath: program).lastPathComponent } == 1, "\(names)")
            #expect(Self.losses(told) == (how == "forked" ? 1 : 0), "one transfer that is not metered")
            let sent = try #require(Int64(ended.errorText.trimmingCharacters(in: .whitespacesAndNewlines)), "\(ended)")
            let connections = try StoreReader.open(path).connections()
            #expect(connections.map { $0.payloadUp?.bytes } == [sent])
            // It belongs to no message, and over TLS to what TLS takes.
            #expect(connections.map { $0.ledger?.up.unaccounted } == [certificate.isEmpty ? 10 : 0])
        }
    }

    @Test(
        "bytes of a connection after its last exchange, if the program ends with it open, but not if a child does",
        arguments: ["past", "forked"])
    func leftConnections(how: String) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try closing("\(origin.address)/hello", how)
    }

    @Test(
        "TLS's close_notify, if the program ends meanwhile, or before it",
        .enabled(if: Built.has("openssl", "stunnel")),
        arguments: ["amid", "after"])
    func closings(how: String) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let front = try TLSFront(originPort: origin.port, version: .tls13)
        defer { front.stop() }
        try closing("\(front.address)/hello", how, certificate: [front.certificateFile])
    }

    // MARK: libraries

    @Test("a library that uses libcurl is loaded and let go of, again and again")
    func unloading() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let rounds = Rounds.areAll ? 200 : 20
        try Comparison.make(origin, expectedExchanges: rounds) {
            [try Built.program("plugins"), try Built.program("plugins-library"), $0, "\(rounds)"]
        }
    }

    // MARK: clocks

    @Test("a wall clock that jumps by hours: durations are those of the steady clock")
    func clockJumps() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let words = ["curl", "-qsS"] + (0..<5).map { "\(origin.address)/slow/\(200 + $0)" }
        let environment = ["LD_PRELOAD": try Built.program("clockjumps-shim")]
        let plain = try launch(words, environment: environment)
        let metered = try meter(words, environment: environment)
        check(metered, plain, origin, exchanges: 5, "jumps")
        for exchange in metered.exchanges {
            let timings = try #require(exchange["timings"] as? [String: Any])
            let total = try #require(timings["total"] as? Double)
            #expect(total >= 200 && total <= metered.ended.seconds * 1_000, "\(timings)")
            let phases = ["dns", "connect", "send", "wait", "receive"].compactMap { timings[$0] as? Double }
            #expect(phases.allSatisfy { $0 >= 0 && $0 <= total }, "\(timings)")
        }
    }

    // MARK: the collector

    @Test("the command is stopped in mid-run: the program goes on to its end, and what found no room is counted")
    func stoppedCommand() throws {
        for each in Rounds.areAll ? [100, 500, 4_000] : [100, 500] {
            let origin = try Site.makeOrigin()
            defer { origin.stop() }
            try withFolder { folder in
                let (store, report) = (
                    folder.appendingPathComponent("db").path, folder.appendingPathComponent("report")
                )
                let launched = try Launched([
                    Built.command, "run", "--db", store, "--json", "--output", report.path, "--",
                    try Built.program("threads"), origin.address, "4", "\(each)",
                ])
                try waitUntil("the first requests") { origin.exchangeCount > 3 }
                kill(launched.pid, SIGSTOP)
                try waitUntil("the program's end") { launched.outputSoFar == "failures: 0\n" }
                #expect(origin.waitUntilIdle())
                #expect(origin.exchanges.count == 4 * each)
                kill(launched.pid, SIGCONT)
                #expect(try launched.wait().status == 0)
                let summary = try JSONSerialization.jsonObject(with: Data(contentsOf: report)) as? [String: Any]
                let truth = Set(Store.lines(of: origin.exchanges))
                let exchanges = try Store(path: store).exchanges()
                let completed = exchanges.count { $0["outcome"] as? String == "completed" }
                #expect(Store.lines(of: exchanges).count(where: truth.contains) >= completed)
                let losses = Self.losses(summary)
                // The socket holds some 500 messages, and 4 MiB wait in the program, which says what it takes with it.
                #expect(completed + losses >= 4 * each, "\(completed) rows of \(4 * each), \(losses) lost")
                #expect(exchanges.count <= 4 * each)
            }
        }
    }

    @Test("the command is stopped: three million bytes of a body wait with the program, and the exchange is whole")
    func bodyOfStoppedCommand() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        // The shell's parent is the command.
        let script = """
            kill -STOP $PPID
            curl -qsS -o /dev/null -w '%{stderr}done' "$0/fill/5000000" 2>"$1" &
            until [ -s "$1" ]; do sleep 0.01; done
            kill -CONT $PPID
            wait
            """
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let ended = try launch([
                Built.command, "run", "--db", store, "--keep-bodies", "4000000", "--", "sh", "-c", script,
                origin.address, folder.appendingPathComponent("done").path,
            ])
            #expect(ended.status == 0, "\(ended)")
            #expect(try Store(path: store).lines() == Store.lines(of: origin.exchanges))
            let kept = try launch(["sqlite3", store, "SELECT length(bytes) FROM body"]).outputText
            #expect(Int(kept.dropLast()).map { $0 >= 3_000_000 && $0 <= 4_000_000 } == true, "\(kept)")
        }
    }
}
