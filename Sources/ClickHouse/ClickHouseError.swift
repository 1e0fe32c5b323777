/// Why ClickHouse could not be reached, or refused a request.
package struct ClickHouseError: Error, Sendable, CustomStringConvertible {
    /// The class of an error, for the exit status, for who sends again, and for tests.
    package enum Code: String, Sendable, CaseIterable {
        /// The address or the credentials are not written as they should be.
        case badAddress
        /// No connection was made, or it ended before the response did.
        case unreachable
        /// The response did not come in time.
        case timedOut
        /// The user, the password or the token is not accepted, or may not do this.
        case denied
        /// The body of the request is too large: 413.
        case tooLarge
        /// Too many requests: 429, or the same said by ClickHouse.
        case tooMany
        /// The server cannot do it now: another 5xx, or an error that passes.
        case unavailable
        /// There is no such database, table or column.
        case missing
        /// The request itself is wrong, and would be wrong again: 400, other 4xx, or data that cannot be read.
        case rejected
        /// The response is larger than the limit.
        case responseTooLarge
        /// The response cannot be read.
        case malformed
    }

    /// The class of the error.
    package var code: Code
    /// What went wrong, and what the user can do about it.
    package var message: String
    /// The status of the response; nil if none came.
    package var status: Int?
    /// ClickHouse's own number of the error; nil if the response has none.
    package var exception: Int?
    /// The seconds after which the server allows another request; nil if it did not say.
    package var retryAfter: Int?

    /// An error of that class.
    package init(
        _ code: Code, _ message: String, status: Int? = nil, exception: Int? = nil, retryAfter: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.exception = exception
        self.retryAfter = retryAfter
    }

    /// The same as ``message``.
    package var description: String { message }

    /// Whether the same request may be accepted later.
    package var mayPass: Bool { [.unreachable, .timedOut, .tooMany, .unavailable].contains(code) }
}

extension ClickHouseError {
    /// The error of a response whose status is not 200.
    ///
    /// ClickHouse of 2018 gives nearly every error the status 500, so the number in the text decides where there is one.
    static func of(_ response: HTTPResponse, from url: FleetURL) -> ClickHouseError {
        let text = String(decoding: response.body.prefix(2_000), as: UTF8.self)
        let exception = number(in: text)
        var code = exception.flatMap(code(ofException:)) ?? code(ofStatus: response.status)
        // On a cluster, the numbers of rows that end too early also say that another server ended in the middle of a packet.
        if exception == 32 || exception == 33, text.contains("while receiving ") { code = .unavailable }
        let said = sentence(of: text)
        let what = "ClickHouse at '\(url.endpoint)' responded \(response.status)" + (said.isEmpty ? "" : ": \(said)")
        return ClickHouseError(
            code, what + advice(for: code, at: url), status: response.status, exception: exception,
            retryAfter: response.retryAfter)
    }

    private static func code(ofStatus status: Int) -> Code {
        switch status {
        case 401, 403: .denied
        case 404: .missing
        case 408: .timedOut
        case 413: .tooLarge
        case 429: .tooMany
        case 500...: .unavailable
        default: .rejected
        }
    }

    /// The class of the errors that ClickHouse numbers; nil if the status decides.
    private static func code(ofException number: Int) -> Code? {
        switch number {
        // No such column, identifier, table, database; a table's own expression, or one of its views, has a wrong type.
        case 10, 16, 43, 47, 53, 60, 81: .missing
        // A user who may only read, unknown user, wrong password, not allowed address, required password, authentication,
        // access.
        case 164, 192, 193, 194, 195, 291, 497, 516: .denied
        // Too many simultaneous queries, too many parts, quota.
        case 201, 202, 252: .tooMany
        // Timeout, network, memory limit, read-only table, keeper, quorum, server is shutting down.
        case 159, 209, 210, 225, 236, 241, 242, 243, 285, 286, 289, 290, 319, 425, 999: .unavailable
        // What cannot be parsed as rows or as SQL, too many partitions, a broken constraint.
        case 6, 26, 27, 32, 33, 36, 38, 41, 62, 69, 72, 117, 131, 158, 349, 469: .rejected
        default: nil
        }
    }

    /// The number in `Code: 60, e.displayText() = …` and `Code: 60. DB::Exception: …`.
    private static func number(in text: String) -> Int? {
        guard let mark = text.firstRange(of: "Code: ") else { return nil }
        return Int(text[mark.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }

    /// What ClickHouse says, without its own marks.
    private static func sentence(of text: String) -> String {
        // The page of a gateway says no more than its status.
        if text.contains("<html") { return "" }
        var said = text[...]
        if let mark = said.firstRange(of: "DB::Exception: ") { said = said[mark.upperBound...] }
        for end in [", e.what() = ", " (version ", "\n"] {
            if let range = said.firstRange(of: end) { said = said[..<range.lowerBound] }
        }
        return String(said.prefix(300)).withoutFullStop
    }

    private static func advice(for code: Code, at url: FleetURL) -> String {
        switch code {
        case .denied:
            "; set '\(ClickHouseCredentials.userVariable)' and '\(ClickHouseCredentials.passwordVariable)', or "
                + "'\(ClickHouseCredentials.tokenVariable)' for a gateway, or check what this user may do"
        case .missing: "; check the name of the database '\(url.database)', and that its tables are those of a fleet"
        case .tooMany, .unavailable: "; try again later"
        default: ""
        }
    }
}

extension String {
    /// The text without white space and full stops at its end.
    fileprivate var withoutFullStop: String {
        var rest = self[...]
        while let last = rest.last, last.isWhitespace || last == "." { rest.removeLast() }
        return String(rest)
    }
}
