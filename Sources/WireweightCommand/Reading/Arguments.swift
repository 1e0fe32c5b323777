// Public, because a conformance of a public type is.
public import ArgumentParser
public import TrafficModel
import TrafficReports

extension TrafficGrouping: ExpressibleByArgument {}
extension TrafficReport.Sort: ExpressibleByArgument {}
extension ReportView: ExpressibleByArgument {}

/// A moment in an option: ISO 8601, or a duration before now.
struct MomentArgument: ExpressibleByArgument {
    let moment: Timestamp

    init?(argument: String) {
        guard let moment = TimeExpression.moment(argument, now: Terminal.now) else { return nil }
        self.moment = moment
    }
}

/// A duration in an option.
struct DurationArgument: ExpressibleByArgument {
    let nanoseconds: Int64

    init?(argument: String) {
        guard let nanoseconds = TimeExpression.duration(argument) else { return nil }
        self.nanoseconds = nanoseconds
    }
}

/// A status in an option: `404`, `5xx` or `400-499`.
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

/// The range of time that a command looks at.
struct RangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Leave out what began before this moment.",
            discussion: "ISO 8601 in UTC (2026-11-21, 2026-11-21T10:00:00Z), or a time ago (10m, 2h, 3d).",
            valueName: "time"))
    var since: MomentArgument?

    @Option(help: ArgumentHelp("Leave out what began at this moment or later.", valueName: "time"))
    var until: MomentArgument?

    func validate() throws {
        guard let since, let until, since.moment >= until.moment else { return }
        throw ValidationError(
            "'--since' (\(since.moment.iso8601)) must be before '--until' (\(until.moment.iso8601)); swap them")
    }

    var range: TimeRange { TimeRange(since: since?.moment, until: until?.moment) }
}
