package import TextFormats
package import TrafficModel

/// The two legs of an exchange that a proxy passed on, side by side: the device's and the server's.
package struct TwoLegs: Sendable {
    private enum Unit { case bytes, time }

    private struct Row {
        var name: String
        var device: Int64?
        var server: Int64?
        var unit: Unit
        /// Whether it is a share of the row above, shown only if the legs differ.
        var isPart = false
    }

    private let rows: [Row]
    private let exchange: StoredExchange
    private let leg: ServerLeg

    /// Compares the legs; nil if the exchange has only one.
    package init?(of exchange: StoredExchange) {
        guard let end = exchange.end, let leg = end.serverLeg else { return nil }
        self.exchange = exchange
        self.leg = leg
        let response = exchange.response
        var rows: [Row] = []
        func add(_ message: String, _ here: WireSize?, _ there: WireSize?) {
            rows.append(Row(name: message, device: here?.known.bytes, server: there?.known.bytes, unit: .bytes))
            for (part, same) in zip((here ?? .nothing).namedParts, (there ?? .nothing).namedParts)
            where part.part.bytes != same.part.bytes {
                rows.append(
                    Row(
                        name: ExchangeSheet.titles[part.name] ?? part.name, device: part.part.bytes.bytes,
                        server: same.part.bytes.bytes, unit: .bytes, isPart: true))
            }
        }
        add("request", exchange.request.size, leg.request)
        add("response", response?.size, leg.response?.size)
        let (own, other) = (end.share?.overhead, leg.end.share?.overhead)
        if own ?? .zero != .zero || other ?? .zero != .zero {
            rows.append(Row(name: "overhead up", device: own?.up.bytes, server: other?.up.bytes, unit: .bytes))
            rows.append(Row(name: "overhead down", device: own?.down.bytes, server: other?.down.bytes, unit: .bytes))
        }
        for (phase, same) in zip(end.timings.named, leg.end.timings.named)
        where phase.duration ?? 0 > 0 || same.duration ?? 0 > 0 {
            let name = ["dns": "DNS", "tls": "TLS"][phase.name] ?? phase.name
            rows.append(Row(name: name, device: phase.duration, server: same.duration, unit: .time))
        }
        rows.append(Row(name: "total", device: end.timings.total, server: leg.end.timings.total, unit: .time))
        self.rows = rows
    }

    /// The table for a terminal.
    package func lines(_ style: TextStyle) -> [String] {
        func text(_ value: Int64?, _ unit: Unit) -> String {
            guard let value else { return "–" }
            return unit == .bytes ? Units.count(value) : Units.duration(value)
        }
        func difference(_ row: Row) -> String {
            guard let device = row.device, let server = row.server, device != server else { return "" }
            let more = server &- device
            return (more < 0 ? "−" : "+") + text(Int64(clamping: more.magnitude), row.unit)
        }
        let cells = rows.map {
            [($0.isPart ? "  " : "") + $0.name, text($0.device, $0.unit), text($0.server, $0.unit), difference($0)]
        }
        let all = [["", "device", "server", "difference"]] + cells
        let widths = (0..<4).map { column in all.map { TerminalText.width($0[column]) }.max() ?? 0 }
        let lines = all.enumerated().map { place, row in
            let line =
                "  " + TerminalText.padded(row[0], to: max(16, widths[0]), right: false)
                + (1..<4).map { "  " + TerminalText.padded(row[$0], to: max(10, widths[$0]), right: true) }.joined()
            return place == 0 ? style.dim(Self.trimmed(line)) : Self.trimmed(line)
        }
        return [style.bold("Both legs") + " (bytes, times)"] + lines + ["  server: " + TerminalText.escaped(place)]
    }

    /// Where the server's leg went, when, and how it ended if that is not how the device's did.
    private var place: String {
        let end = leg.end
        var place = leg.connection.map { "connection \($0), " } ?? ""
        place += end.reusedConnection ? "reused" : "new"
        if !end.remoteAddress.isEmpty { place += " to \(end.remoteAddress)" }
        let delay = leg.startedAt.nanoseconds &- exchange.request.startedAt.nanoseconds
        place += ", begun \(Units.duration(max(0, delay))) after the device's"
        if let response = leg.response, response.status != exchange.response?.status ?? 0 {
            place += ", status \(response.status)"
        }
        guard end.outcome != exchange.end?.outcome else { return place }
        return place + ", \(end.outcome.failure?.message ?? end.outcome.name)"
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
