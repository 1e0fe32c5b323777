import TextFormats
import TrafficModel
import TrafficReports

/// The summary of a proxy: what the devices sent and received, on their side of it.
struct ProxySummary: Summary {
    let reports: DirectedReports
    let unseen: UnseenTally
    /// The program that was started with the proxy; nil if there was none.
    let program: String?
    let storePath: String?
    /// Whether the user chose the file; otherwise it is kept as the last run.
    let isNamed: Bool
    /// Why the file is incomplete; nil if it is complete.
    let incompleteness: String?
    /// Whether the project's file names the hosts that are metered.
    let choosesHosts: Bool

    private static let mostNamed = 5

    func text(_ style: TextStyle) -> String {
        guard let served = reports[.served], hasRequests else {
            if choosesHosts {
                return "wireweight: no request went to a host that is to be metered. The hosts are those of "
                    + "'\(ProjectFile.name)'; '--no-project' meters all.\n"
            }
            guard let program else { return "wireweight: no device has sent a request to the proxy.\n" }
            return "wireweight: '\(TerminalText.escaped(program))' sent nothing through the proxy; it may not read the "
                + "variables that name it: docs/proxy.md has what clients need.\n"
        }
        var lines = served.table(style)
        lines += unopened
        lines += hint
        if let incompleteness { lines += "wireweight: the file is not complete: \(incompleteness).\n" }
        return lines
    }

    var hasRequests: Bool { (reports[.served]?.totals.requests ?? 0) > 0 }

    /// How to go on; the file has the side of the servers, too.
    private var hint: String {
        guard let storePath else { return "" }
        let file = isNamed ? " " + RunSummary.quoted(TerminalText.escaped(storePath)) : ""
        return (isNamed ? "" : "Kept as the last run. ")
            + "See what each device sent: wireweight report\(file) --by device\n"
    }

    private var closed: [(key: UnseenTally.Key, sum: UnseenTally.Sum)] {
        unseen.sums.map { ($0.key, $0.value) }.filter { $0.key.reason == .passedOn && $0.key.direction == .called }
            .sorted {
                ($1.sum.bytes.total, $0.key.host) < ($0.sum.bytes.total, $1.key.host)
            }
    }

    /// The hosts whose TLS was passed on, the heaviest first.
    private var unopened: String {
        let lines = closed.prefix(Self.mostNamed).map { key, sum in
            "TLS to \(TerminalText.escaped(key.host)) was passed on unopened: "
                + "\(UnmeteredTraffic.count(sum.connections, "connection")), \(Units.bytes(sum.bytes.up)) up, "
                + "\(Units.bytes(sum.bytes.down)) down.\n"
        }
        let more = closed.count - lines.count
        return lines.joined()
            + (more > 0
                ? "So was TLS to \(UnmeteredTraffic.count(more, "other host")): see 'wireweight connections'.\n" : "")
    }

    var json: String {
        let hosts = closed.map { key, sum in
            JSONValue.object([
                .init("host", .string(key.host)), .init("connections", .integer(Int64(sum.connections))),
                .init("up", .integer(sum.bytes.up.bytes)), .init("down", .integer(sum.bytes.down.bytes)),
            ])
        }
        let members: [JSONValue.Member] = [
            .init("exchanges", .integer(reports[.served]?.totals.requests ?? 0)), .init("unopened", .array(hosts)),
            .init("incomplete", incompleteness.map { .string($0) } ?? .null),
        ]
        return JSONValue.object(members + (reports[.served] ?? reports.all[0]).members).pretty + "\n"
    }
}
