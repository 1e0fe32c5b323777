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
            Example: wireweight report --by host

            Commands that read traffic take the last run if no file is named. 'wireweight help \
            exit-status' says how a command ends; 'man wireweight' has the manual. The pages that 'More:' names are in the source, and where the \
            package is installed in share/doc/wireweight; docs/using.md is a guide with examples.
            """,
        version: "wireweight \(Producer.version)",
        groupedSubcommands: [
            CommandGroup(name: "Record", subcommands: [Run.self, ProxyCommand.self, Import.self, Demo.self]),
            CommandGroup(
                name: "Read",
                subcommands: [
                    Report.self, Exchanges.self, Show.self, Connections.self, Lookups.self, AuditCommand.self,
                    Inspect.self,
                ]),
            CommandGroup(name: "Compare", subcommands: [Diff.self, BudgetCommand.self, Verify.self]),
            CommandGroup(name: "Share", subcommands: [Export.self, Ship.self, FleetCommand.self]),
            CommandGroup(name: "Set up", subcommands: [Doctor.self, Completions.self, CanaryCommand.self]),
        ])

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        if Array(words) == ["help", ExitStatusText.topic] {
            var output = Output()
            do {
                try output.write(ExitStatusText.text)
                try output.flush()
            } catch { end(error) }
            return
        }
        if let complaint = Spelling.complaint(about: words) {
            Terminal.complain(complaint)
            exit(withError: ExitCode.validationFailure)
        }
        do {
            if Array(words) == ["--version"] {
                var output = Output()
                try output.write(VersionText.text)
                return try output.flush()
            }
            var command = try parseAsRoot()
            try command.run()
        } catch {
            end(error)
        }
        if !Pager.finish() { exit(withError: ExitCode.unavailable) }
    }

    /// Ends the process with the status of an error, and with its message in the form of all others.
    private static func end(_ error: any Error) -> Never {
        let isShown = Pager.finish()
        let status = exitCode(for: error)
        if status.isSuccess && !isShown { exit(withError: ExitCode.unavailable) }
        let text = fullMessage(for: error)
        guard !status.isSuccess, text.hasPrefix("Error: ") else { exit(withError: error) }
        let lines = Spelling.corrected(String(text.dropFirst("Error: ".count))).split(separator: "\n")
        Terminal.complain(lines.first.map(String.init) ?? "")
        for line in lines.dropFirst() { Terminal.note(String(line)) }
        exit(withError: status)
    }
}
