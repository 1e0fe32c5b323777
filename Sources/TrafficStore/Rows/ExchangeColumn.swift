/// A column of the table `exchange`; its raw value is its place.
///
/// A statement that writes exchanges has the parameter ``parameter`` for each column, whichever columns it writes.
enum ExchangeColumn: Int32, CaseIterable {
    case id, route, answer, started, outcome, failed, duration, ended, sent, firstByte
    case requestStartLine, requestFields, requestCookies, requestInterim, requestBody, requestFraming, requestEvidence
    case responseStartLine, responseFields, responseCookies, responseInterim, responseBody, responseFraming
    case responseEvidence, decodedBody
    case task, resendCount, connection, reused, address, failure
    case overheadUp, overheadDown, packetHeadersUp, packetHeadersDown
    case queue, dns, connect, tls, send, wait, receive
    case requestDigest, responseDigest, path, pathRest, queryID, query, requestLines, responseLines

    /// The columns that a request fills.
    static let ofRequest: [ExchangeColumn] =
        [.route, .started, .sent] + range(.requestStartLine, .requestEvidence)
        + [.task, .resendCount, .requestDigest, .path, .pathRest, .queryID, .query, .requestLines]
    /// The columns that a response fills.
    static let ofResponse: [ExchangeColumn] =
        [.answer, .failed, .firstByte] + range(.responseStartLine, .decodedBody) + [.responseDigest, .responseLines]
    /// The columns that an end fills.
    static let ofEnd: [ExchangeColumn] =
        [.outcome, .failed, .duration, .ended] + range(.connection, .failure) + range(.overheadUp, .receive)

    /// The columns that the table of the servers' legs has, too; it also has a status.
    static let ofLeg: [ExchangeColumn] =
        [.id, .started, .sent, .firstByte] + range(.requestStartLine, .requestEvidence)
        + range(.responseStartLine, .responseEvidence) + EndColumns.columns

    /// The columns between two, with both.
    static func range(_ first: ExchangeColumn, _ last: ExchangeColumn) -> [ExchangeColumn] {
        allCases.filter { first.rawValue <= $0.rawValue && $0.rawValue <= last.rawValue }
    }

    private static let names = allCases.map { column in
        "\(column)".replacing("ID", with: "Id").reduce(into: "") {
            $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1)
        }
    }

    /// The name in the schema: `request_start_line` for ``requestStartLine``.
    var name: String { Self.names[Int(rawValue)] }

    /// The number of the parameter with its value.
    var parameter: Int32 { rawValue + 1 }

    /// Writes a new row.
    static let insertion =
        "INSERT INTO exchange(\(allCases.map(\.name).joined(separator: ", "))) "
        + "VALUES (\(allCases.map { "?\($0.parameter)" }.joined(separator: ", ")))"

    /// Writes the row of a server's leg; the status has ``legStatus`` for its parameter.
    static let legInsertion =
        "INSERT OR REPLACE INTO leg(\(ofLeg.map(\.name).joined(separator: ", ")), status) "
        + "VALUES (\(ofLeg.map { "?\($0.parameter)" }.joined(separator: ", ")), ?\(legStatus))"
    /// The parameter after those of all columns.
    static let legStatus = Int32(allCases.count) + 1

    /// Writes some columns of a row.
    static func update(_ columns: [ExchangeColumn], and more: String = "") -> String {
        "UPDATE exchange SET \(columns.map { "\($0.name) = ?\($0.parameter)" }.joined(separator: ", "))\(more) "
            + "WHERE id = ?\(ExchangeColumn.id.parameter)"
    }

    /// Selects columns of the table `e`.
    static func selection(_ columns: [ExchangeColumn]) -> String {
        columns.map { "e.\($0.name)" }.joined(separator: ", ")
    }
}

extension PreparedStatement {
    @inline(__always)
    func bind(_ column: ExchangeColumn, _ value: Int64) { bind(column.parameter, value) }

    @inline(__always)
    func bind(_ column: ExchangeColumn, _ value: Int64?) { bind(column.parameter, value) }

    @inline(__always)
    func bindNull(_ column: ExchangeColumn) { bindNull(column.parameter) }
}
