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
        subcommands: [FleetSchemaCommand.self, FleetCheck.self, FleetTotalsCommand.self, FleetAuditCommand.self])
}

/// `wireweight fleet schema`: the SQL that makes the tables.
struct FleetSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the SQL that makes the tables.",
        discussion: """
            It makes the tables that are not there, and changes nothing else. '--ttl' adds the statements by which \
            ClickHouse deletes old rows; servers from before 2019 do not know them, and they also need \
            '--allow_experimental_low_cardinality_type 1' of clickhouse-client. With '--cluster', one server makes them on \
            all: replicated within each shard, with all rows of an installation in one shard.

            Example: wireweight fleet schema | clickhouse-client --database fleet --multiquery
            Example: wireweight fleet schema --cluster traffic --database fleet | clickhouse-client --multiquery

            More: docs/fleet.md
            """)

    @Option(
        help: ArgumentHelp(
            "Make the tables on this cluster, which the servers' configuration names; needs '--database'.",
            valueName: "name"))
    var cluster: String?

    @Option(help: ArgumentHelp("The database, which is on each server of the cluster.", valueName: "name"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Delete exchanges and connections after this many days, and sums and findings after twelve times as many.",
            valueName: "days"))
    var ttl: Int?

    func validate() throws {
        if let ttl, !(1...10_000).contains(ttl) { throw ValidationError("'--ttl' is a number of days from 1 to 10000") }
        if (cluster == nil) != (database == nil) { throw ValidationError("'--cluster' and '--database' go together") }
        if cluster != nil, place == nil {
            throw ValidationError("a cluster and a database have letters, digits, '_' and '-' in their names")
        }
    }

    private var place: FleetCluster? {
        guard let cluster, let database else { return nil }
        return FleetCluster(name: cluster, database: database)
    }

    func run() throws {
        var output = Output()
        try output.write(place.map(FleetSchema.sql(on:)) ?? FleetSchema.sql)
        if let ttl { try output.write("\n" + FleetSchema.deletion(afterDays: ttl, on: place)) }
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
