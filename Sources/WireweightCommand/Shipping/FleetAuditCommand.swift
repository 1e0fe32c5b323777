import ArgumentParser
import ClickHouse
import Clocks
import FleetReading
import TextFormats
import TrafficAudit

/// `wireweight fleet audit`: what could be saved over a fleet.
struct FleetAuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show what could be saved over a fleet, the largest saving first.",
        discussion: """
            Each installation audits its own store when it ships, because the rules need the order of one program's \
            requests, and sends at most 50 findings: rule, API and figures. This adds them up over the installations that the \
            address selects. Where only a cohort is audited ('ship --cohort'), each of it stands for several, and figures \
            have their standard deviation. 'Estimated' is the share of a saving that includes an assumption. With 'since' \
            in the address, those installations count whose newest exchange is not older.

            Example: wireweight fleet audit 'clickhouse://localhost:8123/fleet?service=shop&version=2.4'

            More: docs/fleet.md
            """)

    enum Format: String, OutputFormat {
        case table, json, csv
        static let usual = table
    }

    @Argument(help: "The address: clickhouse://HOST:PORT/DATABASE?service=NAME, or clickhouses:// with TLS.")
    var url: String

    @Option(help: "What comes first: what saves most bytes and time together, most bytes, or most time.")
    var sort = Audit.Sort.saving

    @Option(
        help: ArgumentHelp(
            "Show at most this many findings.", discussion: "Default: 20; in the json and csv formats, 10000.",
            valueName: "n"))
    var limit: Int?

    @OptionGroup var printing: FormatOptions<Format>

    @OptionGroup var display: DisplayOptions

    func validate() throws {
        if let limit, !(1...1_000_000).contains(limit) {
            throw ValidationError("'--limit' is a number from 1 to 1000000")
        }
    }

    func run() throws {
        let findings: FleetFindings
        do {
            let reader = try FleetReader(fleetClient(FleetURL(url)), now: SystemClock.now())
            findings = try reader.findings(sort: sort, limit: limit ?? (printing.format == .table ? 20 : 10_000))
        } catch let error as ClickHouseError {
            Terminal.complain(error.message)
            throw ExitCode.badInput
        }
        var output = Output.paged()
        switch printing.format {
        case .table: try output.write(findings.table(Terminal.tableStyle))
        case .json: try output.write(findings.json)
        case .csv:
            try output.write(findings.csv)
            for note in findings.notes { Terminal.note(note) }
        }
        try output.flush()
    }
}
