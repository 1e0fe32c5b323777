internal import TrafficModel

/// The columns of an exchange by which paths are ranked and added up.
enum PathRow {
    /// The columns of ``PathNames``, which come first.
    static let ofName: [ExchangeColumn] = [.route, .path, .pathRest]

    /// All columns that sums need.
    static let ofSums =
        ofName + [.id, .started, .answer] + ExchangeColumn.range(.requestStartLine, .requestEvidence)
        + ExchangeColumn.range(.responseStartLine, .decodedBody) + [.outcome, .duration, .ended, .connection, .reused]
        + ExchangeColumn.range(.overheadUp, .receive)

    static let id: Int32 = 3
    static let started: Int32 = 4
    private static let answer: Int32 = 5
    private static let request: Int32 = 6
    private static let response = request + 7
    private static let outcome = response + 8

    /// The columns whose sum is a size, after those of the name.
    static func columns(of size: GroupOrder.Size) -> [ExchangeColumn] {
        let up: [ExchangeColumn] = [
            .requestStartLine, .requestFields, .requestInterim, .requestBody, .requestFraming,
        ]
        let down: [ExchangeColumn] = [
            .responseStartLine, .responseFields, .responseInterim, .responseBody, .responseFraming,
        ]
        return switch size {
        case .total: up + down
        case .up: up
        case .down: down
        case .fields: [.requestFields, .responseFields]
        case .cookies: [.requestCookies, .responseCookies]
        case .requests: []
        }
    }

    /// The figures of a row with ``ofSums``.
    static func figures(_ row: some ColumnReading, _ answers: borrowing AnswerFigures) throws -> ExchangeFigures {
        var figures = ExchangeFigures(startedAt: Timestamp(microseconds: row.int(started)), up: row.size(request))
        guard let id = row.optionalInt(answer) else { return figures }
        let answer = try answers.answer(id)
        let size = row.size(response)
        figures.take(
            size, status: answer.status, isAnswer: answer.isAnswer,
            decodedBody: answer.isCoded ? row.decodedBody(response, of: size) : nil)
        return figures
    }

    /// The figures of the end in a row with ``ofSums``; nil while the exchange runs.
    static func end(_ row: some ColumnReading, since startedAt: Timestamp) -> EndFigures? {
        guard let outcome = row.optionalInt(outcome) else { return nil }
        func duration(_ place: Int32) -> Int64? {
            row.optionalInt(Self.outcome + place).map(Plausible.microseconds)
        }
        func bytes(_ place: Int32) -> ByteCount { ByteCount(row.int(Self.outcome + place)) }
        let isUnseen = OutcomeNumber.isUnseen(outcome)
        var total = duration(1).map { max(0, $0) }
        if total == nil, !isUnseen {
            let end = Plausible.moment(startedAt.nanoseconds + (duration(2) ?? 0))
            total = max(0, end &- startedAt.nanoseconds)
        }
        return EndFigures(
            isFailure: OutcomeNumber.isFailure(outcome), isIncomplete: OutcomeNumber.isIncomplete(outcome),
            isUnseen: isUnseen,
            timings: ExchangeTimings(
                queue: duration(9), dns: duration(10), connect: duration(11), tls: duration(12), send: duration(13),
                wait: duration(14), receive: duration(15), total: total),
            reusedConnection: row.isNull(Self.outcome + 3) ? nil : row.int(Self.outcome + 4) != 0,
            share: row.isNull(Self.outcome + 5)
                ? nil
                : ConnectionShare(
                    overhead: ByteFlow(up: bytes(5), down: bytes(6)),
                    packetHeaders: ByteFlow(up: bytes(7), down: bytes(8))))
    }
}
