import TextFormats
import TrafficModel

/// Makes a span of each exchange that has ended, a client's or a server's, with the names of the semantic conventions
/// for HTTP.
///
/// The attempts of one task share a trace. A message contains the spans of a bounded number of exchanges.
struct OTLPSpanEncoder {
    private let seed: UInt64
    private let batch: Int
    private let resource: [JSONValue]
    private var spans: [(process: ProcessIdentity, span: JSONValue)] = []

    /// Creates an encoder.
    ///
    /// One seed gives the same identifiers each time; each store should have a seed of its own.
    ///
    /// - Parameters:
    ///   - seed: makes identifiers of numbers.
    ///   - batch: the most spans of a message.
    ///   - resource: the attributes of what was metered; without the name of a service, it is that of the program.
    init(seed: UInt64, batch: Int = 256, resource: [JSONValue] = []) {
        self.seed = seed
        self.batch = batch
        self.resource = resource
    }

    /// Adds the span of an exchange, if it has ended; returns the message when it is full.
    mutating func add(_ exchange: StoredExchange) -> OTLPMessage? {
        guard let end = exchange.end else { return nil }
        spans.append((exchange.request.process, span(exchange, end)))
        return spans.count < batch ? nil : message()
    }

    /// The message with the remaining spans; nil if there are none.
    mutating func end() -> OTLPMessage? { spans.isEmpty ? nil : message() }

    private mutating func message() -> OTLPMessage {
        defer { spans.removeAll(keepingCapacity: true) }
        return .spans(resources)
    }

    /// The spans since the last message, by program.
    var resources: [JSONValue] {
        var order: [ProcessIdentity] = []
        var byProcess: [ProcessIdentity: [JSONValue]] = [:]
        for (process, span) in spans {
            if byProcess[process] == nil { order.append(process) }
            byProcess[process, default: []].append(span)
        }
        let isNamed = Self.hasService(resource)
        return order.map { process in
            JSONValue.object([
                .init(
                    "resource",
                    OTLPValue.resource(
                        (isNamed ? [] : [OTLPValue.attribute("service.name", process.name)]) + resource + [
                            OTLPValue.attribute("process.executable.name", process.name),
                            OTLPValue.attribute("process.pid", Int64(process.pid)),
                        ])),
                .init(
                    "scopeSpans",
                    .array([
                        .object([
                            .init("scope", OTLPValue.scope), .init("spans", .array(byProcess[process] ?? [])),
                        ])
                    ])),
            ])
        }
    }

    private static func hasService(_ resource: [JSONValue]) -> Bool {
        resource.contains { attribute in
            guard case .object(let members) = attribute else { return false }
            return members.first?.value == .string("service.name")
        }
    }

    private func span(_ exchange: StoredExchange, _ end: ExchangeEnd) -> JSONValue {
        let request = exchange.request
        let task = UInt64(bitPattern: exchange.task.rawValue)
        let own = UInt64(bitPattern: exchange.id.rawValue)
        var members: [JSONValue.Member] = [
            .init("traceId", .string(Self.hex(mixed(task, 1)) + Self.hex(mixed(task, 2)))),
            .init("spanId", .string(Self.hex(mixed(own, 3)))),
            .init("name", .string("\(request.method) \(request.template)")),
            // 2: server, 3: client (SpanKind).
            .init("kind", .integer(request.direction == .served ? 2 : 3)),
            .init("startTimeUnixNano", OTLPValue.moment(request.startedAt)),
            .init("endTimeUnixNano", OTLPValue.moment(max(end.endedAt, request.startedAt))),
            .init("attributes", .array(attributes(exchange, end))),
        ]
        if let sentAt = request.sentAt {
            members.append(
                .init(
                    "events",
                    .array([
                        .object([
                            .init("timeUnixNano", OTLPValue.moment(sentAt)), .init("name", .string("wireweight.sent")),
                        ])
                    ])))
        }
        // 2: error (StatusCode).
        if exchange.hasFailed {
            let why = exchange.trouble.map { JSONValue.Member("message", .string($0)) }
            members.append(.init("status", .object([.init("code", .integer(2))] + [why].compactMap(\.self))))
        }
        return .object(members)
    }

    private func attributes(_ exchange: StoredExchange, _ end: ExchangeEnd) -> [JSONValue] {
        let request = exchange.request
        var result = [
            OTLPValue.attribute("http.request.method", request.method),
            OTLPValue.attribute("url.scheme", request.scheme),
            OTLPValue.attribute("server.address", request.host),
            OTLPValue.attribute("server.port", Int64(request.port)),
            OTLPValue.attribute("network.protocol.name", "http"),
            OTLPValue.attribute("wireweight.exchange", exchange.id.rawValue),
        ]
        result += Self.target(of: request)
        // A request that was refused before it was created has no version.
        if !request.httpVersion.isEmpty {
            result.append(OTLPValue.attribute("network.protocol.version", request.httpVersion))
        }
        func add(_ name: String, _ value: Int64?) {
            if let value { result.append(OTLPValue.attribute(name, value)) }
        }
        if request.resendCount > 0 { add("http.request.resend_count", Int64(request.resendCount)) }
        add("http.request.size", request.size.total?.bytes)
        add("http.request.body.size", request.size.body.known)
        result.append(OTLPValue.attribute("wireweight.request.evidence", request.size.evidence.name))
        if let response = exchange.response {
            if response.status > 0 { add("http.response.status_code", Int64(response.status)) }
            add("http.response.size", response.size.total?.bytes)
            add("http.response.body.size", response.size.body.known)
            result.append(OTLPValue.attribute("wireweight.response.evidence", response.size.evidence.name))
        }
        if let peer = exchange.peer {
            if request.direction == .served { result.append(OTLPValue.attribute("client.address", peer.address)) }
            result.append(OTLPValue.attribute("network.peer.address", peer.address))
            add("network.peer.port", peer.port.map { Int64($0) })
        }
        result.append(OTLPValue.attribute("wireweight.outcome", end.outcome.name))
        if end.outcome.isFailure {
            result.append(OTLPValue.attribute("error.type", end.outcome.name))
        } else if exchange.hasFailed, let status = exchange.response?.status {
            result.append(OTLPValue.attribute("error.type", String(status)))
        }
        if let failure = end.outcome.failure {
            result.append(OTLPValue.attribute("wireweight.error.domain", failure.domain.rawValue))
            add("wireweight.error.code", Int64(failure.code))
        }
        if exchange.connection != nil {
            result.append(OTLPValue.attribute("wireweight.connection.reused", end.reusedConnection))
        }
        if let network = end.network { result += Self.attributes(of: network) }
        if let share = end.share {
            add("wireweight.request.overhead", share.overhead.up.bytes)
            add("wireweight.response.overhead", share.overhead.down.bytes)
        }
        for (name, duration) in end.timings.named {
            if let duration { result.append(OTLPValue.seconds("wireweight.phase.\(name)", nanoseconds: duration)) }
        }
        return result
    }

    /// What was requested: a client knows the URL, a server the path and the route.
    private static func target(of request: RequestRecord) -> [JSONValue] {
        if request.direction == .called {
            return [
                OTLPValue.attribute("url.full", request.url), OTLPValue.attribute("url.template", request.template),
            ]
        }
        return [
            OTLPValue.attribute("url.path", request.path), OTLPValue.attribute("http.route", request.template),
        ] + (request.query.map { [OTLPValue.attribute("url.query", $0)] } ?? [])
    }

    /// Attributes with OpenTelemetry's names if they exist.
    ///
    /// `network.connection.type` has no value for traffic that stays on the machine, and of other traffic only `cell`
    /// is known.
    private static func attributes(of network: ConnectionNetwork) -> [JSONValue] {
        var result: [JSONValue] = []
        if !network.interface.isEmpty {
            result.append(OTLPValue.attribute("network.interface.name", network.interface))
        }
        if network.kind == .cellular { result.append(OTLPValue.attribute("network.connection.type", "cell")) }
        for (name, value) in network.properties where name != "cellular" {
            if let value { result.append(OTLPValue.attribute("wireweight.network.\(name)", value)) }
        }
        if let resolution = network.resolution {
            result.append(OTLPValue.attribute("wireweight.network.resolution", resolution.rawValue))
        }
        return result
    }

    // MARK: Identifiers

    /// SplitMix64 of the number and the seed; never zero, because identifiers must not be.
    private func mixed(_ number: UInt64, _ purpose: UInt64) -> UInt64 {
        var value = seed &+ number &* 0x9E37_79B9_7F4A_7C15 &+ purpose &* 0xD1B5_4A32_D192_ED03
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        value ^= value >> 31
        return value == 0 ? 1 : value
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
