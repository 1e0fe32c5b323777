// Public imports, because the conformance of a public type to a public protocol is public.
public import ArgumentParser
import Clocks
public import TrafficModel
import TextFormats
import TrafficAudit
import TrafficReports

extension TrafficGrouping: ExpressibleByArgument {}
extension TrafficDirection: ExpressibleByArgument {}
extension TrafficReport.Sort: ExpressibleByArgument {}
extension ReportView: ExpressibleByArgument {}
extension Audit.Sort: ExpressibleByArgument {}
extension ConnectionSelection.Sort: ExpressibleByArgument {}

/// A moment as an option's value: ISO 8601, or a duration before now.
struct MomentArgument: ExpressibleByArgument {
    let moment: Timestamp

    init?(argument: String) {
        guard let moment = TimeExpression.moment(argument, now: SystemClock.now()) else { return nil }
        self.moment = moment
    }
}

/// A duration as an option's value, such as `90s` or `2h`.
struct DurationArgument: ExpressibleByArgument {
    let nanoseconds: Int64

    init?(argument: String) {
        guard let nanoseconds = TimeExpression.duration(argument) else { return nil }
        self.nanoseconds = nanoseconds
    }
}

/// A status as an option's value: `404`, `5xx` or `400-499`.
struct StatusArgument: ExpressibleByArgument {
    let range: ClosedRange<Int>

    init?(argument: String) {
        let text = argument.lowercased()
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        if text.count == 3, text.hasSuffix("xx"), let hundreds = Int(text.prefix(1)), (1...5).contains(hundreds) {
            range = (hundreds * 100)...(hundreds * 100 + 99)
        } else if parts.count == 1, let status = parts[0], (100...999).contains(status) {
            range = status...status
        } else if parts.count == 2, let first = parts[0], let last = parts[1], first >= 100, first <= last, last <= 999
        {
            range = first...last
        } else {
            return nil
        }
    }
}

/// The options that limit a command to a range of time.
struct RangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Leave out what started before this time.",
            discussion: "ISO 8601 in UTC (2026-11-21, 2026-11-21T10:00:00Z), or how long ago (10m, 2h, 3d).",
            valueName: "time"))
    var since: MomentArgument?

    @Option(help: ArgumentHelp("Leave out what started at this time or later.", valueName: "time"))
    var until: MomentArgument?

    func validate() throws {
        guard let since, let until, since.moment >= until.moment else { return }
        throw ValidationError(
            "'--since' (\(since.moment.iso8601)) must be before '--until' (\(until.moment.iso8601)); swap them")
    }

    var range: TimeRange { TimeRange(since: since?.moment, until: until?.moment) }
}

/// The options that select exchanges.
struct ConditionOptions: ParsableArguments {
    @Option(help: "Only requests to this host, at any port; with a port, only at that one.")
    var host: String?

    @Option(help: ArgumentHelp("Only responses with this status: 404, 5xx or 400-499.", valueName: "status"))
    var status: StatusArgument?

    @Option(help: "Only responses whose media type starts with this, such as image/.")
    var type: String?

    @Option(help: "Only requests of this API: a template, 'METHOD template' or 'METHOD host template'.")
    var api: String?

    @Option(help: "Only requests whose path starts with this.")
    var path: String?

    @Option(help: "Only requests with this method.")
    var method: String?

    @Option(
        help: ArgumentHelp(
            "Only requests over this network: an interface such as lo or wlan0, or 'loopback', 'cellular', "
                + "'expensive', 'constrained' or 'multipath'."))
    var network: String?

    @Option(help: "Only requests that the program called (as a client), or only those that it served (as a server).")
    var direction: TrafficDirection?

    @Flag(help: "Only requests that failed, timed out, or got a response with status 400 or more.")
    var failed = false

    @Option(help: ArgumentHelp("Only requests that took longer than this: 500ms, 2s, 1m.", valueName: "duration"))
    var slower: DurationArgument?

    func filter(in range: TimeRange) -> ExchangeFilter {
        var filter = ExchangeFilter()
        filter.range = range
        filter.host = host?.lowercased()
        filter.method = method?.uppercased()
        filter.status = status?.range
        filter.contentType = type?.lowercased()
        filter.api = api
        filter.path = path
        filter.network = network
        filter.direction = direction
        filter.failedOnly = failed
        filter.slowerThan = slower?.nanoseconds
        return filter
    }
}
