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
            an API that has no budget (unless '--allow-new' is given), or a run without any requests. APIs that \
            vanished or became smaller are shown; with '--forbid-vanished', a vanished API is a breach, too.

            The exit status is 0 if every budget is kept, 1 if one is breached, and 65 if the lockfile or the file \
            with the traffic is broken.

            Example: wireweight budget check traffic.db --format markdown > comment.md
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, markdown, json
    }

    @OptionGroup var store: StoreArgument

    @OptionGroup var options: LockfileOptions

    @Flag(help: "Do not count an API without a budget as a breach.")
    var allowNew = false

    @Flag(help: "Count an API that has a budget but is no longer called as a breach.")
    var forbidVanished = false

    @OptionGroup var time: RangeOptions

    @Option(help: "How to print it.")
    var format = Format.table

    func run() throws {
        let file = try store.path()
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
