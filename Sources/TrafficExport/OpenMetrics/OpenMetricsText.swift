import TextFormats
import TrafficModel

/// Writes the sums of each API as OpenMetrics text.
///
/// Counts are written as gauges, which show the state of a file. OpenMetrics and Prometheus' older text format place
/// the `_total` of a counter's name differently; gauges are the same in both.
///
/// The label `traffic` is `called` or `served`; `direction` is `up` or `down`.
///
/// The histogram's bounds are powers of two. They coincide with bounds of the store's finer histogram, so its counts
/// are exact. The store keeps no sum of the durations, so none is written.
struct OpenMetricsText {
    private let totals: [TrafficTotal]
    private let losses: [TrafficLoss]

    init(_ totals: [TrafficTotal], losses: [TrafficLoss]) {
        self.totals = totals
        self.losses = losses
    }

    /// Writes the metric families in order.
    func write(to write: (String) throws -> Void) throws {
        let counts: [(name: String, help: String, value: (TrafficTotal) -> Int64)] = [
            ("requests", "Requests that were metered.", \.requests),
            ("responses", "Requests that got a response.", \.responses),
            ("failures", "Exchanges that failed or timed out, or got a status of 400 or more.", \.failures),
        ]
        for count in counts {
            try family("wireweight_\(count.name)", "gauge", count.help, of: totals, write) { total, name in
                Self.sample(name, Self.labels(total), String(count.value(total)))
            }
        }
        let rate = "The share of the requests that failed, from 0 to 1."
        try family("wireweight_failure_ratio", "gauge", rate, of: totals, write) { total, name in
            total.failureRate.map { Self.sample(name, Self.labels(total), JSONValue.share($0).compact) } ?? ""
        }
        let directions: [(name: String, what: String, parts: (TrafficTotal) -> PartTotals)] = [
            ("request", "Requests", \.up), ("response", "Responses", \.down),
        ]
        for direction in directions {
            let help = "\(direction.what) on the wire, by part; the parts add up to the whole."
            try family("wireweight_\(direction.name)_bytes", "gauge", help, of: totals, write) { total, name in
                Self.parts(of: direction.parts(total)).map { part, bytes in
                    Self.sample(name, Self.labels(total, ("part", part)), bytes.description)
                }.joined()
            }
        }
        for direction in directions {
            let cookies = "\(direction.what): the cookies' share of the part fields."
            try family("wireweight_\(direction.name)_cookies_bytes", "gauge", cookies, of: totals, write) {
                Self.sample($1, Self.labels($0), direction.parts($0).cookies.description)
            }
            let captured =
                "\(direction.what): bytes that passed through the meter; others were reported or reconstructed."
            try family("wireweight_\(direction.name)_captured_bytes", "gauge", captured, of: totals, write) {
                Self.sample($1, Self.labels($0), direction.parts($0).captured.description)
            }
        }
        let sharing = totals.filter { $0.sharing > 0 }
        let beside: [(name: String, help: String, flow: (TrafficTotal) -> ByteFlow)] = [
            ("overhead", "What connections carried beside the messages: TLS, and HTTP/2's own frames.", \.overhead),
            ("packet_header", "An estimate of the headers of IP and TCP: segments times their size.", \.packetHeaders),
        ]
        for part in beside {
            try family("wireweight_\(part.name)_bytes", "gauge", part.help, of: sharing, write) { total, name in
                let flow = part.flow(total)
                return [("up", flow.up), ("down", flow.down)].map { way, bytes in
                    Self.sample(name, Self.labels(total, ("direction", way)), bytes.description)
                }.joined()
            }
        }
        try family(
            "wireweight_duration_seconds", "histogram", "Whole durations of the exchanges that ended.", of: totals,
            write, Self.histogram)
        try family("wireweight_lost_events", "gauge", "Events that could not be recorded.", of: losses, write) {
            Self.sample($1, [("reason", $0.reason.rawValue)], String($0.count))
        }
        try write("# EOF\n")
    }

    private func family<Item>(
        _ name: String, _ type: String, _ help: String, of items: [Item], _ write: (String) throws -> Void,
        _ samples: (Item, _ name: String) -> String
    ) throws {
        guard !items.isEmpty else { return }
        var head = "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        if let unit = ["bytes", "seconds"].first(where: { name.hasSuffix("_\($0)") }) {
            head += "# UNIT \(name) \(unit)\n"
        }
        try write(head)
        for item in items { try write(samples(item, name)) }
    }

    private static func parts(of parts: PartTotals) -> [(String, ByteCount)] {
        [
            ("start_line", parts.startLine), ("fields", parts.fields), ("interim", parts.interim),
            ("body", parts.body), ("framing", parts.framing),
        ]
    }

    // MARK: Histogram

    /// The exponents of the bounds in seconds: from 122 µs to 128 s.
    private static let octaves = -13...7

    private static func histogram(_ total: TrafficTotal, _ name: String) -> String {
        let latency = total.latency
        var text = ""
        for octave in octaves {
            // Bucket `i` ends at 2^((i+1)/32) seconds.
            let seen = latency.buckets.reduce(latency.zeroCount) { sum, bucket in
                Int(bucket.key) + 1 <= octave * 32 ? sum + bucket.value : sum
            }
            let bound = Double(sign: .plus, exponent: octave, significand: 1)
            text += sample("\(name)_bucket", labels(total, ("le", Self.text(bound))), String(seen))
        }
        return text + sample("\(name)_bucket", labels(total, ("le", "+Inf")), String(latency.count))
    }

    /// The decimal digits without an exponent, which all readers accept.
    private static func text(_ bound: Double) -> String {
        // A power of two below 1 has as many decimal places as binary ones.
        var digits = ""
        var rest = bound - bound.rounded(.down)
        while rest > 0 {
            rest *= 10
            digits += String(Int(rest))
            rest -= rest.rounded(.down)
        }
        return "\(Int(bound)).\(digits.isEmpty ? "0" : digits)"
    }

    // MARK: Samples

    private static func labels(_ total: TrafficTotal, _ more: (String, String)...) -> [(String, String)] {
        [
            ("method", total.key.method ?? ""), ("host", total.key.host ?? ""),
            ("template", total.key.template ?? ""), ("traffic", total.key.direction.rawValue),
        ] + more
    }

    private static func sample(_ name: String, _ labels: [(String, String)], _ value: String) -> String {
        let list = labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
        return "\(name){\(list)} \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x5C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else { return value }
        return value.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            // Some readers take a carriage return for a line end.
            case "\r": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
