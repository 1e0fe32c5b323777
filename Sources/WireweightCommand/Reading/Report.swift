import ArgumentParser
import TextFormats
import TrafficModel
import TrafficReports

/// `wireweight report`: prints the bytes and times of a store, grouped.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what each API, host, path, status, type, method or process weighed, and where the time went.",
        discussion: """
            Reads a file that 'run' or an app has written, also while it is being written. An API is a method, a host \
            and a path whose ids are replaced, so that /users/1 and /users/2 are one row. Every exchange that was \
            metered counts, also those whose rows are no longer kept; only grouped by path the rows are counted. \
            A range is widened to whole minutes. Percentiles come from histograms and are off by at most 1.1 %.

            In the table, Share is of all bytes; Headers (cookies included) and Cookies are of the row's bytes; Ratio \
            is decoded by encoded size of the compressed bodies whose decoded size is known; 304 counts responses \
            that said that nothing has changed; Reuse is the share of exchanges that found their connection open. \
            Columns that do not fit are left out; the other formats have them all.

            Example: wireweight report traffic.db --by host --since 2h --sort latency --limit 10
            Example: wireweight report traffic.db --show latency --sort waiting
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, json, csv, markdown
    }

    @Argument(help: "The file with the traffic.")
    var file: String

    @Option(help: "What the rows are.")
    var by = TrafficGrouping.api

    @OptionGroup var time: RangeOptions

    @Option(help: "What comes first: the largest, slowest (95th percentile), last seen, or first of the alphabet.")
    var sort = TrafficReport.Sort.bytes

    @Option(help: ArgumentHelp("Show at most this many rows, and the others as one.", valueName: "n"))
    var limit: Int?

    @Option(
        help: """
            Which ports of a host are one service, named 'host:*': none (each), those from 32768 on of this machine \
            itself (fixed), or all but the scheme's own (any).
            """)
    var ports = PortRule.each

    @Option(help: "What the columns of a table or of Markdown are about.")
    var show = ReportView.bytes

    @Option(help: "How to print it.")
    var format = Format.table

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
    }

    func run() throws {
        try withReader(file) { reader in
            let style = Terminal.style
            let report = try TrafficReport(
                of: reader, by: by, in: time.range, sort: sort, limit: limit, slots: slots(style), ports: ports)
            var output = Output()
            switch format {
            case .table: try output.write(report.table(style, show))
            case .json: try output.write(report.json)
            case .csv: try output.write(report.csv)
            case .markdown: try output.write(report.markdown(show))
            }
            try output.flush()
        }
    }

    private func slots(_ style: TextStyle) -> Int? {
        switch format {
        case .table: Terminal.isOutput ? TrafficReport.slots(fitting: style.width) : nil
        case .json: TrafficReport.mostSlots
        case .csv, .markdown: nil
        }
    }
}
