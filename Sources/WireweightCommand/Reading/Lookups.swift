import ArgumentParser
import TextFormats
import TrafficModel
import TrafficReports

/// `wireweight lookups`: lists lookups of names, one on each line.
struct Lookups: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List lookups of names: what was asked, how long it took, and what came back.",
        discussion: """
            A lookup was made by the C library, or by the program itself in datagrams to a resolver's port 53. Only the \
            latter have bytes: what the C library sends is not seen. The json format is one object with the array \
            'lookups'; ndjson is one object per line.

            Example: wireweight lookups traffic.db --failed
            Example: wireweight lookups traffic.db --name '*.example.com' --format ndjson

            More: docs/using.md
            """)

    enum Format: String, OutputFormat {
        case table, json, ndjson, csv
        static let usual = table
    }

    @OptionGroup var store: StoreArgument

    @Option(
        help: ArgumentHelp(
            "Only lookups of this name, in which '*' is for any text, as in '*.example.com'.", valueName: "pattern"))
    var name: String?

    @Option(help: ArgumentHelp("Only lookups by the program with this name.", valueName: "name"))
    var process: String?

    @Flag(help: "Only lookups that failed, or had no answer.")
    var failed = false

    @Option(help: ArgumentHelp("Show at most this many lookups.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Show the newest first.")
    var newest = false

    @OptionGroup var time: RangeOptions

    @OptionGroup var choice: ColumnOptions

    @OptionGroup var printing: FormatOptions<Format>

    @OptionGroup var display: DisplayOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
        _ = try choice.chosen(among: LookupTable.columnNames)
    }

    func run() throws {
        let file = try store.path()
        try withReader(file) { reader in
            var output = Output.paged()
            let count =
                switch printing.format {
                case .table: try table(reader, &output)
                case .ndjson: try write(reader, &output) { LookupLine($0).ndjson + "\n" }
                case .csv: try write(reader, &output, header: LookupLine.csvHeader) { LookupLine($0).csv }
                case .json: try json(reader, &output)
                }
            try output.flush()
            guard count.shown == 0 else { return }
            Terminal.note(
                count.all == 0 ? "the file has no lookups of names" : "no lookup matches; the file has \(count.all)")
        }
    }

    private var pattern: TextPattern? {
        name.map { name in
            let texts = name.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
            return TextPattern(texts.count > 1 ? .wildcard(texts) : .plain(name), foldsCase: true)
        }
    }

    private func matches(_ lookup: LookupRecord) -> Bool {
        (!failed || lookup.hasFailed) && (process.map { $0 == lookup.process.name } ?? true)
            && (pattern?.matches(lookup.name, .whole) ?? true)
            && time.range.contains(lookup.startedAt)
    }

    /// Writes one text for each lookup that matches; returns their number, and that of those that were looked at.
    private func write(
        _ reader: any TrafficBrowsing, _ output: inout Output, header: String = "",
        _ text: (LookupRecord) throws -> String
    ) throws -> (shown: Int, all: Int) {
        try output.write(header)
        var (shown, all) = (0, 0)
        try reader.forEachLookup(order: newest ? .newestFirst : .oldestFirst) { lookup in
            all += 1
            guard matches(lookup) else { return true }
            try output.write(try text(lookup))
            shown += 1
            return limit.map { shown < $0 } ?? true
        }
        return (shown, all)
    }

    private func table(_ reader: any TrafficBrowsing, _ output: inout Output) throws -> (shown: Int, all: Int) {
        var style = Terminal.tableStyle
        style.columns = try choice.chosen(among: LookupTable.columnNames)
        var first: [LookupRecord] = []
        try reader.forEachLookup(order: newest ? .newestFirst : .oldestFirst) { lookup in
            if matches(lookup) { first.append(lookup) }
            return first.count < min(limit ?? .max, LookupTable.measured)
        }
        let table = LookupTable(style, measuring: first)
        let count = try write(reader, &output, header: table.header) { table.line($0) }
        try output.write(table.footer)
        return count
    }

    private func json(_ reader: any TrafficBrowsing, _ output: inout Output) throws -> (shown: Int, all: Int) {
        var separator = "\n"
        let count = try write(reader, &output, header: "{\"lookups\": [") { lookup in
            defer { separator = ",\n" }
            return separator + LookupLine(lookup).ndjson
        }
        try output.write(count.shown == 0 ? "]}\n" : "\n]}\n")
        return count
    }
}
