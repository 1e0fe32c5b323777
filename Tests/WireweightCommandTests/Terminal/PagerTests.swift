import Foundation
import Testing

/// Long output on a terminal goes through a pager, as git's does.
@Suite(
    "The pager", .enabled(if: Built.isComplete && OnTerminal.isPossible, "needs 'make build' and script"))
struct PagerTests {
    private static let report = "\(Built.command) report \(DemoFile.path) --by host"

    @Test(
        "is WIREWEIGHT_PAGER, or PAGER, and gets what less needs",
        arguments: [
            ["PAGER": "sed s/^/A:/"], ["PAGER": "sed s/^/B:/", "WIREWEIGHT_PAGER": "sed s/^/A:/"],
            ["PAGER": "test \"$LESS\" = FRX && sed s/^/A:/"],
        ])
    func command(environment: [String: String]) throws {
        let ended = try OnTerminal.run(Self.report, environment: environment)
        #expect(ended.status == 0)
        #expect(ended.outputText.hasPrefix("A:\u{1B}[1mHost"), "\(ended)")
        #expect(!ended.outputText.contains("\nHost"))
    }

    @Test(
        "is left out on request",
        arguments: [
            ("--no-pager", ["PAGER": "sed s/^/A:/"]), ("", ["PAGER": ""]), ("", ["PAGER": "cat"]),
            ("", ["PAGER": "sed s/^/A:/", "TERM": "dumb"]), ("| cat", ["PAGER": "sed s/^/A:/"]),
        ] as [(String, [String: String])])
    func none(words: String, environment: [String: String]) throws {
        let ended = try OnTerminal.run("\(Self.report) \(words)", environment: environment)
        #expect(ended.status == 0)
        #expect(!ended.outputText.contains("A:"), "\(ended)")
        #expect(ended.outputText.contains("127.0.0.1"))
    }

    @Test("leaves the exit status as it is, whether or not the pager reads all")
    func status() throws {
        let lockfile = DemoFile.path + ".lock.json"
        defer { try? FileManager.default.removeItem(atPath: lockfile) }
        let record = "\(Built.command) budget record \(DemoFile.path) --lockfile \(lockfile)"
        #expect(try OnTerminal.run(record).status == 0)
        // A run without any request is a breach.
        let check = "\(Built.command) budget check \(DemoFile.path) --since 2100-01-01 --lockfile \(lockfile)"
        let plain = try OnTerminal.run("\(check) --no-pager").status
        #expect(plain == 1)
        for pager in ["sed s/^/A:/", "head -n 1", "true"] {
            #expect(try OnTerminal.run(check, environment: ["PAGER": pager]).status == plain, "\(pager)")
            #expect(try OnTerminal.run(Self.report, environment: ["PAGER": pager]).status == 0, "\(pager)")
        }
    }

    @Test("that cannot be run is an error that says what to do")
    func missing() throws {
        let ended = try OnTerminal.run(Self.report, environment: ["PAGER": "no-such-pager"])
        #expect(ended.status == 69)
        #expect(ended.outputText.contains("error: the pager 'no-such-pager' cannot be run; set PAGER"))
    }

    @Test("that Ctrl-C ends, ends the command by the same signal")
    func interrupt() throws {
        let ended = try OnTerminal.run(Self.report, environment: ["PAGER": "sh -c 'kill -INT $$'"])
        #expect(ended.status == 130)
    }
}
