import ArgumentParser
import ClickHouse
import Clocks
import FleetTables
import Foundation
import TextFormats
import TrafficModel
import TrafficShipping
import TrafficStore

/// `wireweight ship`: sends what a store has to a fleet's database.
struct Ship: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send what a file has to a fleet's database (ClickHouse), or to a collector of OpenTelemetry.",
        discussion: """
            The file is the queue: it remembers what each destination has, so the next 'ship' goes on where this one \
            stopped, and what is sent twice counts once. Sums are of everything; '--details' thins out what is sent \
            exchange by exchange. Paths, queries, header lines and addresses stay here unless '--share' says otherwise; \
            bodies always do. The user and the password, or a gateway's token, come from WIREWEIGHT_CLICKHOUSE_USER, \
            WIREWEIGHT_CLICKHOUSE_PASSWORD and WIREWEIGHT_CLICKHOUSE_TOKEN, or from the file that \
            WIREWEIGHT_CLICKHOUSE_FILE names.

            To 'otlp+https://HOST:PORT/' go spans and cumulative metrics, over OTLP/HTTP with Protocol Buffers; header \
            fields such as a token come from OTEL_EXPORTER_OTLP_HEADERS.

            Example: wireweight fleet schema | clickhouse-client --database fleet --multiquery
            Example: wireweight ship traffic.db --to clickhouse://localhost:8123/fleet --service shop

            More: docs/fleet.md
            """)

    /// What of an exchange is sent, by the names that a fleet's tables know.
    enum Level: String, CaseIterable, ExpressibleByArgument {
        case templates, paths, queries, headers, all
    }

    @OptionGroup var store: StoreArgument

    @Option(
        help: ArgumentHelp(
            "Where to: clickhouse://HOST:PORT/DATABASE with the HTTP port, clickhouses:// with TLS, or otlp+https://HOST:PORT/.",
            valueName: "url"))
    var to: String

    @Flag(help: "Go on sending what is added to the file, until Ctrl-C.")
    var follow = false

    @Option(
        help: ArgumentHelp(
            "What of an exchange is sent: templates, paths, queries, headers or all; each includes those before it.",
            valueName: "level"))
    var share = Level.templates

    @Option(
        help: ArgumentHelp(
            "The share of the exchanges that are sent one by one, from 0 to 1; sums are of all.", valueName: "share"))
    var details = 1.0

    @Option(
        help: ArgumentHelp(
            "The share of the installations that send exchanges one by one, from 0 to 1; sums are of all.",
            valueName: "share"))
    var cohort = 1.0

    @Option(
        help: ArgumentHelp(
            "Send sums by minutes (and hours), by hours, or by days.", valueName: "width"))
    var sums = ShippingOptions.Sums.hours

    @Flag(
        inversion: .prefixedNo,
        help: "Audit the file, at most once an hour, and send what was found, for 'fleet audit'.")
    var audit = true

    @Option(help: ArgumentHelp("Send at most this many bytes in an hour.", valueName: "bytes"))
    var budget: Int64?

    @Option(help: ArgumentHelp("The service or app that was metered; kept in the file.", valueName: "name"))
    var service: String?

    @Option(
        name: .customLong("service-version"), help: ArgumentHelp("Its version; kept in the file.", valueName: "version")
    )
    var serviceVersion: String?

    @Option(help: ArgumentHelp("Where it runs, such as production; kept in the file.", valueName: "name"))
    var environment: String?

    @Flag(help: "Make the file another installation first, and send everything again as such.")
    var reset = false

    func validate() throws {
        if !(0...1).contains(details) { throw ValidationError("'--details' is a share from 0 to 1") }
        if !(0...1).contains(cohort) { throw ValidationError("'--cohort' is a share from 0 to 1") }
        if let budget, budget <= 0 { throw ValidationError("'--budget' must be more than 0 bytes") }
    }

    func run() throws {
        do {
            let path = try store.path()
            if OTLPDestination.isMeant(by: to) {
                let fields = OTLPDestination.fields(environment: ProcessInfo.processInfo.environment)
                return try ship(path, to: OTLPDestination(to, fields: fields))
            }
            let address = try FleetURL(to)
            guard address.parameters.isEmpty else {
                throw ReadingFailure(
                    "the address of '--to' selects nothing, so it has no parameters; '--service', '--service-version' and "
                        + "'--environment' say what the file has")
            }
            try ship(path, to: ClickHouseDestination(fleetClient(address)))
        } catch let code as ExitCode {
            throw code
        } catch let Shipper.Failure.stopped(reason) {
            Terminal.complain("\(reason); what is left stays in the file, and the next 'ship' goes on")
            throw ExitCode.unavailable
        } catch let Shipper.Failure.budget(until) {
            Terminal.complain(
                "the budget of this hour is used up; 'ship' again after \(until.iso8601), or take a larger '--budget'")
            throw ExitCode.unavailable
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode.badInput
        }
    }

    private func ship(_ path: String, to destination: any ShippingDestination) throws {
        let reader = try StoreReader.open(path)
        let state = try ShippingStore.open(path)
        defer { try? state.close() }
        if reset { try state.reset() }
        let given = TrafficResource(
            service: service ?? "", version: serviceVersion ?? "", environment: environment ?? "")
        try state.set(
            given.completed(by: TrafficResource(environment: ProcessInfo.processInfo.environment)))
        var options = ShippingOptions()
        options.share = FleetShare(name: share.rawValue) ?? .templates
        options.details = details
        options.cohort = cohort
        options.sums = sums
        options.audits = audit
        options.bytesPerHour = budget
        let interrupt = Interrupt()
        let progress = ProgressLine("shipping")
        defer { progress.clear() }
        let surroundings = ShippingSurroundings(
            now: SystemClock.now, random: { Double.random(in: 0...1) }, wait: { Self.wait(until: $0, interrupt) },
            say: { Self.show($0, progress) })
        let shipper = try Shipper(
            from: state, reader, to: destination, options, follows: follow, surroundings)
        try shipper.run()
        progress.clear()
        if interrupt.hasCome && !follow {
            Terminal.complain("interrupted; what is left stays in the file, and the next 'ship' goes on")
            throw ExitCode.unavailable
        }
        try printSummary(shipper.tally, destination)
    }

    // Not longer than a second at once, because a clock may be set back.
    private static func wait(until time: Timestamp, _ interrupt: Interrupt) -> Bool {
        while !interrupt.hasCome {
            let left = Double(time.nanoseconds &- SystemClock.now().nanoseconds) / 1e9
            guard left > 0 else { return true }
            interrupt.wait(atMost: min(1, left))
        }
        return false
    }

    private static func show(_ news: ShippingNews, _ progress: ProgressLine) {
        switch news {
        case .progress(let tally):
            let exchanges = Units.count(tally.exchanges)
            progress.show("\(exchanges) exchanges, \(Units.bytes(ByteCount(tally.bytes)))")
        case .retrying(let reason, let time):
            progress.clear()
            Terminal.note("\(reason); sending again at \(time.iso8601)")
        case .setAside(let rows, let reason):
            progress.clear()
            Terminal.note("\(rows) rows were set aside and count as lost: \(reason)")
        case .budget(let time):
            progress.clear()
            Terminal.note("the budget of this hour is used up; sending again at \(time.iso8601)")
        }
    }

    private func printSummary(_ tally: ShippingTally, _ destination: any ShippingDestination) throws {
        var output = Output()
        func count(_ target: String) -> String { Units.count(tally.rows[target] ?? 0) }
        let counts =
            switch destination.format {
            case .rows:
                "\(count(FleetExchange.table.name)) exchanges, \(count(FleetConnection.table.name)) connections, "
                    + "\(count(FleetSums.table.name)) sums"
            case .telemetry: "\(count(ShippingFormat.spans)) spans, metrics of \(count(ShippingFormat.metrics)) APIs"
            }
        let url = destination.url
        let text =
            tally.batches == 0
            ? "nothing new for \(url)" : "\(counts) sent to \(url) in \(Units.bytes(ByteCount(tally.bytes)))"
        try output.write(TerminalText.escaped(text) + "\n")
        try output.flush()
    }
}

extension ShippingOptions.Sums: ExpressibleByArgument {}
