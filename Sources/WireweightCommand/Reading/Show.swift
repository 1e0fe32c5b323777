import ArgumentParser
import TrafficModel
import TrafficReports

/// `wireweight show`: prints one exchange, part by part.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show one exchange: its bytes part by part, its time, its headers.",
        discussion: """
            The parts add up to the total; each says how its size is known. Secrets were replaced before they were \
            stored; their sizes are still those on the wire. If the file has both ends of the connection, the client's \
            and the server's, 'Other end' names the other row and says whether it has the same bytes.

            Example: wireweight show traffic.db 42
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: "The file with the traffic.")
    var file: String

    @Argument(help: "The exchange's number, as 'exchanges' prints it.")
    var exchange: Int64

    @Option(help: "How to print it.")
    var format = Format.text

    func run() throws {
        try withReader(file) { reader in
            guard let exchange = try reader.exchange(StoredExchange.ID(exchange)) else {
                throw ReadingFailure(
                    "there is no exchange \(exchange) in '\(file)'; 'wireweight exchanges' lists their numbers")
            }
            let connection = try exchange.connection.flatMap { try reader.connection($0) }
            let otherEnd = try OtherEnd(of: exchange, in: reader, ConnectionPairs(of: reader))
            var output = Output()
            switch format {
            case .text:
                try output.write(
                    ExchangeSheet(exchange, Terminal.style, on: connection, otherEnd: otherEnd).text)
            case .json: try output.write(ExchangeLine(exchange).json(on: connection, otherEnd: otherEnd))
            }
            try output.flush()
        }
    }
}
