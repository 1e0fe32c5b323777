import Foundation
import Testing

@testable import WireweightCommand

/// What a command says if its output cannot be written.
@Suite("Output that cannot be written", .enabled(if: Built.isComplete, "needs 'make build'"))
struct WriteFailureTests {
    @Test("a full disk is an error that says what to do", .enabled(if: Files.exists("/dev/full"), "needs /dev/full"))
    func fullDisk() throws {
        let full = "cannot write to '/dev/full': No space left on device; make room there, or name a file elsewhere"
        let export = try launch([
            Built.command, "export", DemoFile.path, "--format", "har", "--output", "/dev/full",
        ])
        #expect(export.status == 74 && export.errorText == "error: \(full)\n", "\(export)")
        let report = try launch(["sh", "-c", "'\(Built.command)' report '\(DemoFile.path)' >/dev/full"])
        #expect(report.status == 74)
        #expect(
            report.errorText
                == "error: cannot write to standard output: No space left on device; make room where it goes\n")
        // A program that fails keeps its status.
        for (program, status) in [("true", Int32(74)), ("false", 1)] {
            let run = try launch([Built.command, "run", "--no-keep", "--output", "/dev/full", "--", program])
            #expect(run.status == status && run.errorText.hasSuffix("error: \(full)\n"), "\(run)")
        }
    }

    @Test(
        "each obstacle has its remedy",
        arguments: [
            (ENOENT, "make its folder first"), (EISDIR, "name a file, not a folder"),
            (EROFS, "name a file where you may write"), (EIO, "name another file"),
        ])
    func remedies(code: Int32, remedy: String) {
        #expect(WriteFailure.text(to: "a/b", code).hasPrefix("cannot write to 'a/b': "))
        #expect(WriteFailure.text(to: "a/b", code).hasSuffix("; \(remedy)"))
    }
}
