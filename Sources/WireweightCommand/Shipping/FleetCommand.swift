import ArgumentParser
import ClickHouse
import FleetTables
import Foundation
import TextFormats
import TrafficShipping

/// `wireweight fleet`: the database of a fleet.
struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Make and check a fleet's database (ClickHouse), and rank what could be saved over all.",
        discussion: """
            Example: wireweight fleet schema | clickhouse-client --database fleet --multiquery

            More: docs/fleet.md
            """,
        subcommands: [FleetSchemaCommand.self, FleetCheck.self, FleetAuditCommand.self])
}

/// `wireweight fleet schema`: the SQL that makes the tables.
struct FleetSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the SQL that makes the tables.",
        discussion: """
            It makes the tables that are not there, and changes nothing else. '--ttl' adds the statements by which \
            ClickHouse deletes old rows; servers from before 2019 do not know them, and they also need \
            '--allow_experimental_low_cardinality_type 1' of clickhouse-client.

            Example: wireweight fleet schema | clickhouse-client --database fleet --multiquery

            More: docs/fleet.md
            """)

    @Option(
        help: ArgumentHelp(
            "Delete exchanges and connections after this many days, and sums and findings after twelve times as many.",
            valueName: "days"))
    var ttl: Int?

    func validate() throws {
        if let ttl, !(1...10_000).contains(ttl) { throw ValidationError("'--ttl' is a number of days from 1 to 10000") }
    }

    func run() throws {
        var output = Output()
        try output.write(FleetSchema.sql)
        if let ttl { try output.write("\n" + FleetSchema.deletion(afterDays: ttl)) }
        try output.flush()
    }
}

/// `wireweight fleet check`: what a database lacks.
struct FleetCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a database has the tables, and that they can be read.",
        discussion: """
            The status is 1 if something is missing. The user and the password come from the environment: see \
            'wireweight ship --help'.

            Example: wireweight fleet check clickhouse://localhost:8123/fleet

            More: docs/fleet.md
            """)

    @Argument(help: "The address: clickhouse://HOST:PORT/DATABASE, or clickhouses:// with TLS.")
    var url: String

    func run() throws {
        let missing: [String]
        do {
            missing = try fleetClient(FleetURL(url)).missingTablesAndColumns()
        } catch let error as ClickHouseError {
            Terminal.complain(error.message)
            throw error.code == .badAddress ? ExitCode.badInput : ExitCode.unavailable
        }
        var output = Output()
        for line in missing { try output.write(TerminalText.escaped(line) + "\n") }
        if missing.isEmpty { try output.write("all \(FleetSchema.tables.count) tables are there\n") }
        try output.flush()
        guard missing.isEmpty else {
            Terminal.note("make the tables: wireweight fleet schema | clickhouse-client --database NAME --multiquery")
            throw ExitCode(1)
        }
    }
}
