import ArgumentParser
import ClickHouse
import TextFormats
import TrafficInspector
import TrafficModel
import TrafficReports

/// `wireweight report`: prints the bytes and times of a store, grouped.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Show what each API, host, path, status, type, method, process or device weighed, and where the time went.",
        discussion: """
            Reads a file that 'run' or an app has written or is still writing. An API is a method, a host and a path \
            with its ids replaced, so /users/1 and /users/2 are one row. Every exchange that was metered counts, \
            even if its row is no longer kept. Some reports count only rows that are kept, and say so: '--by path' and \
            '--by network', those by where requests come from (service to installation), and one with a '--filter', unless the filter and the rows are by host, method, API and direction alone. A time range is widened to whole minutes. Percentiles come from histograms and are off by at most \
            1.1 %.

            What the program called as a client and what it served as a server are never added up: if the file has \
            both, there is one report for each. In JSON that of what was served is the member 'served', and in CSV \
            each row has its direction. '--by device' has what 'wireweight proxy' served, a row for each device. '--by \
            region' and '--by carrier' have what 'cloud.region' and 'network.carrier.name' in OTEL_RESOURCE_ATTRIBUTES, \
            or the program, said while it was metered.

            In the table, Total is Up and Down together. Per call is the median of what one call weighs, and Call p95 \
            the weight that 95 % of the calls do not exceed; one call is one exchange, its request with its response. \
            An unfinished call does not count. Share is the row's share of all bytes; Headers (including cookies) and \
            Cookies are parts of the row's bytes; Overhead is TLS, HTTP/2 frames and the like; 'With IP ≈' is all of that plus an \
            estimate of the headers of TCP and IP; Compression is the decoded size of compressed bodies divided by their \
            size on the wire; 304 counts "not modified" responses; Reused is the share of exchanges \
            on a connection that was already open. Columns that do not fit are left out; the other formats have them all.

            Example: wireweight report traffic.db --by host --since 2h --sort latency --limit 10
            Example: wireweight report traffic.db --show latency --sort wait
            Example: wireweight report traffic.db --filter 'status:4xx,5xx -path:/health'
            Example: wireweight report traffic.db --html report.html

            More: docs/using.md
            """)

    enum Format: String, OutputFormat {
        case table, json, csv, markdown
        static let usual = table
    }

    @OptionGroup var store: StoreArgument

    @Option(help: "What each row stands for.")
    var by = TrafficGrouping.api

    @OptionGroup var filters: FilterOptions

    @OptionGroup var time: RangeOptions

    @Option(help: "Only what the program called, or only what it served; without this, one report for each.")
    var direction: TrafficDirection?

    @Option(
        help:
            "What comes first: the largest, slowest or heaviest per call (95th percentile), last seen, or first by name."
    )
    var sort = TrafficReport.Sort.bytes

    @Option(
        help: ArgumentHelp(
            "Show at most this many rows, and the rest as one. By path it is 1000 if not given.", valueName: "n"))
    var limit: Int?

    @Option(
        help: """
            Which ports of a host to count as one, named 'host:*': none (each), those of this machine from 32768 up \
            (fixed), or all but the scheme's default port (any); none if left out.
            """)
    var ports: PortRule?

    @Option(help: "Which columns a table or Markdown has.")
    var show = ReportView.bytes

    @Option(
        help: ArgumentHelp(
            "Write a page to this file instead: sums, a map, APIs, the slowest requests, findings, the ledger.",
            discussion: """
                One HTML file without scripts, for a ticket or a CI run. It takes '--filter', '--since', '--until' and \
                '--direction'.
                """,
            valueName: "file"), completion: .file())
    var html: String?

    @OptionGroup var choice: ColumnOptions

    @OptionGroup var projectOptions: ProjectOptions

    @OptionGroup var printing: FormatOptions<Format>

    @OptionGroup var display: DisplayOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
        if html != nil, printing.format != .table {
            throw ValidationError("'--html' writes a page; leave out '--format', or run the command twice")
        }
        if by == .device, direction == .called {
            throw ValidationError(
                "'--by device' adds up what was served to each device; leave out '--direction called'")
        }
        if let html, let file = store.file, Files.isSame(html, file) {
            throw ValidationError("'--html' names the file with the traffic; name another one")
        }
        _ = try choice.chosen(among: ReportView.columnNames(by: by))
    }

    func run() throws {
        let project = try projectOptions.file()
        let hasColumns = printing.format == .table || printing.format == .markdown
        // Options come before the project's settings.
        let isUsual = choice.columns == nil && show == .bytes
        let usual = hasColumns && isUsual ? try projectOptions.columns(of: project) : nil
        if let project, project.ports != nil || usual != nil {
            Terminal.note("settings: \(project.path)")
        }
        let file = try store.path()
        try checkGrouping(of: file)
        if let html { return try writePage(of: file, to: html) }
        try withReader(file, showsProgress: true) { store in
            let reader = try filters.filtered(store)
            var style = Terminal.tableStyle
            style.columns = try choice.chosen(among: ReportView.columnNames(by: by)) ?? usual
            let directions = try (by == .device ? .served : direction).map { [$0] } ?? reader.directions(in: time.range)
            let reports = try DirectedReports(of: directions) {
                try TrafficReport(
                    of: reader, by: by, direction: $0, in: time.range, sort: sort, limit: limit,
                    slots: slots(style), ports: ports ?? project?.ports ?? .each)
            }
            var output = Output.paged()
            switch printing.format {
            case .table: try output.write(reports.table(style, show))
            case .json: try output.write(reports.json)
            case .csv:
                try output.write(reports.csv)
                for report in reports.all {
                    // In CSV there is no room for a sentence.
                    report.selection.map { Terminal.note($0.sentence(report.totals.requests, in: Terminal.zone)) }
                    report.completeness.withoutDetails.map { Terminal.note($0.english) }
                }
            case .markdown: try output.write(reports.markdown(show, style))
            }
            try output.flush()
        }
    }

    /// Ends the command if a file, or a filter of a fleet, has no such rows.
    private func checkGrouping(of file: String) throws {
        guard FleetURL.isMeant(by: file) else {
            guard TrafficGrouping.fleetCases.contains(by) else { return }
            throw ValidationError(
                "'--by \(by)' is for a fleet; give its address, 'clickhouse://HOST:PORT/DATABASE', instead of a file")
        }
        if (TrafficGrouping.sourceCases + TrafficGrouping.fleetCases).contains(by), try !filters.expression().isEmpty {
            throw ValidationError(
                "'--by \(by)' of a fleet adds up all that was sent, and '--filter' counts rows; use parameters of the address instead"
            )
        }
    }

    private func writePage(of file: String, to path: String) throws {
        try withReader(file, showsProgress: true) { store in
            var filter = ExchangeFilter()
            filter.range = time.range
            filter.direction = direction
            filter.expression = try filters.expression()
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let page = try SavedPage(of: store, filter, name: name, in: Terminal.zone).html()
            var output = try Output(path: path)
            try output.write(page)
            try output.flush()
        }
        Terminal.note("wrote \(path)")
    }

    private func slots(_ style: TextStyle) -> Int? {
        switch printing.format {
        case .table: Terminal.isOutput ? TrafficReport.slots(fitting: style.width) : nil
        case .json: TrafficReport.mostSlots
        case .csv, .markdown: nil
        }
    }
}
