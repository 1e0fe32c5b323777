internal import TextFormats
internal import TrafficExport
internal import TrafficModel
internal import TrafficReports

/// Everything known about one exchange.
struct ExchangeDetail: Sendable {
    /// The most bytes of a body that one response contains.
    private static let pieceLimit: Int64 = 1 << 20
    /// The most exchanges of a task that are listed.
    private static let attemptLimit = 100

    let exchange: StoredExchange

    init(_ exchange: StoredExchange) { self.exchange = exchange }

    func json(_ reading: any TrafficBrowsing, findings: [JSONValue]) throws -> JSONValue {
        var filter = ExchangeFilter()
        filter.task = exchange.task
        var attempts: [JSONValue] = []
        try reading.forEachHead(matching: filter, order: .oldestFirst, after: nil) { attempt in
            attempts.append(ExchangeSummary(attempt).json)
            return attempts.count < Self.attemptLimit
        }
        let request = exchange.request
        let response = exchange.response
        let connection = try exchange.connection.flatMap { try reading.connections(of: [$0]).first }
        return .object([
            .init("upgrade", ExchangeUpgrade(of: exchange, on: connection)?.json ?? .null),
            .init("exchange", ExchangeLine(exchange).detail), .init("row", ExchangeSummary(exchange).json),
            .init("attempts", .array(attempts)), .init("findings", .array(findings)),
            .init("curl", .string(Self.curl(exchange))),
            .init(
                "bodies",
                .object([
                    .init("request", Self.body(request.capturedBody, request.size.body, request.fields)),
                    .init("response", response.map { Self.body($0.capturedBody, $0.size.body, $0.fields) } ?? .null),
                ])),
        ])
    }

    private static func curl(_ exchange: StoredExchange) -> String {
        var encoder = CurlEncoder()
        return encoder.encode(exchange)
    }

    private static func body(_ bytes: [UInt8]?, _ whole: WireSize.Part, _ fields: FieldSection) -> JSONValue {
        guard let bytes else { return .null }
        return .object([
            .init("size", .integer(Int64(bytes.count))),
            .init("of", whole.evidence == .unknown ? .null : .integer(whole.bytes.bytes)),
            .init("coding", .text(fields.firstValue(of: "Content-Encoding"))),
            .init("type", .text(fields.firstValue(of: "Content-Type"))),
        ])
    }

    /// A piece of a kept body.
    ///
    /// It is sent as bytes to be saved, whatever its type, because no part of it may run in the page's origin.
    func body(_ side: String, _ request: Request) throws(Refusal) -> Response {
        let kept = side == "request" ? exchange.request.capturedBody : exchange.response?.capturedBody
        guard side == "request" || side == "response", let kept else {
            throw Refusal(status: 404, code: "notFound", phrase: .body)
        }
        let offset = Int(try request.number("offset", in: 0...Int64(Int32.max)) ?? 0)
        let limit = Int(try request.number("limit", in: 1...Self.pieceLimit) ?? Self.pieceLimit)
        return Response(
            type: "application/octet-stream", Array(kept.dropFirst(offset).prefix(limit)),
            fields: [
                ("Content-Disposition", "attachment; filename=\"\(exchange.id.rawValue)-\(side)\""),
                ("X-Size", "\(kept.count)"), ("Cache-Control", "no-store"),
            ])
    }
}
