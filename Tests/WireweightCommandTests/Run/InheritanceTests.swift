import Foundation
import Testing
import WireweightTesting

/// What a program gets from whoever starts it is what it gets without the meter, too.
@Suite("run hands everything on", .enabled(if: Built.isComplete, "needs 'make build'"))
struct InheritanceTests {
    private static func inherited(_ ended: Ended) -> [String] {
        ended.outputText.split(separator: "\n").map(String.init).filter { line in
            ["LD_PRELOAD=", "WIREWEIGHT_SOCKET=", "_="].allSatisfy { !line.hasPrefix("variable \($0)") }
        }.map { line in
            // The C library's own two signals are left ignored by its posix_spawn; no program can ask for them.
            guard line.hasPrefix("SigIgn:"), let mask = UInt64(line.split(separator: "\t").last ?? "", radix: 16) else {
                return line
            }
            return "SigIgn: \(String(mask & ~(3 << 31), radix: 16))"
        }
    }

    static let preambles = [
        "", "trap '' HUP PIPE USR1;", "ulimit -n 128;", "ulimit -c 0; umask 077;", "exec 7</dev/null 9>&2;",
        "exec <&-;", "set -- env --ignore-signal=CHLD \"$@\";",
    ]

    @Test("signals, descriptors, limits, arguments and environment, byte for byte", arguments: preambles)
    func everything(preamble: String) throws {
        let program = try Built.program("inheritance")
        // Bytes that are no UTF-8, an empty argument, a variable that is set twice.
        let script = "\(preamble) V=$(printf 'caf\\351') exec \"$@\" \"$(printf 'a\\377b')\" '' 'c d'"
        let plain = try launch(["sh", "-c", script, "sh", program])
        let metered = try launch([
            "sh", "-c", script, "sh", Built.command, "run", "--output", "/dev/null", "--", program,
        ])
        #expect(plain.status == 0)
        #expect(metered.status == 0)
        #expect(Self.inherited(metered) == Self.inherited(plain))
        #expect(Self.inherited(plain).contains { $0.contains("argument 1 61ff62") })
        #expect(Self.inherited(plain).contains { $0.contains("variable V=caf\\e9") })
    }

    @Test("a library that was to be preloaded before stays so")
    func otherPreloads() throws {
        let ended = try launch(
            [Built.command, "run", "--output", "/dev/null", "--", "sh", "-c", "echo $LD_PRELOAD"],
            environment: ["LD_PRELOAD": "libc.so.6"])
        #expect(ended.outputText.hasSuffix("/libWireweightPreload.so:libc.so.6\n"))
    }

    @Test("standard input passes through")
    func input() throws {
        let text = String(repeating: "line\n", count: 50_000)
        let ended = try launch([Built.command, "run", "--output", "/dev/null", "--", "cat"], input: text)
        #expect(ended.status == 0)
        #expect(ended.outputText == text)
    }

    @Test("the exit status is the program's", arguments: [0, 1, 7, 64, 126, 127, 128, 200, 255])
    func status(number: Int32) throws {
        let ended = try launch([Built.command, "run", "--output", "/dev/null", "--", "sh", "-c", "exit \(number)"])
        #expect(ended.status == number)
    }

    @Test("the exit status is the program's even if SIGCHLD is ignored")
    func statusWithIgnoredChildren() throws {
        let ended = try launch([
            "env", "--ignore-signal=CHLD", Built.command, "run", "--output", "/dev/null", "--", "sh", "-c",
            "sleep 0.2; exit 7",
        ])
        #expect(ended.status == 7)
    }

    @Test(
        "the end by a signal is the program's",
        arguments: [SIGTERM, SIGKILL, SIGINT, SIGHUP, SIGPIPE, SIGSEGV, SIGUSR1])
    func endBySignal(number: Int32) throws {
        let ended = try launch([Built.command, "run", "--output", "/dev/null", "--", "sh", "-c", "kill -\(number) $$"])
        #expect(ended.status == 128 + number)
    }

    @Test("a pipe whose reader goes away ends the program as ever")
    func brokenPipe() throws {
        let words = "yes | head -1"
        let ended = try launch([
            "bash", "-c", "\(Built.command) run --output /dev/null -- yes | head -1; echo ${PIPESTATUS[0]}",
        ])
        #expect(ended.outputText == "y\n141\n", "\(words)")
    }

    @Test("the summary's reader goes away: the exit status is the program's all the same")
    func brokenSummary() throws {
        let ended = try launch([
            "bash", "-c", "exec 3>&1; { \(Built.command) run -- sh -c 'sleep 0.3; exit 5' 2>&1; echo $? >&3; } | true",
        ])
        // The status goes around the pipe.
        #expect(ended.outputText == "5\n")
    }

    @Test(
        "nothing of the summary on standard output; the totals as JSON on standard error",
        .enabled(if: Built.has("curl")))
    func jsonOnErrors() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let ended = try launch([Built.command, "run", "--json", "--", "curl", "-qsS", "\(origin.address)/x"])
        #expect(ended.outputText == "hello /x\n")
        let object = try JSONSerialization.jsonObject(with: ended.errors) as? [String: Any]
        #expect(object?["exchanges"] as? Int == 1)
        #expect(object?["unmetered"] is NSNull)
        #expect(((object?["apis"] as? [[String: Any]])?.first?["template"]) as? String == "/x")
    }

    @Test("the summary's file keeps what it had when the program cannot be started")
    func outputFileIsKept() throws {
        try withFolder { folder in
            let report = folder.appendingPathComponent("report").path
            try "before".write(toFile: report, atomically: false, encoding: .utf8)
            #expect(try launch([Built.command, "run", "--output", report, "--", "no-such-program"]).status == 127)
            #expect(try String(contentsOfFile: report, encoding: .utf8) == "before")
            #expect(try launch([Built.command, "run", "--output", report, "--", "true"]).status == 0)
            #expect(try String(contentsOfFile: report, encoding: .utf8).hasPrefix("wireweight: nothing was metered"))
        }
    }
}
