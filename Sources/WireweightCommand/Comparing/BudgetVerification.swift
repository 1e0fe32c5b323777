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
            an API of which one call weighs too much (the 95th percentile of its bytes in both directions, within \
            1.1 %, is above '--call-p95' or the API's own 'callP95' in the lockfile; no tolerance applies), \
            an API that has no budget (unless '--allow-new' is given), or a run without any requests. APIs that \
            vanished or became smaller are shown; with '--forbid-vanished', a vanished API is a breach, too.

            The exit status is 0 if every budget is kept, 1 if one is breached, and 65 if the lockfile or the file \
            with the traffic is broken.

            Example: wireweight budget check traffic.db --format markdown > comment.md
            Example: wireweight budget check traffic.db --call-p95 40KB

            More: docs/budgets.md
            """)

    enum Format: String, OutputFormat {
        case table, json, csv, markdown
        static let usual = table
    }

    @OptionGroup var store: StoreArgument

    @OptionGroup var options: LockfileOptions

    @Flag(help: "Do not count an API without a budget as a breach.")
    var allowNew = false

    @Flag(help: "Count an API that has a budget but is no longer called as a breach.")
    var forbidVanished = false

    @Option(
        name: .customLong("call-p95"),
        help: ArgumentHelp(
            "The most that the 95th percentile of one call's bytes may be, such as 40KB, for APIs without 'callP95'.",
            valueName: "size"))
    var callP95: SizeArgument?

    @OptionGroup var time: RangeOptions

    @OptionGroup var printing: FormatOptions<Format>

    @OptionGroup var display: DisplayOptions

    func run() throws {
        let file = try store.path()
        try withReader(file) { reader in
            let check = try BudgetCheck(
                of: reader, in: time.range, against: LockfileOnDisk(path: options.lockfile).read(),
                rules: .init(allowsNew: allowNew, forbidsVanished: forbidVanished, callP95: callP95?.bytes))
            do {
                try write(check)
            } catch let code as ExitCode where code == .success {
                // The reader closed the pipe early, which does not change the outcome.
            }
            if !check.isPassed { throw ExitCode.failure }
        }
    }

    private func write(_ check: BudgetCheck) throws {
        var output = Output.paged()
        switch printing.format {
        case .table: try output.write(check.table(Terminal.style))
        case .markdown: try output.write(check.markdown)
        case .json: try output.write(check.json)
        case .csv:
            try output.write(check.csv)
            check.warning.map { Terminal.note($0) }
        }
        try output.flush()
    }
}
