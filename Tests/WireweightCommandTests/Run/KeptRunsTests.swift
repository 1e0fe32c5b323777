import Foundation
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

@testable import WireweightCommand

@Suite("The last runs")
struct KeptRunsTests {
    private func name(_ second: Int64, process: Int32 = .max) -> (Timestamp, Int32) {
        (Timestamp(nanoseconds: (1_795_255_200 + second) * 1_000_000_000), process)
    }

    @Test("the newest ten stay, and of older ones those that are being written")
    func ten() throws {
        try withFolder { folder in
            let runs = try #require(KeptRuns(["XDG_STATE_HOME": folder.path]))
            #expect(runs.newest(1).isEmpty)
            let own = try #require(runs.begin(at: name(0).0, process: getpid()))
            try Data().write(to: URL(fileURLWithPath: own))
            var paths: [String] = []
            for second in 1...14 {
                let path = try #require(runs.begin(at: name(Int64(second)).0, process: .max))
                for suffix in ["", "-wal", "-shm"] { try Data().write(to: URL(fileURLWithPath: path + suffix)) }
                paths.append(path)
            }
            #expect(runs.newest(20).map(\.path) == [own] + paths.suffix(10))
            #expect(runs.newest(2).map(\.path) == paths.suffix(2))
            // Each with its two companions, and the one of this process.
            #expect(try FileManager.default.contentsOfDirectory(atPath: runs.folder.path).count == 31)
            let mode = try FileManager.default.attributesOfItem(atPath: runs.folder.path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
    }

    @Test("a run with a file of its own is among the last, takes no kept run's place, and counts once")
    func named() throws {
        try withFolder { folder in
            let runs = try #require(KeptRuns(["XDG_STATE_HOME": folder.path]))
            func file(_ name: String) throws -> String {
                let path = folder.appendingPathComponent(name).path
                try Data().write(to: URL(fileURLWithPath: path))
                return path
            }
            let kept = try #require(runs.begin(at: name(0).0, process: .max))
            try Data().write(to: URL(fileURLWithPath: kept))
            let (daily, other) = (try file("daily.db"), try file("other.db"))
            for second in 1...5 { runs.remember(daily, at: name(Int64(second)).0, process: .max) }
            runs.remember(other, at: name(6).0, process: .max)
            #expect(runs.newest(20).map(\.path) == [kept, daily, other])
            #expect(runs.newest(20).map(\.start) == [name(0).0, name(5).0, name(6).0])

            for second in 7...20 {
                runs.remember(try file("\(second).db"), at: name(Int64(second)).0, process: .max)
            }
            #expect(runs.newest(20).count == 11)
            #expect(runs.newest(20).first?.path == kept)
            // What a link leads to is the user's: it is no run any more when deleted, and is never deleted with a link.
            try FileManager.default.removeItem(atPath: "\(folder.path)/20.db")
            #expect(runs.newest(1).first?.path == "\(folder.path)/19.db")
            #expect(Files.exists(daily) && Files.exists(other))
        }
    }

    @Test("files of others in the folder are left alone")
    func others() throws {
        try withFolder { folder in
            let runs = try #require(KeptRuns(["XDG_STATE_HOME": folder.path]))
            _ = runs.begin(at: name(0).0, process: 1)
            for name in ["notes.txt", "mine.db", "2026-x.db"] {
                try Data().write(to: runs.folder.appendingPathComponent(name))
            }
            for second in 1...12 {
                let path = try #require(runs.begin(at: name(Int64(second)).0, process: .max))
                try Data().write(to: URL(fileURLWithPath: path))
            }
            #expect(runs.newest(20).count == 10)
            #expect(try FileManager.default.contentsOfDirectory(atPath: runs.folder.path).count == 13)
        }
    }

    @Test("without a home that exists, or with a relative state folder, nothing is kept")
    func nowhere() throws {
        #expect(KeptRuns([:]) == nil)
        try withFolder { #expect(KeptRuns(["HOME": "\($0.path)/none"]) == nil) }
        #expect(KeptRuns(["XDG_STATE_HOME": "state"]) == nil)
        #expect(KeptRuns(["HOME": "/", "XDG_STATE_HOME": "state"])?.folder.path == "/.local/state/wireweight/runs")
    }
}

@Suite("The last run", .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct LastRunTests {
    @Test("commands without a file read the run without a file, and say so; diff takes the last two")
    func lastRun() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let state = ["XDG_STATE_HOME": folder.path]
            func command(_ words: String...) throws -> Ended { try launch([Built.command] + words, environment: state) }
            let early = try command("report")
            #expect(early.status == 65)
            #expect(early.errorText.contains("meter with 'wireweight run -- PROGRAM'"))

            for count in [1, 2] {
                let addresses = (0..<count).map { "\(origin.address)/item/\($0)" }
                let ended = try launch([Built.command, "run", "--", "curl", "-qsS"] + addresses, environment: state)
                #expect(ended.status == 0)
                #expect(ended.errorText.contains("Kept as the last run. See each exchange: wireweight exchanges\n"))
            }
            let report = try command("report", "--format", "json")
            #expect(report.errorText.hasPrefix("the last run: \(folder.path)/wireweight/runs/"))
            let totals = try JSONSerialization.jsonObject(with: report.output) as? [String: Any]
            #expect((totals?["totals"] as? [String: Any])?["requests"] as? Int == 2)
            #expect(try command("exchanges").outputText.contains("/item/1"))
            #expect(try command("show", "2").outputText.contains("/item/1"))
            for words in [["connections"], ["audit"], ["export", "--format", "har"]] {
                #expect(try launch([Built.command] + words, environment: state).status == 0, "\(words)")
            }
            let diff = try command("diff")
            #expect(diff.status == 0)
            #expect(diff.outputText.contains("1 → 2 requests"))

            let named = "\(folder.path)/named.db"
            let words = ["run", "--db", named, "--", "curl", "-qsS", "\(origin.address)/item/named"]
            #expect(try launch([Built.command] + words, environment: state).status == 0)
            #expect(try command("exchanges").outputText.contains("/item/named"))
            #expect(try command("report").errorText == "the last run: \(named)\n")

            let kept = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/wireweight/runs")
            let not = try launch(
                [Built.command, "run", "--no-keep", "--", "curl", "-qsS", "\(origin.address)/item/3"],
                environment: state)
            let notNamed = ["run", "--no-keep", "--db", "\(folder.path)/not.db", "--", "true"]
            #expect(try launch([Built.command] + notNamed, environment: state).status == 0)
            #expect(not.errorText.contains("To keep the exchanges, add --db FILE.\n"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/wireweight/runs") == kept)
        }
    }

    @Test("bodies are kept in the last run's file, too, if there is one")
    func bodies() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let state = ["XDG_STATE_HOME": folder.path]
            let words = [Built.command, "run", "--keep-bodies", "1000"]
            let curl = ["--", "curl", "-s", "\(origin.address)/item/1"]
            #expect(try launch(words + curl, environment: state).status == 0)
            let found = try launch([Built.command, "exchanges", "-f", "body:~."], environment: state)
            #expect(found.outputText.contains("/item/1"))
            let refused = try launch(words + ["--no-keep"] + curl, environment: state)
            #expect(refused.status == 64)
            #expect(refused.errorText.hasPrefix("error: '--keep-bodies' needs a file to keep them in: add '--db'"))
            // Without a folder for it, as tests start the command.
            let nowhere = try launch(words + curl)
            #expect(nowhere.status == 64)
            #expect(nowhere.errorText.contains("no run can be kept here: add '--db'"))
        }
    }

    @Test("show wants a number, diff two files or none")
    func usage() throws {
        for words in [["show"], ["show", "a.db", "b"], ["show", "a.db", "1", "2"], ["diff", "a.db"]] {
            #expect(try launch([Built.command] + words).status == 64, "\(words)")
        }
    }
}

@Suite("Misspelled commands", .enabled(if: Built.isComplete, "needs 'make build'"))
struct SpellingTests {
    @Test(
        "the nearest command is named",
        arguments: [("repport", "report"), ("exchange", "exchanges"), ("inspekt", "inspect"), ("dif", "diff")])
    func nearest(word: String, command: String) throws {
        let ended = try launch([Built.command, word, "x.db"])
        #expect(ended.status == 64)
        #expect(ended.errorText == "error: there is no command '\(word)'; did you mean '\(command)'?\n")
    }

    @Test(
        "so it is of a command of a command, of a page of the help, and of what each command has",
        arguments: [
            (["budget", "chek", "x.db"], "command 'budget chek'; did you mean 'budget check'?"),
            (["help", "fleet", "audt"], "command 'fleet audt'; did you mean 'fleet audit'?"),
            (["budget", "zyx"], "command 'budget zyx'; 'wireweight budget --help' lists them"),
            (["help", "exit-statuss"], "command 'exit-statuss'; did you mean 'wireweight help exit-status'?"),
            (["exit-status"], "command 'exit-status'; did you mean 'wireweight help exit-status'?"),
            (["--versoin"], "option '--versoin'; did you mean '--version'?"),
            (["report", "--hlep"], "option '--hlep'; did you mean '--help'?"),
            (["-V"], "option '-V'; did you mean '--version'?"),
        ])
    func deeper(words: [String], complaint: String) throws {
        let ended = try launch([Built.command] + words)
        #expect(ended.status == 64)
        #expect(ended.errorText.split(separator: "\n").first == "error: there is no \(complaint)")
    }

    @Test("a program without 'run' before it is recognized as one")
    func program() throws {
        let ended = try launch([Built.command, "python3", "app.py"])
        #expect(ended.status == 64)
        #expect(ended.errorText.contains("'wireweight run -- python3' meters a program"))
    }

    @Test("help and hidden commands are no mistakes")
    func known() throws {
        #expect(try launch([Built.command, "help", "run"]).status == 0)
        for words in [
            ["canaries"], ["--version"], ["budget", "check", "x.db"], ["report", "chek"], ["budget", "--help"],
        ] {
            #expect(Spelling.complaint(about: words) == nil, "\(words)")
        }
    }
}
