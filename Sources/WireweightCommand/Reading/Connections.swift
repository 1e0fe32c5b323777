import ArgumentParser
import TextFormats
import TrafficModel
import TrafficReports

/// `wireweight connections`: prints the ledger of each connection.
struct Connections: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show each connection's ledger: what the bytes that the kernel counted were for.",
        discussion: """
            Payload is the kernel's count of bytes, without retransmissions. It is the sum of the messages of all \
            exchanges, TLS (records and handshakes), HTTP/2's own frames (settings, pings, window updates) and \
            unaccounted bytes. The ledger closes if these are 0. 'With IP ≈' adds an estimate of the headers \
            of TCP and IP: segments times headers. The table ends with the sums of all connections that match, \
            including those that '--limit' leaves out. Connections that were called and those that were served have a \
            table each. If the file has both ends of a connection, each row names the other one and says whether both \
            have the same bytes. The ndjson format prints one object per line.

            Example: wireweight connections traffic.db --sort overhead --limit 10
            Example: wireweight connections traffic.db --unaccounted --format ndjson

            More: docs/ledger.md
            """)

    enum Format: String, OutputFormat {
        case table, json, ndjson, csv
        static let usual = table
    }

    @OptionGroup var store: StoreArgument

    @Option(
        help: ArgumentHelp(
            "Only connections to a peer that starts with this, such as 10.0.0.1 or [::1]:443.", valueName: "address"))
    var remote: String?

    @Option(help: ArgumentHelp("Only connections of the program with this name.", valueName: "name"))
    var process: String?

    @Option(help: "Only connections that the program opened (called), or only those that it accepted (served).")
    var direction: TrafficDirection?

    @Flag(help: "Only connections that are open.")
    var open = false

    @Flag(help: "Only connections whose ledger does not close.")
    var unaccounted = false

    @Option(help: "What comes first.")
    var sort = ConnectionSelection.Sort.opened

    @Option(help: ArgumentHelp("Show at most this many connections.", valueName: "n"))
    var limit: Int?

    @OptionGroup var choice: ColumnOptions

    @OptionGroup var printing: FormatOptions<Format>

    @OptionGroup var display: DisplayOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
        _ = try choice.chosen(among: LedgerTable.columnNames)
    }

    func run() throws {
        let file = try store.path()
        try withReader(file) { reader in
            var output = Output.paged()
            let pairs = try ConnectionPairs(of: reader)
            let count =
                switch printing.format {
                case .table: try table(reader, &output, pairs)
                case .ndjson:
                    try write(reader, &output) {
                        ConnectionLine($0, otherEnd: try OtherEnd(of: $0, in: reader, pairs)).ndjson + "\n"
                    }
                case .csv:
                    try write(reader, &output, header: ConnectionLine.csvHeader) { ConnectionLine($0).csv }
                case .json: try json(reader, &output, pairs)
                }
            try output.flush()
            guard count == 0 else { return }
            let all = try reader.connectionCount()
            Terminal.note(
                all == 0
                    ? "the file has no connections: none was opened, or the file is an import, which has none"
                    : "no connection matches; the file has \(all)")
        }
    }

    private var selection: ConnectionSelection {
        var selection = ConnectionSelection()
        selection.remote = remote
        selection.process = process
        selection.direction = direction
        selection.isOpen = open
        selection.isUnclosed = unaccounted
        selection.sort = sort
        return selection
    }

    /// Writes one text for each connection, and returns their number.
    private func write(
        _ reader: any TrafficBrowsing, _ output: inout Output, _ direction: TrafficDirection? = nil,
        header: String = "",
        _ text: (StoredConnection) throws -> String
    ) throws -> Int64 {
        try output.write(header)
        var count: Int64 = 0
        var selection = selection
        if let direction { selection.direction = direction }
        try selection.forEach(of: reader) { connection in
            try output.write(try text(connection))
            count += 1
            return limit.map { count < $0 } ?? true
        }
        return count
    }

    /// The sums of each direction with connections, `called` first.
    private func sums(_ reader: any TrafficBrowsing) throws -> [(direction: TrafficDirection, sums: LedgerSums)] {
        var sums: [TrafficDirection: LedgerSums] = [:]
        try reader.forEachConnection(order: .oldestFirst, after: nil) { connection in
            if selection.matches(connection) {
                sums[connection.direction, default: LedgerSums()].add(connection.record)
            }
            return true
        }
        return TrafficDirection.allCases.compactMap { direction in sums[direction].map { (direction, $0) } }
    }

    /// One table for each direction.
    private func table(
        _ reader: any TrafficBrowsing, _ output: inout Output, _ pairs: ConnectionPairs
    ) throws -> Int64 {
        var style = Terminal.tableStyle
        style.columns = try choice.chosen(among: LedgerTable.columnNames)
        let all = try sums(reader)
        let hasHeadings = all.contains { $0.direction == .served }
        for (direction, sums) in all {
            let table = LedgerTable(sums, style)
            let heading = hasHeadings ? style.bold(direction == .called ? "Called" : "Served") + "\n" : ""
            let count = try write(
                reader, &output, direction, header: (direction == all[0].direction ? "" : "\n") + heading + table.header
            ) { table.lines($0, otherEnd: try OtherEnd(of: $0, in: reader, pairs)) }
            try output.write(table.footer(hidden: max(0, sums.connections - count)))
        }
        return all.reduce(0) { $0 + $1.sums.connections }
    }

    private func json(
        _ reader: any TrafficBrowsing, _ output: inout Output, _ pairs: ConnectionPairs
    ) throws -> Int64 {
        let all = try sums(reader)
        let totals = all.first?.sums ?? LedgerSums()
        let served = all.count > 1 ? all[1].sums.json : .null
        var separator = "\n"
        let count = try write(reader, &output, header: "{\"connections\": [") { connection in
            defer { separator = ",\n" }
            return separator
                + ConnectionLine(connection, otherEnd: try OtherEnd(of: connection, in: reader, pairs)).ndjson
        }
        try output.write("\n],\n\"totals\": \(totals.json.compact),\n\"servedTotals\": \(served.compact)}\n")
        return count
    }
}
