import ArgumentParser
import TextFormats
import TrafficModel
import TrafficReports

extension TrafficDiff.Sort: ExpressibleByArgument {}

/// `wireweight diff`: compares the stores of two runs.
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare two runs, API by API: bytes and latency, what changed most first.",
        usage: "wireweight diff [<before> <after>] [<options>]",
        discussion: """
            Bytes are counted, so each difference of sums is real. Durations vary by themselves, so an API is called \
            'slower' or 'faster' only if the difference is statistically significant (Mann-Whitney test on the \
            histograms, 5 % across all APIs); the 95 % interval of the ratio follows. Otherwise it says 'no clear \
            change'. What single calls weigh is compared in the same way: 'heavier' or 'lighter', with the median \
            (Call p50) and the 95th percentile (Call p95) of both runs. The test \
            assumes that requests are independent of each other; if the machine was busy during one run, that \
            shows as a difference, too.

            Example: wireweight diff before.db after.db --sort latency --limit 10

            More: docs/budgets.md
            """)

    enum Format: String, OutputFormat {
        case table, json, csv, markdown
        static let usual = table
    }

    @Argument(
        help: "The files with the earlier and the later run; the last two runs without a file if left out.",
        completion: .file())
    var files: [String] = []

    @Option(
        help: """
            What comes first: the largest change in total bytes, in bytes per request, in what one call weighs \
            (median ratio), in latency, or by name.
            """)
    var sort = TrafficDiff.Sort.bytes

    @Option(help: ArgumentHelp("Show at most this many APIs.", valueName: "n"))
    var limit: Int?

    @OptionGroup var ports: PortOptions

    @OptionGroup var choice: ColumnOptions

    @OptionGroup var printing: FormatOptions<Format>

    @OptionGroup var display: DisplayOptions

    func validate() throws {
        guard files.isEmpty || files.count == 2 else {
            throw ValidationError("give two files, the earlier run's first, or none for the last two runs")
        }
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
        _ = try choice.chosen(among: TrafficDiff.columnNames)
    }

    func run() throws {
        let files = try files.isEmpty ? StoreArgument.lastRuns(2) : files
        try withReader(files[0], showsProgress: true) { first in
            try withReader(files[1]) { second in
                let diff = try TrafficDiff(before: first, after: second, sort: sort, limit: limit, ports: ports.ports)
                var output = Output.paged()
                switch printing.format {
                case .table:
                    var style = Terminal.tableStyle
                    style.columns = try choice.chosen(among: TrafficDiff.columnNames)
                    try output.write(diff.table(style))
                case .markdown:
                    try output.write(diff.markdown(choosing: choice.chosen(among: TrafficDiff.columnNames)))
                case .json: try output.write(diff.json)
                case .csv:
                    try output.write(diff.csv)
                    diff.warning.map { Terminal.note($0) }
                }
                try output.flush()
            }
        }
    }
}
