import ArgumentParser
import TrafficModel
import TrafficReports

/// Prints where the bytes and the time went.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what each API, host, path, status, type or method weighed.",
        discussion: """
            Reads a file that 'run' or an app has written, also while it is being written. An API is a method, a host \
            and a path whose ids are replaced, so that /users/1 and /users/2 are one row. The totals count every \
            exchange that was metered, also those whose rows are no longer kept; grouped by path, status or type they \
            count the rows.

            Example: wireweight report traffic.db --by host --since 2h --sort latency --limit 10
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, json, csv, markdown
    }

    @Argument(help: "The file with the traffic.")
    var file: String

    @Option(help: "What the rows are.")
    var by = TrafficGrouping.api

    @OptionGroup var time: RangeOptions

    @Option(help: "What comes first: the largest, slowest (95th percentile) or, for name, the first of the alphabet.")
    var sort = TrafficReport.Sort.bytes

    @Option(help: ArgumentHelp("Show at most this many rows, and the others as one.", valueName: "n"))
    var limit: Int?

    @Option(help: "How to print it.")
    var format = Format.table

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
    }

    func run() throws {
        try withReader(file) { reader in
            let report = try TrafficReport(of: reader, by: by, in: time.range, sort: sort, limit: limit)
            var output = Output()
            switch format {
            case .table: try output.write(report.table(Terminal.style))
            case .json: try output.write(report.json)
            case .csv: try output.write(report.csv)
            case .markdown: try output.write(report.markdown)
            }
            try output.flush()
        }
    }
}
