import ArgumentParser
import TextFormats
import TrafficModel
import TrafficReports

/// `wireweight budget record`: writes the budgets of a run into a lockfile.
struct BudgetRecord: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Write what each API of a run weighed into a lockfile.",
        discussion: """
            The lockfile has one figure per line, sorted, so that a diff shows what changed; the same run makes the \
            same file. If the lockfile already exists, its tolerance, and the tolerance and 'callP95' of single APIs, are kept.

            Example: wireweight budget record traffic.db --lockfile traffic.lock.json --tolerance 10%

            More: docs/budgets.md
            """)

    @OptionGroup var store: StoreArgument

    @OptionGroup var options: LockfileOptions

    @Option(
        help: ArgumentHelp(
            "How far a later run may exceed a budget. The default is the existing lockfile's, or else 5%.",
            valueName: "percentage"))
    var tolerance: String?

    @OptionGroup var ports: PortOptions

    @OptionGroup var time: RangeOptions

    func validate() throws {
        if let tolerance, Tolerance(tolerance) == nil {
            throw ValidationError("'--tolerance \(tolerance)' is not valid; \(Tolerance.rule)")
        }
    }

    func run() throws {
        let file = try store.path()
        try withReader(file) { reader in
            let place = LockfileOnDisk(path: options.lockfile)
            let lockfile = try Lockfile(
                recording: reader, in: time.range, tolerance: tolerance.flatMap { Tolerance($0) },
                replacing: place.exists ? place.read() : nil, ports: ports.ports)
            guard !lockfile.budgets.isEmpty else {
                throw ReadingFailure("'\(file)' has no requests in that time; nothing was recorded")
            }
            try place.write(lockfile)
            let count = Units.count(Int64(lockfile.budgets.count))
            let noun = lockfile.budgets.count == 1 ? "API" : "APIs"
            Terminal.note(
                "\(count) \(noun) recorded in \(options.lockfile), with a tolerance of \(lockfile.tolerance)")
            let losses = try reader.losses().filter { $0.count > 0 }
            if !losses.isEmpty {
                Terminal.note("Warning: part of the run was lost, so the budgets are too small; meter it again.")
            }
        }
    }
}
