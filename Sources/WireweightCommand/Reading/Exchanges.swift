import ArgumentParser
import TrafficModel
import TrafficReports

/// `wireweight exchanges`: lists exchanges, one on each line.
struct Exchanges: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List requests with their responses, one exchange per line.",
        discussion: """
            If several conditions are given, all must hold. The ndjson format prints one object per line.

            Example: wireweight exchanges traffic.db --status 5xx --slower 500ms --since 1h --format ndjson
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, ndjson
    }

    @OptionGroup var store: StoreArgument

    @OptionGroup var conditions: ConditionOptions

    @OptionGroup var time: RangeOptions

    @Option(help: ArgumentHelp("Show at most this many exchanges.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Show the newest first.")
    var newest = false

    @Option(help: "How to print them.")
    var format = Format.table

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
    }

    func run() throws {
        let file = try store.path()
        try withReader(file) { reader in
            var output = Output()
            var table: ExchangeTable?
            var first: [StoredExchange] = []
            let hasDirections = try format == .table && reader.directions(in: time.range).contains(.served)
            func begin() throws {
                let begun = ExchangeTable(Terminal.style, measuring: first, hasDirections: hasDirections)
                table = begun
                try output.write(begun.header + "\n")
                for exchange in first { try output.write(begun.line(exchange) + "\n") }
                first = []
            }
            var left = limit ?? Int.max
            let order = newest ? ExchangeOrder.newestFirst : .oldestFirst
            try reader.forEachHead(matching: conditions.filter(in: time.range), order: order, after: nil) { exchange in
                if format == .ndjson {
                    try output.write(ExchangeLine(exchange).ndjson + "\n")
                } else if let table {
                    try output.write(table.line(exchange) + "\n")
                } else {
                    first.append(exchange)
                    if first.count == ExchangeTable.measured { try begin() }
                }
                left -= 1
                return left > 0
            }
            if format == .table, table == nil { try begin() }
            try output.flush()
            if format == .table, left == limit ?? Int.max {
                let all = try reader.overview().exchanges
                Terminal.note(all == 0 ? "the file has no exchanges" : "no exchange matches; the file has \(all)")
            }
        }
    }
}
