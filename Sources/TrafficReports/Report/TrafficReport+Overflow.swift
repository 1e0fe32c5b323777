import TextFormats
import TrafficModel
import URLTemplates

// A host has a bounded number of templates; requests for further paths are counted, but without a template of their
// own.
extension TrafficReport {
    /// The sums of paths without a template, by host; the host with the most requests comes first.
    static func overflow(of all: [TrafficTotal]) -> [TrafficTotal] {
        var hosts: [String: TrafficTotal] = [:]
        for total in all where total.key.template == TemplateLimits.overflow {
            let host = total.key.host ?? ""
            hosts[host, default: TrafficTotal(key: TrafficTotal.Key(host: host))].merge(total)
        }
        return hosts.values.sorted { left, right in
            left.requests != right.requests
                ? left.requests > right.requests : (left.key.host ?? "") < (right.key.host ?? "")
        }
    }

    /// A note on them below a table; nil if there are none.
    var overflowNote: String? {
        guard let first = overflow.first else { return nil }
        let requests = overflow.reduce(0) { $0 + $1.requests }
        let noun = requests == 1 ? "request is" : "requests are"
        let host = TerminalText.escaped(first.key.host ?? "")
        let others = overflow.count > 1 ? " and \(Units.count(Int64(overflow.count - 1))) more" : ""
        return "\(Units.count(requests)) \(noun) counted as \(TemplateLimits.overflow): \(host)\(others) has more "
            + "APIs than it may have templates. Templates of your own put them together: "
            + "wireweight run --template '/shops/{shop}/items/{item}'."
    }

    /// The same in JSON; null if there are none.
    var overflowValue: JSONValue {
        guard !overflow.isEmpty else { return .null }
        let hosts = overflow.map { total in
            JSONValue.object([
                .init("host", .string(total.key.host ?? "")), .init("requests", .integer(total.requests)),
                .init("up", .integer(total.up.total.bytes)), .init("down", .integer(total.down.total.bytes)),
            ])
        }
        return .object([
            .init("template", .string(TemplateLimits.overflow)),
            .init("requests", .integer(overflow.reduce(0) { $0 + $1.requests })), .init("hosts", .array(hosts)),
        ])
    }
}
