import ArgumentParser
import ClickHouse
import Clocks
import FleetReading
import Foundation
import TextFormats
import TrafficModel

/// `wireweight fleet totals`: adds the sums of all installations up, so that reports do not have to.
struct FleetTotalsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "totals",
        abstract: "Add up the sums of all installations, so that reports take the same time however many there are.",
        discussion: """
            It makes the totals of each hour and day of which something has arrived since the last time, anew from the \
            sums themselves. Run it once an hour. Reports read the totals where these have all that they need, and the sums \
            of what has arrived since, so they show the same with and without them. The user needs to read and to insert: see \
            'wireweight ship --help' for how to name it.

            Example: wireweight fleet totals clickhouse://localhost:8123/fleet

            More: docs/fleet.md
            """)

    @Argument(help: "The address: clickhouse://HOST:PORT/DATABASE, or clickhouses:// with TLS.")
    var url: String

    @Flag(help: "Make the totals of all hours and days anew, also of those that have not changed.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Take what arrived within this number of seconds before as changed: replicas may not have it yet.",
            valueName: "seconds"))
    var settling = 300

    @OptionGroup var printing: FormatOptions<TextOrJSON>

    func validate() throws {
        if !(0...86_400).contains(settling) {
            throw ValidationError("'--settling' is a number of seconds from 0 to 86400")
        }
    }

    func run() throws {
        let line = ProgressLine("adding up")
        let made: FleetTotals.Made
        do {
            let address = try FleetURL(url)
            guard address.parameters.isEmpty else {
                throw ClickHouseError(
                    .badAddress, "totals are of a whole database; leave out what follows '?' in '\(address)'")
            }
            // ClickHouse says nothing until it has added up a day.
            let client = try fleetClient(address, limits: ClickHouseClient.Limits(seconds: 3_600))
            made = try FleetTotals.make(
                client, makesAll: all, settling: Int64(settling),
                microsecond: SystemClock.now().nanoseconds / 1_000 % 1_000_000
            ) { done, days in line.show("day \(done + 1) of \(days)") }
        } catch let error as ClickHouseError {
            line.clear()
            Terminal.complain(error.message)
            throw [.badAddress, .missing].contains(error.code) ? ExitCode.badInput : ExitCode.unavailable
        }
        line.clear()
        let until = Timestamp(nanoseconds: made.moment * 1_000_000_000)
        var output = Output()
        switch printing.format {
        case .text:
            try output.write(
                "totals of \(made.slots) hours and days were made; they have what arrived before \(until.iso8601)\n")
            if made.kept > 0 {
                try output.write("\(made.kept) are as they were: sums of them have been deleted since\n")
            }
        case .json:
            try output.write(
                "{\"slots\":\(made.slots),\"kept\":\(made.kept),\"arrivedBefore\":\"\(until.iso8601)\"}\n")
        }
        try output.flush()
    }
}
