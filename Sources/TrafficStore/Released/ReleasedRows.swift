import GRDB
internal import TrafficModel

/// Copies what 0.1.0 packed into blobs to plain columns, row by row.
///
/// The old tables are named `released_…` and the new ones are empty.
struct ReleasedRows {
    private let database: Database
    private let decoder: FieldDecoder
    private let encoder: FieldEncoder
    private let sink = ByteSink()

    /// Reads and writes the tables of that database.
    init(_ database: Database) throws {
        self.database = database
        decoder = try FieldDecoder(database)
        encoder = try FieldEncoder(database)
    }

    /// Copies the exchanges with their responses and ends.
    func copyExchanges() throws {
        let rows = try PreparedStatement(
            database,
            """
            SELECT e.id, e.route, e.started, e.path, e.query, e.request, e.outcome, e.total, e.ending,
                r.answer, r.first_byte, r.details, a.template, w.status
            FROM released_exchange e LEFT JOIN released_response r ON r.id = e.id LEFT JOIN route t ON t.id = e.route
                LEFT JOIN api a ON a.id = t.api LEFT JOIN answer w ON w.id = r.answer
            ORDER BY e.id
            """)
        let insert = try PreparedStatement(database, ExchangeColumn.insertion)
        var paths = ReadCache<ReleasedPath>()
        while try rows.step() {
            for column in ExchangeColumn.allCases { insert.bindNull(column) }
            let template = rows.text(12)
            let path = paths[rows.int(1)] ?? ReleasedPath(template: template)
            paths[rows.int(1)] = path
            let text = rows.isText(3) ? rows.text(3) : path.path(rows.bytes(3))
            let start = PathColumns.start(of: template)
            // As texts, two different paths can be equal.
            let isTemplate = text.utf8.elementsEqual(template.utf8)
            if !isTemplate, !start.isEmpty, text.utf8.starts(with: start.utf8) {
                insert.bind(ExchangeColumn.pathRest.parameter, String(text.utf8.dropFirst(start.utf8.count)))
            } else {
                insert.bind(ExchangeColumn.path.parameter, isTemplate ? nil : text)
            }
            try copy(rows, to: insert)
            try insert.run()
        }
    }

    private func copy(_ row: PreparedStatement, to insert: PreparedStatement) throws {
        let kept = Timestamp(nanoseconds: Plausible.moment(row.int(2)))
        var startedAt = kept
        var reader = ByteReader(row.bytes(5))
        let request = ReleasedMessage(request: &reader)
        var sentAt = request.sentAfter.map { Timestamp(nanoseconds: Plausible.moment(kept.nanoseconds + $0)) }
        var end: ExchangeEnd?
        if let outcome = row.optionalInt(6) {
            let details = ReleasedEnd.read(row.bytes(8), startedAt: kept, total: row.optionalInt(7))
            startedAt = details.startedAt
            sentAt = sentAt ?? details.sentAt
            var read = ExchangeEnd(
                exchange: .notKept, endedAt: details.endedAt,
                outcome: OutcomeNumber.outcome(outcome, failure: nil), timings: details.timings,
                reusedConnection: details.reusedConnection, share: details.share)
            read.round(since: startedAt)
            insert.bind(read, startedAt: startedAt, references: details.references)
            end = read
        }
        let started = startedAt.microseconds
        insert.bind(.id, row.int(0))
        insert.bind(.route, row.int(1))
        insert.bind(.started, started)
        insert.bind(.sent, sentAt.map { $0.microseconds &- started })
        insert.bind(.requestStartLine, request.size, PackedEvidence(request.size))
        insert.bind(.task, request.task)
        insert.bind(.resendCount, Int64(request.resendCount))
        insert.bind(.requestDigest, request.digest.map { Int64(bitPattern: $0) })
        if row.isInt(4) {
            insert.bind(.queryID, row.int(4))
        } else {
            insert.bind(ExchangeColumn.query.parameter, row.optionalText(4))
        }
        try bindLines(.requestLines, &reader, moment: kept, to: insert, moment: startedAt)
        insert.bind(.failed, FailedExchange.isIt(status: Int(row.int(13)), outcome: end?.outcome) ? 1 : 0)
        guard let answer = row.optionalInt(9) else { return }
        insert.bind(.answer, answer)
        try copyResponse(row, kept: kept, started: started, to: insert)
    }

    private func copyResponse(
        _ row: PreparedStatement, kept: Timestamp, started: Int64, to insert: PreparedStatement
    ) throws {
        let firstByteAt = Timestamp(
            nanoseconds: Plausible.moment(kept.nanoseconds + Plausible.duration(row.int(10))))
        var reader = ByteReader(row.bytes(11))
        let response = ReleasedMessage(response: &reader)
        insert.bind(.firstByte, firstByteAt.microseconds &- started)
        insert.bind(response.size, decodedBody: response.decodedBody)
        insert.bind(.responseDigest, response.digest.map { Int64(bitPattern: $0) })
        try bindLines(.responseLines, &reader, moment: firstByteAt, to: insert, moment: firstByteAt)
    }

    // Dates in header lines are counted from the message's own time. It changes if earlier versions wrote the time at
    // which the request was sent.
    private func bindLines(
        _ column: ExchangeColumn, _ reader: inout ByteReader, moment kept: Timestamp, to insert: PreparedStatement,
        moment: Timestamp
    ) throws {
        guard !reader.isAtEnd else { return }
        guard kept.seconds != moment.seconds else { return insert.bind(column.parameter, Array(reader.rest())) }
        sink.cut(to: 0)
        try encoder.encode(try decoder.decode(&reader, moment: kept), moment: moment, kin: -1, to: sink)
        insert.bind(column.parameter, Array(UnsafeBufferPointer(start: sink.start, count: sink.count)))
    }

    /// Copies the sums of a tier.
    func copySums(_ tier: String) throws {
        let rows = try PreparedStatement(
            database, "SELECT slot, kind, requests, first_seen, last_seen, sums FROM released_\(tier)")
        let marks = Array(repeating: "?", count: TrafficSums.columnCount + 2).joined(separator: ", ")
        let insert = try PreparedStatement(
            database, "INSERT INTO \(tier)(slot, kind, \(TrafficSums.columns)) VALUES (\(marks))")
        while try rows.step() {
            insert.bind(1, rows.int(0))
            insert.bind(2, rows.int(1))
            TrafficSums(released: rows, first: 2).bind(to: insert, first: 3, sink: sink)
            try insert.run()
        }
    }
}
