// Public imports, because the conformance of a public type to a public protocol is public.
public import ArgumentParser
import Clocks
public import TrafficModel
import TextFormats
import TrafficAudit
import TrafficReports

extension TrafficGrouping: ExpressibleByArgument {
    /// The names of all groupings, those of a fleet last.
    public static var allValueStrings: [String] { everyCase.map(\.rawValue) }
}
extension TrafficDirection: ExpressibleByArgument {}
extension TrafficReport.Sort: ExpressibleByArgument {}
extension ReportView: ExpressibleByArgument {}
extension Audit.Sort: ExpressibleByArgument {}
extension ConnectionSelection.Sort: ExpressibleByArgument {}

/// A moment as an option's value: ISO 8601, or a duration before now.
struct MomentArgument: ExpressibleByArgument {
    private let text: String
    private let now = SystemClock.now()

    init?(argument: String) {
        guard TimeExpression.moment(argument, now: now) != nil else { return nil }
        text = argument
    }

    /// The moment, in local time unless it names a zone or the times of the command are in UTC.
    var moment: Timestamp {
        // The initializer has checked the text.
        TimeExpression.moment(text, now: now, in: Terminal.zone) ?? now
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

/// Statuses as an option's value: `404`, `5xx`, `400-499`, `none`, or several of these.
struct StatusArgument: ExpressibleByArgument {
    let term: FilterTerm

    init?(argument: String) {
        guard let term = try? FilterParser.term(.status, argument, now: SystemClock.now()) else { return nil }
        self.term = term
    }
}

/// A filter as an option's value; a mistake in it is said by ``ConditionOptions``.
struct FilterArgument: ExpressibleByArgument {
    let text: String
    private let now = SystemClock.now()

    init(argument: String) { text = argument }

    /// The filter; its times are local unless they name a zone or the times of the command are in UTC.
    ///
    /// - Throws: a validation error with the place of the mistake.
    func expression() throws -> FilterExpression {
        do {
            return try FilterParser.parse(text, now: now, in: Terminal.zone)
        } catch {
            throw ValidationError("the filter is wrong \(error)\n\(error.caret(in: text))")
        }
    }
}

/// The options that limit a command to a range of time.
struct RangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Leave out what started before this time.",
            discussion: """
                ISO 8601 (2026-11-21, 2026-11-21T10:00, in local time unless it ends with Z or '--utc' is given), or how \
                long ago (10m, 2h, 3d).
                """,
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

/// The option with a filter.
struct FilterOptions: ParsableArguments {
    @Option(
        name: [.customShort("f"), .long], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Only requests that match this: 'status:4xx,5xx -path:/health larger:10k login'.",
            discussion: "docs/filter.md has all of its words. If given again, both must hold."))
    var filter: [FilterArgument] = []

    func validate() throws { _ = try expression() }

    /// All of the filters as one.
    func expression() throws -> FilterExpression {
        FilterExpression(try filter.flatMap { try $0.expression().terms })
    }

    /// The store as if it had only what the filter selects; without a filter, the store itself.
    func filtered(_ store: any TrafficBrowsing) throws -> any TrafficBrowsing {
        let expression = try expression()
        return expression.isEmpty ? store : FilteredReading(store, expression)
    }
}

/// The options that select exchanges.
struct ConditionOptions: ParsableArguments {
    @OptionGroup var filters: FilterOptions

    @Option(
        help: "Only requests to this host, at any port; with a port, only at that one.",
        completion: StoreCompletion.host)
    var host: String?

    @Option(help: ArgumentHelp("Only responses with this status: 404, 5xx, 400-499 or 4xx,5xx.", valueName: "status"))
    var status: StatusArgument?

    @Option(help: "Only responses whose media type starts with this, such as image/.")
    var type: String?

    @Option(
        help: "Only requests of this API: a template, 'METHOD template' or 'METHOD host template'.",
        completion: StoreCompletion.api)
    var api: String?

    @Option(help: "Only requests whose path starts with this.")
    var path: String?

    @Option(help: "Only requests with this method.")
    var method: String?

    @Option(
        help: ArgumentHelp(
            "Only requests over this network: an interface such as lo or wlan0, or 'loopback', 'cellular', "
                + "'expensive', 'constrained', 'multipath' or 'proxied'."))
    var network: String?

    @Option(help: "Only requests that the program called (as a client), or only those that it served (as a server).")
    var direction: TrafficDirection?

    @Flag(help: "Only requests that failed, timed out, or got a response with status 400 or more.")
    var failed = false

    @Option(help: ArgumentHelp("Only requests that took longer than this: 500ms, 2s, 1m.", valueName: "duration"))
    var slower: DurationArgument?

    func filter(in range: TimeRange) throws -> ExchangeFilter {
        var filter = ExchangeFilter()
        filter.range = range
        filter.host = host?.lowercased()
        filter.method = method?.uppercased()
        filter.contentType = type?.lowercased()
        filter.api = api
        filter.path = path
        filter.network = network
        filter.direction = direction
        filter.failedOnly = failed
        filter.slowerThan = slower?.nanoseconds
        filter.expression = try filters.expression()
        if let status { filter.expression.terms.append(status.term) }
        return filter
    }
}

/// A size in bytes: `40000`, or with a unit of 1,000, as in reports: `40KB`, `1.5MB`, `10k`.
struct SizeArgument: ExpressibleByArgument {
    let bytes: ByteCount

    init?(argument: String) {
        let units: [(name: String, bytes: Double)] = [
            ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("B", 1), ("K", 1e3), ("M", 1e6), ("G", 1e9),
        ]
        let unit = units.first { argument.uppercased().hasSuffix($0.name) }
        let number = argument.dropLast(unit?.name.count ?? 0).filter { $0 != " " }
        guard let first = number.first, first.isASCII, first.isNumber, let value = Double(number), value.isFinite
        else { return nil }
        bytes = ByteCount(Int64(clamping: (value * (unit?.bytes ?? 1)).rounded()))
    }
}
