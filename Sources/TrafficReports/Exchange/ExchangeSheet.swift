package import TextFormats
package import TrafficModel

/// One exchange on a page: the ledger of its bytes, where its time went, and both messages' headers as they were sent.
package struct ExchangeSheet: Sendable {
    private let exchange: StoredExchange
    private let upgrade: ExchangeUpgrade?
    private let otherEnd: OtherEnd?
    private let handshake: TLSHandshake?
    private let style: TextStyle

    /// Creates the sheet of an exchange for a terminal, with what followed a 101 on its connection, and what the
    /// other end reports if that is in the same store.
    package init(
        _ exchange: StoredExchange, _ style: TextStyle = TextStyle(), on connection: StoredConnection? = nil,
        otherEnd: OtherEnd? = nil
    ) {
        self.exchange = exchange
        upgrade = ExchangeUpgrade(of: exchange, on: connection)
        self.otherEnd = otherEnd
        handshake = connection?.handshake
        self.style = style
    }

    /// The text of the whole page.
    package var text: String {
        let wasSent = exchange.request.size.known > 0
        var sections = [
            facts,
            wasSent
                ? ledger("Request", exchange.request.size)
                    + kept(exchange.request.capturedBody, of: exchange.request.size.body)
                : [style.bold("Request"), "  nothing was sent"],
        ]
        if let response = exchange.response {
            sections.append(
                ledger("Response", response.size) + decoded(response)
                    + kept(response.capturedBody, of: response.size.body))
        } else {
            let isLost = exchange.end?.outcome == .incomplete
            sections.append([style.bold("Response"), isLost ? "  not known: the meter lost it" : "  none came"])
        }
        if let upgrade { sections.append(upgrade.lines(style)) }
        if let legs = TwoLegs(of: exchange) { sections.append(legs.lines(style)) }
        if let end = exchange.end { sections.append(Waterfall(end.timings, style).lines) }
        if wasSent { sections.append(requestHead) }
        if let response = exchange.response { sections.append(head(of: response)) }
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private var facts: [String] {
        let request = exchange.request
        let method = request.method.isEmpty ? "–" : request.method
        var lines = [style.bold("\(TerminalText.escaped(method)) \(TerminalText.escaped(request.url))")]
        func fact(_ name: String, _ value: String) {
            lines.append(TerminalText.padded(name, to: 12, right: false) + TerminalText.escaped(value))
        }
        fact("Exchange", "\(exchange.id), attempt \(request.resendCount + 1) of task \(exchange.task)")
        if exchange.end?.serverLeg != nil {
            fact("Device", "\(request.process.name), through the proxy of process \(request.process.pid)")
        } else {
            fact("Process", "\(request.process.name) (\(request.process.pid))")
            if request.direction == .served { fact("Direction", "served: the process sent the response") }
        }
        fact("API", "\(method) \(request.authority) \(request.template)")
        if request.targetForm != .origin { fact("Target", request.path) }
        fact("Started", request.startedAt.text(in: style.zone))
        if let sentAt = request.sentAt { fact("Sent", sentAt.text(in: style.zone)) }
        if let response = exchange.response {
            let none = response.isAnswer ? "none: HTTP/0.9 has no status line" : "not known"
            fact("Status", response.status > 0 ? "\(response.status) \(response.reason)" : none)
        }
        fact("Outcome", outcome)
        if let end = exchange.end, let connection = exchange.connection {
            let use = end.reusedConnection ? "reused" : "new"
            let peer = end.remoteAddress.isEmpty ? "" : " to \(end.remoteAddress)"
            fact(
                "Connection",
                ["\(connection), \(use)\(peer)", exchange.versionText].compactMap(\.self).joined(separator: ", "))
        }
        if let handshake {
            let name = handshake.serverName.isEmpty ? "" : "for \(handshake.serverName): "
            fact("Handshake", name + handshake.sentence)
        }
        if let otherEnd { fact("Other end", otherEnd.sentence) }
        if let share = exchange.end?.share {
            func bytes(_ flow: ByteFlow) -> String {
                "\(Units.count(flow.up.bytes)) up, \(Units.count(flow.down.bytes)) down"
            }
            fact("Overhead", share.overhead == .zero ? "none" : "TLS and HTTP/2, bytes: \(bytes(share.overhead))")
            fact("IP and TCP", "headers, estimated bytes: \(bytes(share.packetHeaders))")
        }
        return lines
    }

    private var outcome: String {
        guard let outcome = exchange.end?.outcome else { return "running" }
        if let failure = outcome.failure {
            // These domains have no codes.
            if failure.domain == .connection { return "failed: \(failure.message)" }
            let name = failure.domain.rawValue.isEmpty ? "" : "\(failure.domain.rawValue) "
            return "failed with \(name)\(failure.code): \(failure.message)"
        }
        if outcome == .incomplete { return "incomplete: the meter lost part of it" }
        return outcome == .timedOut ? "timed out" : outcome.name
    }

    // MARK: The ledger

    static let titles = [
        "startLine": "start line", "fields": "headers", "cookies": "  of which cookies", "interim": "interim responses",
        "body": "body", "framing": "framing",
    ]

    private func ledger(_ title: String, _ size: WireSize) -> [String] {
        let rows = size.namedParts.map { (Self.titles[$0.name] ?? $0.name, Self.number($0.part), $0.part.evidence) }
        let total = size.total.map { Units.count($0.bytes) } ?? "at least \(Units.count(size.known.bytes))"
        let numberWidth = max(9, (rows.map(\.1) + [total]).map { TerminalText.width($0) }.max() ?? 0)
        func line(_ name: String, _ number: String, _ evidence: Evidence) -> String {
            "  " + TerminalText.padded(name, to: 18, right: false) + "  "
                + TerminalText.padded(number, to: numberWidth, right: true) + "  " + evidence.name
        }
        return [style.bold(title) + " (bytes)"] + rows.map { line($0.0, $0.1, $0.2) } + [
            style.dim("  " + String(repeating: "─", count: numberWidth + 33)),
            style.bold(line("total", total, size.evidence))
                + (size.margin.map { " ± \(Units.count($0.bytes))" } ?? ""),
        ]
    }

    private func decoded(_ response: ResponseRecord) -> [String] {
        guard response.decodedBody.evidence != .unknown, response.decodedBody.bytes != response.size.body.bytes
        else { return [] }
        let coding = response.contentEncoding.isEmpty ? "" : " from \(TerminalText.escaped(response.contentEncoding))"
        return [
            "  body after decoding\(coding): \(Self.number(response.decodedBody)), \(response.decodedBody.evidence.name)"
        ]
    }

    /// How much of a body was kept; no lines if none was.
    private func kept(_ bytes: [UInt8]?, of body: WireSize.Part) -> [String] {
        guard let bytes, !bytes.isEmpty else { return [] }
        let count = ByteCount(bytes.count)
        let isAll = body.evidence != .unknown && count >= body.bytes
        return [
            "  body kept: " + (isAll ? "all of it" : "the first \(Units.bytes(count)) of \(Units.bytes(body.bytes))")
        ]
    }

    private static func number(_ part: WireSize.Part) -> String {
        part.evidence == .unknown ? "?" : Units.count(part.bytes.bytes)
    }

    // MARK: Headers

    private var requestHead: [String] {
        let request = exchange.request
        let target = request.path + (request.query.map { "?\($0)" } ?? "")
        let version = request.httpVersion.isEmpty ? "" : " HTTP/\(request.httpVersion)"
        return head("Request headers", "\(request.method) \(target)\(version)", request.fields)
    }

    private func head(of response: ResponseRecord) -> [String] {
        head("Response headers", "HTTP/\(response.httpVersion) \(response.status) \(response.reason)", response.fields)
    }

    private func head(_ title: String, _ startLine: String, _ fields: FieldSection) -> [String] {
        let lines = fields.lines.map { String(decoding: FieldSection.trimmed($0), as: UTF8.self) }
        return [style.bold(title) + " (secrets replaced)"]
            + ([startLine] + lines).map { "  " + TerminalText.escaped($0) }
    }
}
