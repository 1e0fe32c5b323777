import ArgumentParser
import Foundation
public import TrafficExport
import TextFormats
import TrafficModel

extension ExportFormat: ExpressibleByArgument {}
extension TrafficExport.Signal: ExpressibleByArgument {}

/// `wireweight export`: writes a store's traffic in a format that other programs read.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write exchanges or sums in a format that other programs read.",
        discussion: """
            har, csv, ndjson and curl contain each exchange that matches; openmetrics contains the sums of each API; \
            otlp-json contains both, as OpenTelemetry metrics and spans, one message per line, and otlp-protobuf the \
            same messages in Protocol Buffers, each after its length. Secrets were replaced \
            before they were stored; curl commands have shell variables in their place.

            Example: wireweight export traffic.db --format har --since 1h --output traffic.har

            More: docs/exports.md
            """)

    @OptionGroup var store: StoreArgument

    @Option(help: "What to write.")
    var format: ExportFormat

    @Option(
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"), completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Only this exchange, by the number that 'exchanges' prints.", valueName: "number"))
    var exchange: Int64?

    @Flag(help: "Write the bodies that were kept into the HAR.")
    var bodies = false

    @Option(help: "Which OpenTelemetry signals to write.")
    var signal = TrafficExport.Signal.all

    @OptionGroup var conditions: ConditionOptions

    @OptionGroup var time: RangeOptions

    @Option(help: ArgumentHelp("Write at most this many exchanges.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Write the newest first.")
    var newest = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit' must be at least 1") }
        if bodies, format != .har { throw ValidationError("'--bodies' works only with '--format har'") }
        if signal != .all, format != .otlpJSON, format != .otlpProtobuf {
            throw ValidationError("'--signal' works only with '--format otlp-json' and 'otlp-protobuf'")
        }
        if let output, let file = store.file, Files.isSame(output, file) {
            throw ValidationError("'--output' names the file with the traffic; name another one")
        }
    }

    func run() throws {
        let filter = try conditions.filter(in: time.range)
        if exchange != nil, filter != ExchangeFilter() || limit != nil {
            throw ValidationError("'--exchange' names one exchange; leave the other conditions out")
        }
        var export = TrafficExport(format)
        export.filter = filter
        export.exchange = exchange.map { StoredExchange.ID($0) }
        export.order = newest ? .newestFirst : .oldestFirst
        export.limit = limit ?? .max
        export.includesBodies = bodies
        export.signal = signal
        let file = try store.path()
        try withReader(file) { reader in
            let all = filter == ExchangeFilter() ? try min(reader.overview().exchanges, Int64(export.limit)) : nil
            let progress = ProgressLine("exporting", isWanted: output != nil || !Terminal.isOutput)
            defer { progress.clear() }
            var output = try Output(path: output)
            let count = try export.write(
                of: reader,
                progress: { count in
                    // Reading the clock each time would cost more than the line itself.
                    guard count % 256 == 0 else { return }
                    let done = Units.count(Int64(count))
                    progress.show(all.map { "\(done) of \(Units.count($0)) exchanges" } ?? "\(done) exchanges")
                },
                to: { try output.write($0) })
            try output.flush()
            if count == 0 {
                progress.clear()
                let there = try reader.overview().exchanges
                Terminal.note(there == 0 ? "the file has no exchanges" : "no exchange matches; the file has \(there)")
            }
        }
    }
}
