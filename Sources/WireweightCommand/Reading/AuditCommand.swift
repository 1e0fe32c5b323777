import ArgumentParser
import TextFormats
import TrafficModel
import TrafficAudit

/// `wireweight audit`: prints findings about bytes and time that could be saved.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show what could be saved, the largest saving first, with the evidence.",
        discussion: """
            Examines the newest exchanges of the range for uncompressed text, bodies that are fetched twice, polling, \
            large cookies, redirects, connections that are not reused, slow phases, failures, and networks that tamper. \
            Each finding says what is wrong, what to do, what that saves in total and per 1,000 calls, how the figure \
            is known, and which exchanges show it. Figures are scaled to all calls of the range. docs/audit.md \
            describes every rule.

            Example: wireweight audit traffic.db --since 1h --limit 10

            More: docs/audit.md
            """)

    enum Format: String, OutputFormat {
        case table, json, csv, markdown
        static let usual = table
    }

    @OptionGroup var store: StoreArgument

    @OptionGroup var filters: FilterOptions

    @OptionGroup var time: RangeOptions

    @Option(help: "Only calls to this host, at any port; with a port, only at that one.")
    var host: String?

    @Option(
        help: "Only what the program called, or only what it served; without this both, each by the rules that apply.")
    var direction: TrafficDirection?

    @Option(help: ArgumentHelp("Examine at most this many exchanges, the newest of the range.", valueName: "n"))
    var examine = Audit.usualExamination

    @Option(help: "What comes first: what saves most bytes and time together, most bytes, or most time.")
    var sort = Audit.Sort.saving

    @Option(
        help: ArgumentHelp(
            "Show at most this many findings.", discussion: "Default: 20; in the json and csv formats, all.",
            valueName: "n"))
    var limit: Int?

    @OptionGroup var printing: FormatOptions<Format>

    @OptionGroup var display: DisplayOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
        if examine < 1 { throw ValidationError("'--examine' must be at least 1") }
    }

    func run() throws {
        let file = try store.path()
        try withReader(file) { store in
            let reader = try filters.filtered(store)
            let progress = ProgressLine("looking at exchanges")
            let limit = limit ?? ([.json, .csv].contains(printing.format) ? nil : 20)
            let audit = try Audit(
                of: reader, in: time.range, direction: direction, host: host?.lowercased(), examine: examine,
                sort: sort, limit: limit
            ) { progress.show(Units.count(Int64($0))) }
            progress.clear()
            var output = Output.paged()
            switch printing.format {
            case .table: try output.write(audit.table(Terminal.style))
            case .json: try output.write(audit.json)
            case .csv:
                try output.write(audit.csv)
                for note in audit.notes(in: Terminal.zone) { Terminal.note(note) }
            case .markdown: try output.write(audit.markdown)
            }
            try output.flush()
        }
    }
}
