import ArgumentParser
import TrafficExport

/// The command `wireweight`.
///
/// Its subcommands run on the main thread, because the signal mask is set there and other threads inherit it.
@main
struct WireweightCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wireweight",
        abstract: "Measures what every API call weighs on the wire, exact to the byte.",
        discussion: """
            Example: wireweight run -- curl https://example.com
            """,
        version: Producer.version,
        subcommands: [
            Run.self, Demo.self, Report.self, Exchanges.self, Show.self, Connections.self, AuditCommand.self,
            Diff.self, BudgetCommand.self, Verify.self, Doctor.self, Inspect.self, Export.self, Import.self,
            CanaryCommand.self,
        ])

    static func main() {
        if let word = CommandLine.arguments.dropFirst().first, let complaint = Spelling.complaint(about: word) {
            Terminal.complain(complaint)
            exit(withError: ExitCode.validationFailure)
        }
        main(nil)
    }
}
