import ArgumentParser
import MachineExamination
import TrafficExport
import Wireweight

/// `wireweight doctor`: reports what can be metered on this machine, and proves it.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check what can be metered on this machine and of a program, and prove it with test requests.",
        discussion: """
            Makes requests to a server on this machine in every style of URLSession and with curl, meters them as \
            TrafficMonitor does in a process and as 'run' does from outside, and compares the metered bytes with those \
            that the server logged. Prints which versions are in use, what is exact, what is estimated, what cannot be \
            seen, and what to do about it. A program given after '--' is examined, not run: the first lines say whether \
            'run' will meter it exactly, see only the bytes of its connections, or see nothing, why, and what to do.

            The exit status is 0 if every style that can be tried here is metered to the byte and, if a program is \
            given, at least its connections are seen; otherwise it is 1.

            Example: wireweight doctor
            Example: wireweight doctor --json
            Example: wireweight doctor -- git
            Example: wireweight doctor -- node client.js

            More: docs/doctor.md
            """)

    @Flag(
        help: ArgumentHelp(
            "Also print what was found out about this machine.",
            discussion: "Without a program, it is always printed."))
    var verbose = false

    @OptionGroup var printing: FormatOptions<TextOrJSON>

    @OptionGroup var display: DisplayOptions

    @Option(
        help: ArgumentHelp("Examine this program, too; the same as after '--'.", valueName: "path"), completion: .file()
    )
    var program: String?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The program to examine; its arguments are ignored.", valueName: "program")
    )
    var command: [String] = []

    @Flag(inversion: .prefixedNo, help: "Show progress on the terminal.")
    var progress = true

    func validate() throws {
        if program != nil && !command.isEmpty {
            throw ValidationError("a program is given twice, by '--program' and after '--'; give one")
        }
    }

    func run() throws {
        var diagnosis: ProgramDiagnosis?
        if let name = program ?? command.first {
            do throws(RunFailure) {
                diagnosis = ProgramDiagnosis(try Program(name: name))
            } catch {
                Terminal.complain(error.message)
                throw ExitCode.badInput
            }
        }
        let line = ProgressLine("examining", isWanted: progress)
        let examination = Examination.make(
            version: Producer.version, program: diagnosis,
            selfTest: { progress in try? InspectorHost.wait { await TrafficMonitor.selfTest(progress: progress) } }
        ) { line.show($0) }
        line.clear()
        var output = Output()
        try output.write(
            printing.format == .json ? examination.json : examination.text(Terminal.style, isVerbose: verbose))
        try output.flush()
        if !examination.isPassed { throw ExitCode.failure }
    }
}
