import ArgumentParser
import TextFormats
import TrafficModel
import TrafficReports

/// `wireweight report`: prints the bytes and times of a store, grouped.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what each API, host, path, status, type, method or process weighed, and where the time went.",
        discussion: """
            Reads a file that 'run' or an app has written or is still writing. An API is a method, a host and a path \
            with its ids replaced, so /users/1 and /users/2 are one row. Every exchange that was metered counts, \
            even if its row is no longer kept; only '--by path' counts just the rows that are kept. A time range is \
            widened to whole minutes. Percentiles come from histograms and are off by at most 1.1 %.

            What the program called as a client and what it served as a server are never added up: if the file has \
            both, there is one report for each. In JSON that of what was served is the member 'served', and in CSV \
            each row has its direction.

            In the table, Share is the row's share of all bytes; Headers (including cookies) and Cookies are parts \
            of the row's bytes; Overhead is TLS, HTTP/2 frames and the like; 'With IP ≈' is all of that plus an \
            estimate of the headers of TCP and IP; Ratio is the decoded size of compressed bodies divided by their \
            size on the wire; 304 counts "not modified" responses; Reuse is the share of exchanges \
            on a connection that was already open. Columns that do not fit are left out; the other formats have them all.

            Example: wireweight report traffic.db --by host --since 2h --sort latency --limit 10
            Example: wireweight report traffic.db --show latency --sort wait
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, json, csv, markdown
    }

    @OptionGroup var store: StoreArgument

    @Option(help: "What each row stands for.")
    var by = TrafficGrouping.api

    @OptionGroup var time: RangeOptions

    @Option(help: "Only what the program called, or only what it served; without this, one report for each.")
    var direction: TrafficDirection?

    @Option(help: "What comes first: the largest, slowest (95th percentile), last seen, or first by name.")
    var sort = TrafficReport.Sort.bytes

    @Option(
        help: ArgumentHelp(
            "Show at most this many rows, and the rest as one. By path it is 1000 if not given.", valueName: "n"))
    var limit: Int?

    @Option(
        help: """
            Which ports of a host to count as one, named 'host:*': none (each), those of this machine from 32768 up \
            (fixed), or all but the scheme's default port (any).
            """)
    var ports = PortRule.each

    @Option(help: "Which columns a table or Markdown has.")
    var show = ReportView.bytes

    @Option(help: "How to print it.")
    var format = Format.table

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
    }

    func run() throws {
        let file = try store.path()
        try withReader(file) { reader in
            let style = Terminal.style
            let directions = try direction.map { [$0] } ?? reader.directions(in: time.range)
            let reports = try DirectedReports(of: directions) {
                try TrafficReport(
                    of: reader, by: by, direction: $0, in: time.range, sort: sort, limit: limit,
                    slots: slots(style), ports: ports)
            }
            var output = Output()
            switch format {
            case .table: try output.write(reports.table(style, show))
            case .json: try output.write(reports.json)
            case .csv: try output.write(reports.csv)
            case .markdown: try output.write(reports.markdown(show))
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
