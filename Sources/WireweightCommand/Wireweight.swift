import ArgumentParser

/// The command.
@main
struct WireweightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wireweight",
        abstract: "Tells what every API call weighs on the wire, exact to the byte.",
        discussion: """
            Example: wireweight run -- curl https://example.com
            """,
        version: "0.1.0",
        subcommands: [Run.self, Demo.self, Report.self, Exchanges.self, Show.self])
}
