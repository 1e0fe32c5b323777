import ArgumentParser
import TextFormats
import TrafficModel
import TrafficReports
import TrafficStore

/// `wireweight exchanges`: lists exchanges, one on each line.
struct Exchanges: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List requests with their responses, one exchange per line.",
        discussion: """
            If several conditions are given, all must hold. The json format is one object with the array \
            'exchanges'; ndjson is one object per line.

            Ctrl-C ends '--follow' with status 0, as nothing has failed then.

            Example: wireweight exchanges traffic.db --follow --failed
            Example: wireweight exchanges traffic.db --status 5xx --slower 500ms --since 1h --format ndjson
            Example: wireweight exchanges traffic.db --filter 'status:4xx,5xx -path:/health larger:10k'

            More: docs/filter.md
            """)

    enum Format: String, OutputFormat {
        case table, json, ndjson, csv, markdown
        static let usual = table
    }

    @OptionGroup var store: StoreArgument

    @OptionGroup var conditions: ConditionOptions

    @OptionGroup var time: RangeOptions

    @Option(help: ArgumentHelp("Show at most this many exchanges.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Show the newest first.")
    var newest = false

    @Flag(
        help: ArgumentHelp(
            "Print the exchanges that end from now on, as they end, until Ctrl-C.",
            discussion: "The file may be written by a program that runs meanwhile. With '--json', one object per line.")
    )
    var follow = false

    @OptionGroup var choice: ColumnOptions

    @OptionGroup var printing: FormatOptions<Format>

    @OptionGroup var display: DisplayOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
        if follow && newest {
            throw ValidationError("'--follow' prints in the order of the ends; leave '--newest' out")
        }
        _ = try choice.chosen(among: ExchangeTable.columnNames)
    }

    func run() throws {
        let file = try store.path()
        try withReader(file, showsProgress: !follow) { reader in
            let hasDirections = try reader.directions(in: time.range).contains(.served)
            var style = Terminal.tableStyle
            style.columns = try choice.chosen(among: ExchangeTable.columnNames)
            if follow { return try follow(reader, style) }
            // What was found is there at once; the widths of a table are then those of fewer rows, so only on a terminal.
            let isShown = Terminal.isOutput || printing.format != .table
            var shownAt = ContinuousClock.now
            var output = Output.paged()
            var printer = ExchangePrinter(printing.format, style, hasDirections: hasDirections)
            let order = newest ? ExchangeOrder.newestFirst : .oldestFirst
            func show() throws {
                guard isShown, printer.hasUnwritten, shownAt.duration(to: .now) > .milliseconds(100) else { return }
                try printer.catchUp(&output)
                shownAt = .now
            }
            let filter = try conditions.filter(in: time.range)
            func print(_ exchange: StoredExchange) throws -> Bool {
                try printer.write(exchange, to: &output)
                try show()
                return limit.map { printer.count < $0 } ?? true
            }
            if let store = reader as? StoreReader {
                try store.forEachHead(matching: filter, order: order, pause: show, print)
            } else {
                try reader.forEachHead(matching: filter, order: order, after: nil, print)
            }
            try printer.finish(&output)
            if printing.format == .table, printer.count == 0 {
                let all = try reader.overview().exchanges
                Terminal.note(all == 0 ? "the file has no exchanges" : "no exchange matches; the file has \(all)")
            }
        }
    }

    /// Prints exchanges as they end, until Ctrl-C, the limit, or the end of whoever reads them.
    private func follow(_ reader: any TrafficBrowsing, _ style: TextStyle) throws {
        let interrupt = Interrupt()
        var follower = try ExchangeFollower(reader, matching: conditions.filter(in: time.range))
        var output = Output()
        // What is served may begin at any time, so there is a column for the direction.
        var printer = ExchangePrinter(printing.format, style, hasDirections: true, isLive: true)
        while !interrupt.hasCome {
            for exchange in try follower.next() {
                try printer.write(exchange, to: &output)
                if let limit, printer.count >= limit { return try printer.finish(&output) }
            }
            try printer.catchUp(&output)
            interrupt.wait(atMost: 0.2)
        }
        try printer.finish(&output)
    }
}
