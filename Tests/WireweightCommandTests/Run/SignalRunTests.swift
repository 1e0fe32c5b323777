import Foundation
import TestSupport
import Testing
import WireweightTesting

/// Signals: to the command, to both, and what becomes of the program.
@Suite("run passes signals on", .enabled(if: Built.isComplete, "needs 'make build'"))
struct SignalRunTests {
    /// A shell that prints each signal it gets, and ends on the third.
    private static let printer = """
        n=0
        got() { echo "got $1"; n=$((n + 1)); }
        trap 'got TERM' TERM; trap 'got INT' INT; trap 'got HUP' HUP; trap 'got USR1' USR1; trap 'got USR2' USR2
        echo ready
        i=0; while [ $n -lt $1 ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i + 1)); done
        exit 3
        """

    /// Prints each interrupt, and ends on the second.
    ///
    /// Not a shell: one that is interrupted while it waits for a child may interrupt itself from then on, for ever.
    private static let interrupted = """
        import signal, sys, time
        count = 0
        def got(number, frame):
            global count
            count += 1
            print("got INT", flush=True)
        signal.signal(signal.SIGINT, got)
        print("ready", flush=True)
        end = time.time() + 20
        while count < 2 and time.time() < end: time.sleep(0.02)
        sys.exit(3)
        """

    @Test(
        "each that is sent to the command comes to the program", arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2])
    func handedOn(number: Int32) throws {
        let launched = try Launched([
            Built.command, "run", "--output", "/dev/null", "--", "bash", "-c", Self.printer, "printer", "1",
        ])
        try waitUntil("ready") { launched.outputSoFar.contains("ready") }
        kill(launched.pid, number)
        let ended = try launched.wait()
        let names = [SIGTERM: "TERM", SIGINT: "INT", SIGHUP: "HUP", SIGUSR1: "USR1", SIGUSR2: "USR2"]
        #expect(ended.outputText == "ready\ngot \(names[number] ?? "")\n")
        #expect(ended.status == 3)
    }

    @Test("one that the program does not catch ends both, and the shell sees the signal")
    func uncaught() throws {
        let launched = try Launched([Built.command, "run", "--", "sh", "-c", "echo ready; exec sleep 30"])
        try waitUntil("ready") { launched.outputSoFar.contains("ready") }
        kill(launched.pid, SIGTERM)
        let ended = try launched.wait()
        #expect(ended.status == 128 + SIGTERM)
        #expect(ended.errorText.contains("nothing was metered"))
    }

    @Test("Ctrl-C at a terminal reaches the program once", .enabled(if: Built.has("python3"), "needs python3"))
    func controlC() throws {
        let ended = try terminal(
            """
            run("run", "--output", "/dev/null", "--", "python3", "-c", TELLER)
            expect("ready"); send(b"\\x03"); expect("got INT"); pause(0.4); send(b"\\x03"); finish()
            """, variables: ["TELLER": Self.interrupted])
        #expect(ended.outputText.components(separatedBy: "got INT").count - 1 == 2, "\(ended)")
        #expect(ended.outputText.hasSuffix("status 3\n"), "\(ended)")
    }

    @Test(
        "Ctrl-C at a terminal before the program has begun, or at any moment after, ends both",
        .enabled(if: Built.has("python3"), "needs python3"))
    func earlyControlC() throws {
        let rounds = Rounds.areAll ? 100 : 16
        let ended = try withFolder { folder in
            try terminal(
                """
                for round in range(\(rounds)):
                    shown, end = b"", time.time() + 20
                    run("run", "--output", "/dev/null", "--", "sleep", "30")
                    # Once the folder of the run is there signals are held back, and the program has not begun.
                    while not os.listdir(os.environ["TMPDIR"]) and time.time() < end: pass
                    while os.tcgetpgrp(screen) == pid and time.time() < end: pass
                    if round % 2: time.sleep(round * 0.002)
                    send(b"\\x03"); finish()
                """, variables: ["TMPDIR": folder.path])
        }
        #expect(ended.outputText.components(separatedBy: "status 130\n").count - 1 == rounds, "\(ended)")
    }

    @Test("stopped and continued with the program", .enabled(if: Built.has("python3"), "needs python3"))
    func stopAndContinue() throws {
        let ended = try terminal(
            """
            run("run", "--output", "/dev/null", "--", "sh", "-c", "echo ready; sleep 2; echo over; exit 4")
            expect("ready"); send(b"\\x1a"); stopped(); resume(); expect("over"); finish()
            """)
        #expect(ended.outputText.contains("stopped\n"), "\(ended)")
        #expect(ended.outputText.hasSuffix("status 4\n"), "\(ended)")
    }
}

/// What a terminal shows of a run.
@Suite(
    "run on a terminal", .enabled(if: Built.isComplete && Built.has("python3", "curl"), "needs 'make build', python3"))
struct TerminalRunTests {
    @Test("shows what is metered while it runs, and leaves no trace of it")
    func status() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let ended = try terminal(
            """
            run("run", "--output", "/dev/null", "--", "sh", "-c",
                "printf 'begin '; curl -qsS ADDRESS/slow/1500 ADDRESS/hello; echo end")
            finish()
            """.replacing("ADDRESS", with: origin.address))
        let shown = ended.outputText
        #expect(shown.contains("wireweight: 0 exchanges, 1 running, "), "\(ended)")
        // The last thing is that the scrolling region is taken back, and the bottom row emptied.
        let setting = shown.components(separatedBy: "\u{1B}[1;23r").count - 1
        #expect(setting == 1, "\(ended)")
        #expect(shown.contains("\u{1B}7\u{1B}[r\u{1B}[24;1H\u{1B}[2K\u{1B}8"), "\(ended)")
        #expect(shown.hasSuffix("status 0\n"))
    }

    @Test(
        "shows nothing with --no-progress, on a dumb terminal, or for a program that does no HTTP",
        arguments: [
            ("--no-progress", "xterm", "curl -qsS ADDRESS/slow/800"),
            ("--progress", "dumb", "curl -qsS ADDRESS/slow/800"),
            ("--progress", "xterm", "sleep 0.8"),
        ])
    func nothing(flag: String, kind: String, script: String) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let ended = try terminal(
            """
            run("run", "--output", "/dev/null", "FLAG", "--", "sh", "-c", "SCRIPT", term="KIND")
            finish()
            """.replacing("SCRIPT", with: script).replacing("FLAG", with: flag).replacing("KIND", with: kind)
                .replacing("ADDRESS", with: origin.address))
        #expect(!ended.outputText.contains("\u{1B}"), "\(ended)")
        #expect(!ended.outputText.contains("wireweight"), "\(ended)")
    }

    @Test("shows nothing where standard error is no terminal")
    func noTerminal() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let ended = try launch([
            Built.command, "run", "--output", "/dev/null", "--", "curl", "-qsS", "\(origin.address)/slow/1200",
        ])
        #expect(ended.errorText == "")
        #expect(ended.outputText == "slow")
    }
}

/// Runs a small script against the command on a terminal of 24 rows and 80 columns; its output is what the terminal got.
func terminal(_ script: String, variables: [String: String] = [:]) throws -> Ended {
    let prelude = """
        import os, pty, sys, time, select, signal, struct, fcntl, termios
        shown = b""
        def run(*words, term="xterm"):
            global pid, screen
            pid, screen = pty.fork()
            if pid == 0:
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                os.environ["TERM"] = term
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
                # A shell would do so: a group of its own that is not an orphan's, so that it can be stopped.
                child = os.fork()
                if child == 0:
                    os.setpgid(0, 0)
                    os.execv(COMMAND, (COMMAND,) + words)
                # The child may have done so already, and be another program by now.
                try: os.setpgid(child, child)
                except PermissionError: pass
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                os.tcsetpgrp(0, child)
                while True:
                    _, status = os.waitpid(child, os.WUNTRACED)
                    if not os.WIFSTOPPED(status): break
                    os.write(1, b"stopped\\n")
                    time.sleep(0.3)
                    os.killpg(child, signal.SIGCONT)
                os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
        def read(seconds):
            global shown
            if select.select([screen], [], [], seconds)[0]:
                try: part = os.read(screen, 65536)
                except OSError: return False
                shown += part
                return bool(part)
            return True
        def expect(text, seconds=10):
            end = time.time() + seconds
            while text.encode() not in shown and time.time() < end and read(0.05): pass
        def pause(seconds):
            end = time.time() + seconds
            while time.time() < end: read(0.02)
        def send(text): os.write(screen, text)
        def stopped(): expect("stopped")
        def resume(): pass
        def finish(seconds=20):
            end = time.time() + seconds
            while time.time() < end and read(0.1): pass
            if time.time() >= end: os.kill(pid, signal.SIGKILL)
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            sys.stdout.buffer.write(shown.replace(b"\\r\\n", b"\\n") + b"status %d\\n" % status)
        COMMAND = os.environ["COMMAND"]
        TELLER = os.environ.get("TELLER", "")
        """
    var environment: [String: String?] = ["COMMAND": Built.command]
    for (name, value) in variables { environment[name] = value }
    return try launch(["python3", "-c", prelude + "\n" + script], environment: environment)
}
