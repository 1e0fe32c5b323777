import ArgumentParser
import MachineExamination
import TrafficExport
import Wireweight

/// `wireweight doctor`: reports what can be metered on this machine, and proves it.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what this machine and a program can meter, and prove it with requests of its own.",
        discussion: """
            Makes requests to a server on this machine in every style of URLSession and by curl, meters them as \
            TrafficMonitor does in a process and as 'run' does from outside, and puts the metered bytes beside those \
            that the server logged. Says which versions are at work, what is exact, what is estimated, what cannot be \
            seen, and what to do about it. A program that stands behind '--' is looked at, and not run.

            The exit status is 0 when every style that can be tried here is metered to the byte and the program, if \
            one is given, can be metered; else 1.

            Example: wireweight doctor
            Example: wireweight doctor --json
            Example: wireweight doctor -- git
            """)

    @Flag(help: "Print one JSON object instead of the text.")
    var json = false

    @Option(help: ArgumentHelp("Look at this program, too; the same as behind '--'.", valueName: "path"))
    var program: String?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The program to look at; arguments behind its name are not looked at.", valueName: "program")
    )
    var command: [String] = []

    @Flag(inversion: .prefixedNo, help: "Show on the terminal how far it is.")
    var progress = true

    func validate() throws {
        if program != nil && !command.isEmpty {
            throw ValidationError("a program is given twice, by '--program' and behind '--'; give one")
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
        try output.write(json ? examination.json : examination.text(Terminal.style))
        try output.flush()
        if !examination.isPassed { throw ExitCode.failure }
    }
}
