import ArgumentParser

/// `wireweight budget`: records what each API sends and receives, and checks later runs against it.
struct BudgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget",
        abstract: "Record what each API weighs, and check another run against it.",
        discussion: """
            For runs that make the same requests each time, such as tests: a budget is the sum of an API over the whole \
            run. Meter each run into a file of its own.

            Example: wireweight run --db base.db -- ./tests && wireweight budget record base.db
            Example: wireweight run --db new.db -- ./tests && wireweight budget check new.db

            More: docs/budgets.md
            """,
        subcommands: [BudgetRecord.self, BudgetVerification.self])
}

/// The option that names the lockfile.
struct LockfileOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file with the budgets.", valueName: "file"), completion: .file())
    var lockfile = "traffic.lock.json"
}
