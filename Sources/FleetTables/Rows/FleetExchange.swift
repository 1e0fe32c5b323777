internal import RowBinary
package import TrafficModel

/// An exchange that has ended, as a row.
package struct FleetExchange: FleetRow, Hashable {
    package var origin = FleetOrigin()
    /// The number of exchanges that this one stands for: 1 divided by the share of those that are sent.
    package var weight = 1.0
    /// What is shared: see ``FleetShare``; what is not is empty.
    package var share = FleetShare.templates
    /// The exchange, without bodies.
    package var exchange: StoredExchange

    package init() {
        let nothing = StoredExchange.ID(0)
        exchange = StoredExchange(
            id: nothing, task: nothing, connection: nil,
            request: RequestRecord(
                exchange: .notKept, task: .notKept, resendCount: 0, process: ProcessIdentity(pid: 0, name: ""),
                startedAt: Timestamp(nanoseconds: 0), method: "", scheme: "", host: "", port: 0, path: "", query: nil,
                httpVersion: "", fields: FieldSection(), size: .nothing),
            end: ExchangeEnd(
                exchange: .notKept, endedAt: Timestamp(nanoseconds: 0), outcome: .completed, timings: ExchangeTimings())
        )
    }

    /// The row of an exchange; of one that is running, as if it had just been abandoned.
    package init(_ exchange: consuming StoredExchange, origin: FleetOrigin, weight: Double, share: FleetShare) {
        self.origin = origin
        self.weight = weight
        self.share = share
        share.reduce(&exchange)
        self.exchange = exchange
        if self.exchange.end == nil { self.exchange.end = Self().exchange.end }
    }

    /// Makes this the row of another exchange, which has ended, of the same share; the one before is left in its place.
    package mutating func take(_ exchange: inout StoredExchange) {
        swap(&self.exchange, &exchange)
        share.reduce(&self.exchange)
    }

    private var end: ExchangeEnd {
        get {
            exchange.end
                ?? ExchangeEnd(
                    exchange: .notKept, endedAt: exchange.request.startedAt, outcome: .abandoned,
                    timings: ExchangeTimings())
        }
        set { exchange.end = newValue }
    }

    package static let table = FleetTable<FleetExchange>(name: "exchange", key: ["installation", "number"])

    package static func visit<Visitor: FieldVisitor<Self> & ~Copyable>(_ fields: inout Visitor) {
        fields.origin()
        fields.int64("number", { $0.exchange.id.rawValue }, { $0.exchange.id = StoredExchange.ID($1) })
        fields.float64("weight", { $0.weight }, { $0.weight = $1 })
        fields.uint8("share", { $0.share.rawValue }, { $0.share = FleetShare(rawValue: $1) ?? .templates })
        addRequest(&fields)
        addResponse(&fields)
        addEnd(&fields)
        addTimings(&fields)
        addConnection(&fields)
    }

    @inline(__always)
    private static func addRequest<Visitor: FieldVisitor<Self> & ~Copyable>(_ columns: inout Visitor) {
        columns.int64("task", { $0.exchange.task.rawValue }, { $0.exchange.task = StoredExchange.ID($1) })
        columns.int64(
            "resend_count", { Int64($0.exchange.request.resendCount) },
            { $0.exchange.request.resendCount = Int(FleetNumbers.count($1)) })
        columns.uint8(
            "direction", { FleetNumbers.direction($0.exchange.request.direction) },
            { $0.exchange.request.direction = FleetNumbers.direction($1) })
        columns.int32(
            "pid", { $0.exchange.request.process.pid },
            { $0.exchange.request.process = ProcessIdentity(pid: $1, name: "") })
        columns.label(
            "process", { $0.exchange.request.process.name },
            { $0.exchange.request.process = ProcessIdentity(pid: $0.exchange.request.process.pid, name: $1) })
        columns.int64(
            "started_us", { FleetNumbers.microseconds($0.exchange.request.startedAt) },
            { $0.exchange.request.startedAt = FleetNumbers.moment($1) })
        columns.optionalInt64(
            "sent_us", { $0.exchange.request.sentAt.map(FleetNumbers.microseconds) },
            { $0.exchange.request.sentAt = $1.map(FleetNumbers.moment) })
        columns.label("method", { $0.exchange.request.method }, { $0.exchange.request.method = $1 })
        columns.label("scheme", { $0.exchange.request.scheme }, { $0.exchange.request.scheme = $1 })
        columns.label("host", { $0.exchange.request.host }, { $0.exchange.request.host = $1 })
        columns.int32(
            "port", { Int32(clamping: $0.exchange.request.port) }, { $0.exchange.request.port = Int($1) })
        // The host as reports name it follows from the scheme, host and port; it has a column for SQL.
        columns.label("authority", { $0.exchange.request.authority }, { _, _ in })
        columns.string("path", { $0.exchange.request.path }, { $0.exchange.request.path = $1 })
        columns.optionalString("query", { $0.exchange.request.query }, { $0.exchange.request.query = $1 })
        columns.label("template", { $0.exchange.request.template }, { $0.exchange.request.template = $1 })
        columns.label("http_version", { $0.exchange.request.httpVersion }, { $0.exchange.request.httpVersion = $1 })
        columns.field(sizeColumns("request")) {
            $1.size($0.exchange.request.size)
            $1.integer(FleetNumbers.evidence($0.exchange.request.size))
        } read: {
            let parts = $1.parts()
            $0.exchange.request.size = FleetNumbers.size(parts, evidence: $1.integer())
        }
        columns.bytes(
            "request_lines", { $0.exchange.request.fields.bytes }, { $0.exchange.request.fields.bytes = $1 })
        columns.optionalUInt64(
            "request_digest", { $0.exchange.request.bodyDigest }, { $0.exchange.request.bodyDigest = $1 })
    }

    @inline(__always)
    private static func addResponse<Visitor: FieldVisitor<Self> & ~Copyable>(_ columns: inout Visitor) {
        // The columns after this one change nothing if there is no response.
        columns.flag(
            "answered", { $0.exchange.response.map { _ in true } ?? false },
            { $0.exchange.response = $1 ? .empty : nil })
        columns.int64(
            "first_byte_us", { $0.exchange.response.map { FleetNumbers.microseconds($0.firstByteAt) } ?? 0 },
            { $0.exchange.response?.firstByteAt = FleetNumbers.moment($1) })
        columns.int64(
            "status", { Int64($0.exchange.response?.status ?? 0) }, { $0.exchange.response?.status = Int($1) })
        columns.label("reason", { $0.exchange.response?.reason ?? "" }, { $0.exchange.response?.reason = $1 })
        columns.label(
            "response_version", { $0.exchange.response?.httpVersion ?? "" },
            { $0.exchange.response?.httpVersion = $1 })
        columns.label("type", { $0.exchange.response?.contentType ?? "" }, { $0.exchange.response?.contentType = $1 })
        columns.label(
            "coding", { $0.exchange.response?.contentEncoding ?? "" }, { $0.exchange.response?.contentEncoding = $1 })
        columns.field([FleetColumn("decoded_body", .int64)] + sizeColumns("response")) {
            let (size, decoded) = ($0.exchange.response?.size ?? .nothing, $0.exchange.response?.decodedBody)
            $1.integer(decoded?.bytes.bytes ?? 0)
            $1.size(size)
            $1.integer(FleetNumbers.evidence(size, decodedBody: decoded?.evidence ?? .captured))
        } read: {
            let decoded: Int64 = $1.integer()
            let parts = $1.parts()
            let evidence: Int64 = $1.integer()
            $0.exchange.response?.size = FleetNumbers.size(parts, evidence: evidence)
            $0.exchange.response?.decodedBody = WireSize.Part(
                ByteCount(FleetNumbers.count(decoded)), FleetNumbers.evidence(evidence, at: 0))
        }
        columns.bytes(
            "response_lines", { $0.exchange.response?.fields.bytes ?? [] },
            { $0.exchange.response?.fields.bytes = $1 })
        columns.optionalUInt64(
            "response_digest", { $0.exchange.response?.bodyDigest }, { $0.exchange.response?.bodyDigest = $1 })
    }

    @inline(__always)
    private static func addEnd<Visitor: FieldVisitor<Self> & ~Copyable>(_ columns: inout Visitor) {
        columns.uint8(
            "outcome", { $0.exchange.end.map { FleetNumbers.outcome($0.outcome) } ?? 4 },
            { $0.end.outcome = FleetNumbers.outcome($1) })
        // For SQL; it follows from the outcome and the status.
        columns.flag("failed", { $0.exchange.hasFailed }, { _, _ in })
        columns.int64(
            "ended_us",
            { FleetNumbers.microseconds($0.exchange.end?.endedAt ?? $0.exchange.request.startedAt) },
            { $0.end.endedAt = FleetNumbers.moment($1) })
        columns.label("failure_domain", { $0.exchange.end?.outcome.failure?.domain.rawValue ?? "" }) { row, name in
            row.change { $0.domain = .init(rawValue: name) }
        }
        columns.int64("failure_code", { Int64($0.exchange.end?.outcome.failure?.code ?? 0) }) { row, code in
            row.change { $0.code = Int(code) }
        }
        columns.string("failure_message", { $0.exchange.end?.outcome.failure?.message ?? "" }) { row, message in
            row.change { $0.message = message }
        }
    }

    private mutating func change(_ body: (inout ExchangeFailure) -> Void) {
        guard var failure = end.outcome.failure else { return }
        body(&failure)
        end.outcome = .failed(failure)
    }

    @inline(__always)
    private static func addTimings<Visitor: FieldVisitor<Self> & ~Copyable>(_ columns: inout Visitor) {
        // Written together: a key path for each would take as long as the rest of the row.
        let phases = ["queue", "dns", "connect", "tls", "send", "wait", "receive"]
        columns.field((["duration"] + phases).map { FleetColumn("\($0)_us", .optionalInt64) }) {
            let timings = $0.exchange.end?.timings
            $1.microseconds(timings?.total)
            $1.microseconds(timings?.queue)
            $1.microseconds(timings?.dns)
            $1.microseconds(timings?.connect)
            $1.microseconds(timings?.tls)
            $1.microseconds(timings?.send)
            $1.microseconds(timings?.wait)
            $1.microseconds(timings?.receive)
        } read: {
            $0.end.timings.total = $1.duration()
            $0.end.timings.queue = $1.duration()
            $0.end.timings.dns = $1.duration()
            $0.end.timings.connect = $1.duration()
            $0.end.timings.tls = $1.duration()
            $0.end.timings.send = $1.duration()
            $0.end.timings.wait = $1.duration()
            $0.end.timings.receive = $1.duration()
        }
    }

    @inline(__always)
    private static func addConnection<Visitor: FieldVisitor<Self> & ~Copyable>(_ columns: inout Visitor) {
        columns.optionalInt64("connection", { $0.exchange.connection?.rawValue }) {
            $0.exchange.connection = $1.map { StoredConnection.ID($0) }
            $0.end.connection = $1 == nil ? nil : .notKept
        }
        columns.flag("reused", { $0.exchange.end?.reusedConnection ?? false }, { $0.end.reusedConnection = $1 })
        columns.string("remote_address", { $0.exchange.end?.remoteAddress ?? "" }, { $0.end.remoteAddress = $1 })
        columns.optionalString("network", { $0.exchange.end?.network?.interface }) {
            $0.end.network = $1.map { ConnectionNetwork(interface: $0) }
        }
        columns.int64(
            "network_flags", { $0.exchange.end?.network?.flags ?? 0 },
            { row, flags in
                row.end.network = row.end.network.map { ConnectionNetwork(interface: $0.interface, flags: flags) }
            })
        // Whether what its connection carried in addition is known.
        columns.flag("shared", { $0.exchange.end?.share != nil }, { $0.end.share = $1 ? ConnectionShare() : nil })
        columns.bytes("overhead_up", { $0.exchange.end?.share?.overhead.up }, { $0.end.share?.overhead.up = $1 })
        columns.bytes("overhead_down", { $0.exchange.end?.share?.overhead.down }, { $0.end.share?.overhead.down = $1 })
        columns.bytes(
            "packet_headers_up", { $0.exchange.end?.share?.packetHeaders.up }, { $0.end.share?.packetHeaders.up = $1 })
        columns.bytes(
            "packet_headers_down", { $0.exchange.end?.share?.packetHeaders.down },
            { $0.end.share?.packetHeaders.down = $1 })
    }
}

extension ResponseRecord {
    fileprivate static let empty = ResponseRecord(
        exchange: .notKept, firstByteAt: Timestamp(nanoseconds: 0), status: 0, reason: "", httpVersion: "",
        fields: FieldSection(), size: .nothing)
}

extension FieldVisitor where Self: ~Copyable {
    /// A number of bytes; 0 if there is none.
    @inline(__always)
    mutating func bytes(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> ByteCount?, _ set: (inout Row, ByteCount) -> Void
    ) {
        int64(name(), { get(&$0)?.bytes ?? 0 }, { set(&$0, ByteCount(FleetNumbers.count($1))) })
    }
}

extension FleetExchange {
    // The six parts of a message, and their evidence after them.
    fileprivate static func sizeColumns(_ message: String) -> [FleetColumn] {
        ["start_line", "fields", "cookies", "interim", "body", "framing", "evidence"].map {
            FleetColumn("\(message)_\($0)", .int64)
        }
    }
}

extension RowBinaryWriter {
    /// A duration in nanoseconds, in microseconds.
    @inline(__always)
    fileprivate mutating func microseconds(_ duration: Int64?) { optional(duration.map { $0 / 1_000 }) }

    @inline(__always)
    fileprivate mutating func size(_ size: borrowing WireSize) {
        integer(size.startLine.bytes.bytes)
        integer(size.fields.bytes.bytes)
        integer(size.cookies.bytes.bytes)
        integer(size.interim.bytes.bytes)
        integer(size.body.bytes.bytes)
        integer(size.framing.bytes.bytes)
    }
}

extension RowBinaryReader {
    fileprivate mutating func duration() -> Int64? { nullable { $0.integer() }.map(FleetNumbers.duration) }

    fileprivate mutating func parts() -> [Int64] {
        var parts: [Int64] = []
        for _ in 0..<6 { parts.append(integer()) }
        return parts
    }
}
