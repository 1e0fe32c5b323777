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
            including those that '--limit' leaves out. The ndjson format prints one object per line.

            Example: wireweight connections traffic.db --sort overhead --limit 10
            Example: wireweight connections traffic.db --unaccounted --format ndjson
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, ndjson, json, csv
    }

    @OptionGroup var store: StoreArgument

    @Option(
        help: ArgumentHelp(
            "Only connections to a peer that starts with this, such as 10.0.0.1 or [::1]:443.", valueName: "address"))
    var remote: String?

    @Option(help: ArgumentHelp("Only connections of the program with this name.", valueName: "name"))
    var process: String?

    @Flag(help: "Only connections that are open.")
    var open = false

    @Flag(help: "Only connections whose ledger does not close.")
    var unaccounted = false

    @Option(help: "What comes first.")
    var sort = ConnectionSelection.Sort.opened

    @Option(help: ArgumentHelp("Show at most this many connections.", valueName: "n"))
    var limit: Int?

    @Option(help: "How to print them.")
    var format = Format.table

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
    }

    func run() throws {
        let file = try store.path()
        try withReader(file) { reader in
            var output = Output()
            let count =
                switch format {
                case .table: try table(reader, &output)
                case .ndjson: try write(reader, &output) { ConnectionLine($0).ndjson + "\n" }
                case .csv:
                    try write(reader, &output, header: ConnectionLine.csvHeader) { ConnectionLine($0).csv }
                case .json: try json(reader, &output)
                }
            try output.flush()
            guard count == 0 else { return }
            let all = try reader.connectionCount()
            Terminal.note(
                all == 0
                    ? "the file has no connections; an import has none, so meter with 'wireweight run' to get them"
                    : "no connection matches; the file has \(all)")
        }
    }

    private var selection: ConnectionSelection {
        var selection = ConnectionSelection()
        selection.remote = remote
        selection.process = process
        selection.isOpen = open
        selection.isUnclosed = unaccounted
        selection.sort = sort
        return selection
    }

    /// Writes one text for each connection, and returns their number.
    private func write(
        _ reader: any TrafficBrowsing, _ output: inout Output, header: String = "",
        _ text: (StoredConnection) -> String
    ) throws -> Int64 {
        try output.write(header)
        var count: Int64 = 0
        try selection.forEach(of: reader) { connection in
            try output.write(text(connection))
            count += 1
            return limit.map { count < $0 } ?? true
        }
        return count
    }

    private func sums(_ reader: any TrafficBrowsing) throws -> LedgerSums {
        var sums = LedgerSums()
        try reader.forEachConnection(order: .oldestFirst, after: nil) { connection in
            if selection.matches(connection) { sums.add(connection.record) }
            return true
        }
        return sums
    }

    private func table(_ reader: any TrafficBrowsing, _ output: inout Output) throws -> Int64 {
        let sums = try sums(reader)
        guard sums.connections > 0 else { return 0 }
        let table = LedgerTable(sums, Terminal.style)
        let count = try write(reader, &output, header: table.header) { table.lines($0) }
        try output.write(table.footer(hidden: max(0, sums.connections - count)))
        return sums.connections
    }

    private func json(_ reader: any TrafficBrowsing, _ output: inout Output) throws -> Int64 {
        let sums = try sums(reader)
        var separator = "\n"
        let count = try write(reader, &output, header: "{\"connections\": [") { connection in
            defer { separator = ",\n" }
            return separator + ConnectionLine(connection).ndjson
        }
        try output.write("\n],\n\"totals\": \(sums.json.compact)}\n")
        return count
    }
}
