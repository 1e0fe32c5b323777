package import TextFormats
package import TrafficModel

/// One exchange as a JSON object: the line of `exchanges --format ndjson`.
///
/// Members are added, never renamed.
package struct ExchangeLine: Sendable {
    private let exchange: StoredExchange

    /// Creates the line of that exchange.
    package init(_ exchange: StoredExchange) { self.exchange = exchange }

    /// The object on one line, without a line end.
    package var ndjson: String { JSONValue.object(members(withFieldLines: false)).compact }

    /// The object on many lines, with the header lines: the output of `show --format json`.
    package var json: String { detail.pretty + "\n" }

    /// The same, with what followed a 101 on that connection, and the other end if that is in the same store.
    package func json(on connection: StoredConnection?, otherEnd: OtherEnd? = nil) -> String {
        let upgrade = ExchangeUpgrade(of: exchange, on: connection)?.json ?? .null
        return JSONValue.object(
            members(withFieldLines: true) + [
                .init("upgrade", upgrade), .init("handshake", connection?.handshake?.json ?? .null),
                .init("otherEnd", otherEnd?.json("exchange") ?? .null),
            ]
        ).pretty + "\n"
    }

    /// The object with the header lines, to embed in another.
    package var detail: JSONValue { .object(members(withFieldLines: true)) }

    /// The members with these names, for formats that show them along with their own.
    package func members(named names: Set<String>) -> JSONValue {
        .object(members(withFieldLines: false).filter { names.contains($0.name) })
    }

    private func members(withFieldLines: Bool) -> [JSONValue.Member] {
        let request = exchange.request
        let end = exchange.end
        let leg = end?.serverLeg.map { [JSONValue.Member("serverLeg", Self.leg($0))] } ?? []
        return [
            .init("exchange", .integer(exchange.id.rawValue)),
            .init("task", .integer(exchange.task.rawValue)),
            .init("resendCount", .integer(Int64(request.resendCount))),
            .init("pid", .integer(Int64(request.process.pid))),
            .init("process", .string(request.process.name)),
            .init("startedAt", .string(request.startedAt.iso8601)),
            .init("sentAt", .text(request.sentAt?.iso8601)),
            .init("endedAt", .text(end?.endedAt.iso8601)),
            .init("method", .string(request.method)),
            .init("url", .string(request.url)),
            .init("scheme", .string(request.scheme)),
            .init("host", .string(request.host)),
            .init("port", .integer(Int64(request.port))),
            .init("authority", .string(request.authority)),
            .init("path", .string(request.path)),
            .init("query", request.query.map { .string($0) } ?? .null),
            .init("template", .string(request.template)),
            .init("httpVersion", .text(request.httpVersion)),
            .init("request", requestValue(withFieldLines)),
            .init("response", responseValue(withFieldLines)),
            .init("outcome", .text(end?.outcome.name)),
            .init("error", .text(end?.outcome.failure?.message)),
            .init("errorCode", end?.outcome.failure.map { .integer(Int64($0.code)) } ?? .null),
            .init("errorDomain", .text(end?.outcome.failure?.domain.rawValue)),
            .init("failed", .bool(exchange.hasFailed)),
            .init("timings", Self.timings(end?.timings ?? ExchangeTimings())),
            .init("connection", exchange.connection.map { .integer($0.rawValue) } ?? .null),
            .init("reused", exchange.connection == nil ? .null : end.map { .bool($0.reusedConnection) } ?? .null),
            .init("remoteAddress", .text(end?.remoteAddress)),
            .init("network", end?.network?.json ?? .null),
            .init("overhead", end?.share.map { .object($0.overhead.members) } ?? .null),
            .init(
                "packetHeaders",
                end?.share.map { .object($0.packetHeaders.members + [.init("estimated", .bool(true))]) } ?? .null),
            .init("direction", .string(request.direction.rawValue)),
        ] + leg
    }

    /// The server's leg, with the members of an exchange as far as a leg has them.
    private static func leg(_ leg: ServerLeg) -> JSONValue {
        let end = leg.end
        let response = leg.response.map { response in
            JSONValue.object(
                [
                    .init("status", response.status > 0 ? .integer(Int64(response.status)) : .null),
                    .init("firstByteAt", .string(response.firstByteAt.iso8601)),
                ] + members(of: response.size))
        }
        return .object([
            .init("startedAt", .string(leg.startedAt.iso8601)), .init("sentAt", .text(leg.sentAt?.iso8601)),
            .init("endedAt", .string(end.endedAt.iso8601)), .init("request", .object(members(of: leg.request))),
            .init("response", response ?? .null), .init("outcome", .string(end.outcome.name)),
            .init("error", .text(end.outcome.failure?.message)), .init("timings", timings(end.timings)),
            .init("connection", leg.connection.map { .integer($0.rawValue) } ?? .null),
            .init("reused", .bool(end.reusedConnection)), .init("remoteAddress", .text(end.remoteAddress)),
            .init("overhead", end.share.map { .object($0.overhead.members) } ?? .null),
        ])
    }

    private func requestValue(_ withFieldLines: Bool) -> JSONValue {
        let request = exchange.request
        var members = Self.members(of: request.size)
        members.append(.init("bodyDigest", Self.digest(request.bodyDigest)))
        if let kept = request.capturedBody { members.append(.init("bodyKept", .integer(Int64(kept.count)))) }
        if withFieldLines { members.append(.init("fieldLines", Self.fieldLines(request.fields))) }
        return .object(members)
    }

    private func responseValue(_ withFieldLines: Bool) -> JSONValue {
        guard let response = exchange.response else { return .null }
        var members: [JSONValue.Member] = [
            .init("status", response.status > 0 ? .integer(Int64(response.status)) : .null),
            .init("reason", .text(response.reason)),
            .init("httpVersion", .text(response.httpVersion)),
            .init("firstByteAt", .string(response.firstByteAt.iso8601)),
            .init("contentType", .text(response.contentType)),
            .init("contentEncoding", .text(response.contentEncoding)),
        ]
        members += Self.members(of: response.size)
        members.append(.init("decodedBody", Self.bytes(response.decodedBody)))
        members.append(.init("bodyDigest", Self.digest(response.bodyDigest)))
        if let kept = response.capturedBody { members.append(.init("bodyKept", .integer(Int64(kept.count)))) }
        if withFieldLines { members.append(.init("fieldLines", Self.fieldLines(response.fields))) }
        return .object(members)
    }

    /// The parts, the total and the weakest evidence; the evidence of each part if the parts differ.
    private static func members(of size: WireSize) -> [JSONValue.Member] {
        var members = size.namedParts.map { JSONValue.Member($0.name, bytes($0.part)) }
        members.append(.init("total", size.total.map { .integer($0.bytes) } ?? .null))
        members.append(.init("evidence", .string(size.evidence.name)))
        if let margin = size.margin { members.append(.init("margin", .integer(margin.bytes))) }
        if size.namedParts.contains(where: { $0.part.evidence != size.evidence }) {
            let byPart = size.namedParts.map { JSONValue.Member($0.name, .string($0.part.evidence.name)) }
            members.append(.init("evidenceByPart", .object(byPart)))
        }
        return members
    }

    private static func bytes(_ part: WireSize.Part) -> JSONValue {
        part.evidence == .unknown ? .null : .integer(part.bytes.bytes)
    }

    private static func digest(_ digest: UInt64?) -> JSONValue {
        digest.map { digest in
            let digits = String(digest, radix: 16)
            return .string(String(repeating: "0", count: 16 - digits.count) + digits)
        } ?? .null
    }

    private static func fieldLines(_ fields: FieldSection) -> JSONValue {
        .array(fields.lines.map { .string(String(decoding: FieldSection.trimmed($0), as: UTF8.self)) })
    }

    private static func timings(_ timings: ExchangeTimings) -> JSONValue {
        let timings = timings.inMicroseconds
        return .object(
            timings.named.map { .init($0.name, .milliseconds($0.duration)) }
                + [.init("total", .milliseconds(timings.total))])
    }
}

extension WireSize {
    /// The parts under their names in machine formats.
    package var namedParts: [(name: String, part: Part)] {
        [
            ("startLine", startLine), ("fields", fields), ("cookies", cookies), ("interim", interim), ("body", body),
            ("framing", framing),
        ]
    }
}
