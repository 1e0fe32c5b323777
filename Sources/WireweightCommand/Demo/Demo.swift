import ArgumentParser
import Foundation
import MachineExamination
import TrafficModel
import Wireweight

/// `wireweight demo`: meters a real client of a local API, and compares the sums with the API's own count.
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Meter a local API with a real URLSession client, and prove the sum.",
        discussion: """
            Starts an API on this machine and a client in the same process: 200 exchanges over 12 APIs, with gzip, \
            chunks, redirects, cookies, uploads, errors and cut connections. Prints what each API weighed, and \
            compares the metered bytes with those that the API itself counted on its sockets. Without --once it runs \
            until Ctrl-C, at about seven calls a second after the first 200 exchanges, and shows the traffic live in \
            a browser.

            Example: wireweight demo --once --db traffic.db

            More: docs/using.md
            """)

    @Option(
        help: ArgumentHelp("Keep the exchanges in this file; it is created if it does not exist.", valueName: "file"),
        completion: .file())
    var db: String?

    @Flag(help: "Run one round; the exit status is 0 only if the difference is 0.")
    var once = false

    @OptionGroup var printing: FormatOptions<TextOrJSON>

    @OptionGroup var display: DisplayOptions

    @OptionGroup var place: InspectorPlace

    func run() throws {
        do {
            let outcome = try DemoRun(storePath: db, place: place).run(once: once)
            var output = Output()
            try output.write(printing.format == .json ? outcome.json : outcome.text(Terminal.style, storePath: db))
            try output.flush()
            if !outcome.isProven { throw ExitCode.failure }
        } catch let error as MonitorError {
            Terminal.complain(error.message)
            switch error.code {
            case .unusableStore: throw ExitCode.badInput
            case .cannotStore: throw ExitCode(73)
            case .wrongConfiguration: throw ExitCode(64)
            default: throw ExitCode.failure
            }
        } catch let failure as RunFailure {
            Terminal.complain(failure.message)
            throw ExitCode(failure.status)
        }
    }
}
