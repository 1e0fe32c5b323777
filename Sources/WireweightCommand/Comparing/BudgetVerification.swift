import ArgumentParser
import TrafficModel
import TrafficReports

/// `wireweight budget check`: compares a run with the budgets of a lockfile.
struct BudgetVerification: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compare a run with a lockfile: what grew, what is new, what vanished.",
        discussion: """
            A breach is an API whose requests, bytes up or bytes down are above the budget by more than the tolerance, \
            an API that has no budget (but with '--allow-new'), and a run without any requests. APIs that vanished or \
            became smaller are shown; with '--forbid-vanished' the former are breaches, too.

            Ends with 0 where every budget is kept, with 1 where one is breached, with 65 where the lockfile or the \
            file with the traffic is broken.

            Example: wireweight budget check traffic.db --format markdown > comment.md
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, markdown, json
    }

    @Argument(help: "The file with the traffic.")
    var file: String

    @OptionGroup var options: LockfileOptions

    @Flag(help: "An API that has no budget is no breach.")
    var allowNew = false

    @Flag(help: "An API with a budget that is not called any more is a breach.")
    var forbidVanished = false

    @OptionGroup var time: RangeOptions

    @Option(help: "How to print it.")
    var format = Format.table

    func run() throws {
        try withReader(file) { reader in
            let check = try BudgetCheck(
                of: reader, in: time.range, against: LockfileOnDisk(path: options.lockfile).read(),
                rules: .init(allowsNew: allowNew, forbidsVanished: forbidVanished))
            do {
                try write(check)
            } catch let code as ExitCode where code == .success {
                // The reader closed the pipe early, which does not change the outcome.
            }
            if !check.isPassed { throw ExitCode.failure }
        }
    }

    private func write(_ check: BudgetCheck) throws {
        var output = Output()
        switch format {
        case .table: try output.write(check.table(Terminal.style))
        case .markdown: try output.write(check.markdown)
        case .json: try output.write(check.json)
        }
        try output.flush()
    }
}
