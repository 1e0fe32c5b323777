import TextFormats
import TrafficExport
import TrafficModel
import TrafficReports

/// Prints exchanges one at a time, in one of the formats of `exchanges`.
struct ExchangePrinter {
    private let format: Exchanges.Format
    private let style: TextStyle
    private let hasDirections: Bool
    /// Whether each exchange is written at once, because the next may come much later.
    private let isLive: Bool
    private var table: ExchangeTable?
    /// Rows that wait until the table knows how wide their URLs are.
    private var waiting: [StoredExchange] = []
    private var hasHeading = false
    private(set) var count = 0
    // How many are written, so that nothing is left to show.
    private var written = 0

    init(_ format: Exchanges.Format, _ style: TextStyle, hasDirections: Bool, isLive: Bool = false) {
        self.format = format
        self.style = style
        self.hasDirections = hasDirections
        self.isLive = isLive
    }

    /// Whether an exchange is held back, or may be in the output's buffer.
    var hasUnwritten: Bool { written < count }

    mutating func write(_ exchange: StoredExchange, to output: inout Output) throws {
        switch format {
        case .table:
            if let table {
                try output.write(table.line(exchange) + "\n")
            } else {
                waiting.append(exchange)
                if waiting.count == ExchangeTable.measured { try beginTable(&output) }
            }
        case .markdown:
            try writeHeading(&output)
            try output.write(ExchangeTable.markdownRow(exchange, style, hasDirections: hasDirections))
        case .csv:
            try writeHeading(&output)
            var encoder = CSVEncoder()
            try output.write(encoder.encode(exchange))
        case .json where !isLive:
            try output.write((count == 0 ? "{\"exchanges\": [\n" : ",\n") + ExchangeLine(exchange).ndjson)
        case .json, .ndjson:
            try output.write(ExchangeLine(exchange).ndjson + "\n")
        }
        count += 1
    }

    /// Writes what was held back, and the heading if there is nothing else yet.
    mutating func catchUp(_ output: inout Output, isEnd: Bool = false) throws {
        if format == .table, table == nil { try beginTable(&output, isAll: isEnd) }
        try writeHeading(&output)
        try output.flush()
        written = count
    }

    /// Writes the end of the format.
    mutating func finish(_ output: inout Output) throws {
        try catchUp(&output, isEnd: true)
        switch format {
        case .table: if let table { try output.write(table.footer) }
        case .json where !isLive: try output.write(count == 0 ? "{\"exchanges\": []}\n" : "\n]}\n")
        case .json, .ndjson, .markdown, .csv: break
        }
        try output.flush()
    }

    /// Writes the titles of Markdown and CSV before their first row.
    private mutating func writeHeading(_ output: inout Output) throws {
        guard !hasHeading else { return }
        hasHeading = true
        var encoder = CSVEncoder()
        switch format {
        case .markdown: try output.write(ExchangeTable.markdownHeader(style, hasDirections: hasDirections))
        case .csv: try output.write(encoder.begin())
        case .table, .json, .ndjson: break
        }
    }

    private mutating func beginTable(_ output: inout Output, isAll: Bool = false) throws {
        let begun = ExchangeTable(style, measuring: waiting, isAll: isAll, hasDirections: hasDirections)
        table = begun
        try output.write(begun.header + "\n")
        for exchange in waiting { try output.write(begun.line(exchange) + "\n") }
        waiting = []
    }
}
