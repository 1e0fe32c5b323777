import ArgumentParser
import TrafficModel
import TrafficReports

/// `wireweight show`: prints one exchange, part by part.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show one exchange: its bytes part by part, its time, its headers.",
        usage: "wireweight show [<file>] <exchange> [--format <format>]",
        discussion: """
            The parts add up to the total; each says how its size is known. Secrets were replaced before they were \
            stored; their sizes are still those on the wire. If the file has both ends of the connection, the client's \
            and the server's, 'Other end' names the other row and says whether it has the same bytes.

            Example: wireweight show traffic.db 42

            More: docs/ledger.md
            """)

    @Argument(
        help: ArgumentHelp(
            "The file with the traffic, unless it is the last run's, and the exchange's number, as 'exchanges' prints it.",
            valueName: "exchange"), completion: StoreCompletion.exchange)
    var words: [String]

    @OptionGroup var printing: FormatOptions<TextOrJSON>

    @OptionGroup var display: DisplayOptions

    func validate() throws {
        guard (1...2).contains(words.count), Int64(words[words.count - 1]) != nil else {
            throw ValidationError("give the file and an exchange's number, or only the number for the last run's file")
        }
    }

    func run() throws {
        let exchange = Int64(words[words.count - 1]) ?? 0
        let file = try StoreArgument.path(words.count > 1 ? words[0] : nil)
        try withReader(file) { reader in
            guard let exchange = try reader.exchange(StoredExchange.ID(exchange)) else {
                throw ReadingFailure(
                    "there is no exchange \(exchange) in '\(file)'; 'wireweight exchanges' lists their numbers")
            }
            let connection = try exchange.connection.flatMap { try reader.connection($0) }
            let otherEnd = try OtherEnd(of: exchange, in: reader, ConnectionPairs(of: reader))
            var output = Output.paged()
            switch printing.format {
            case .text:
                try output.write(
                    ExchangeSheet(exchange, Terminal.style, on: connection, otherEnd: otherEnd).text)
            case .json: try output.write(ExchangeLine(exchange).json(on: connection, otherEnd: otherEnd))
            }
            try output.flush()
        }
    }
}
