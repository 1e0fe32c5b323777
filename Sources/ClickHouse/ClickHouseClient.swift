import Foundation
package import RowBinary
import Locks

/// Asks ClickHouse over its HTTP interface.
///
/// Queries are read as RowBinary. Nothing of a value is ever part of the SQL except as a literal: see ``SQLText``.
package final class ClickHouseClient: Sendable {
    /// How long and how large a response may be.
    package struct Limits: Hashable, Sendable {
        /// The longest time in seconds in which nothing comes.
        package var seconds: Double
        /// The largest response in bytes.
        package var responseBytes: Int

        /// Limits of that size.
        package init(seconds: Double = 60, responseBytes: Int = 256 << 20) {
            self.seconds = seconds
            self.responseBytes = responseBytes
        }
    }

    /// The address.
    package let url: FleetURL
    private let credentials: ClickHouseCredentials
    private let limits: Limits
    private let transport: any HTTPTransport
    private let knowsTokens = Mutex(true)

    /// A client for that address; it makes no connection before it is asked.
    package convenience init(_ url: FleetURL, credentials: ClickHouseCredentials, limits: Limits = Limits()) {
        let transport = systemTransport(seconds: limits.seconds, limit: limits.responseBytes)
        self.init(url, credentials: credentials, limits: limits, transport: transport)
    }

    init(_ url: FleetURL, credentials: ClickHouseCredentials, limits: Limits, transport: any HTTPTransport) {
        self.url = url
        self.credentials = credentials
        self.limits = limits
        self.transport = transport
    }

    deinit { transport.close() }

    /// Fails what is under way and all further requests, as not reached.
    package func cancel() { transport.close() }

    // MARK: Asking

    /// Visits the rows of a query until `body` returns false.
    ///
    /// The response is kept as a whole, so a query that may have many rows has a LIMIT.
    ///
    /// - Parameters:
    ///   - query: the query, without FORMAT.
    ///   - body: reads the values of one row, all of them and in the order of the columns.
    /// - Throws: ``ClickHouseError``, and the errors of `body`.
    package func forEachRow(_ query: SQLText, _ body: (inout RowBinaryReader) throws -> Bool) throws {
        var reader = RowBinaryReader(try ask("\(query) FORMAT RowBinary"))
        while !reader.isAtEnd {
            let before = reader.offset
            let goOn = try body(&reader)
            guard !reader.isBroken, reader.offset > before else {
                throw ClickHouseError(
                    .malformed,
                    "the response of ClickHouse at '\(url.endpoint)' ends in the middle of a row, or its columns have "
                        + "other types; check that the tables are those of this version")
            }
            if !goOn { return }
        }
    }

    /// Runs a statement that yields no rows.
    package func run(_ statement: SQLText) throws { _ = try ask(statement) }

    private func ask(_ sql: SQLText) throws -> [UInt8] {
        // In the content, because an address has a largest length. The status comes with the end of the query, so that
        // an error in its middle is one.
        try send([("wait_end_of_query", "1")], content: Array(sql.description.utf8))
    }

    // MARK: Inserting

    /// Inserts rows in RowBinary; blocks the thread.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - columns: the columns in the order of the rows.
    ///   - body: the rows, compressed with gzip if `isCompressed`.
    ///   - isCompressed: whether the rows are compressed.
    ///   - token: what is the same each time that the same rows are sent; a server that knows such tokens takes the rows
    ///     once.
    /// - Throws: ``ClickHouseError``; its code says whether it makes sense to send the rows again.
    package func insert(
        into table: String, columns: [String], body: [UInt8], isCompressed: Bool = false, token: String? = nil
    ) throws {
        let names = SQLText.joined(columns.map { "\(name: $0)" }, by: ", ")
        let sql: SQLText = "INSERT INTO \(name: table) (\(names)) FORMAT RowBinary"
        let query = [("query", sql.description)]
        let sent = knowsTokens.withLock { $0 } ? token : nil
        do {
            let settings = sent.map { [("insert_deduplication_token", $0)] } ?? []
            _ = try send(query + settings, content: body, isCompressed: isCompressed)
        } catch let error as ClickHouseError where sent != nil && error.exception == Self.unknownSetting {
            knowsTokens.withLock { $0 = false }
            _ = try send(query, content: body, isCompressed: isCompressed)
        }
    }

    /// ClickHouse's number for a setting that it does not know, as tokens were until 2021.
    private static let unknownSetting = 115

    /// Sends a statement with data; blocks the thread.
    ///
    /// - Parameters:
    ///   - statement: the statement, which is sent in the address.
    ///   - body: the data, compressed with gzip if `isCompressed`.
    ///   - isCompressed: whether the data is compressed.
    ///   - settings: settings of ClickHouse for this statement.
    /// - Returns: the response.
    /// - Throws: ``ClickHouseError``.
    package func send(
        _ statement: SQLText, body: [UInt8] = [], isCompressed: Bool = false, settings: [(String, String)] = []
    ) throws -> [UInt8] {
        try send([("query", statement.description)] + settings, content: body, isCompressed: isCompressed)
    }

    // MARK: Requests and responses

    private func send(
        _ parameters: [(String, String)], content: [UInt8], isCompressed: Bool = false
    ) throws -> [UInt8] {
        let query = ([("database", url.database)] + parameters).map { "\($0)=\(FleetURL.encoded($1))" }
        let text = "\(url.isSecure ? "https" : "http")://\(url.endpoint)/?\(query.joined(separator: "&"))"
        guard URL(string: text) != nil else {
            throw ClickHouseError(.badAddress, "'\(url.endpoint)' is no host with a port; correct the address")
        }
        var fields = [("Content-Type", "application/octet-stream")]
        // So that people see whose requests these are, in the metered program's own list, too.
        fields.append(("User-Agent", "wireweight"))
        if isCompressed { fields.append(("Content-Encoding", "gzip")) }
        fields += credentials.fields.map { ($0.name, $0.value) }
        let response: HTTPResponse
        do {
            response = try transport.send(HTTPRequest(url: text, fields: fields, content: content))
        } catch {
            throw understood(error)
        }
        guard response.status == 200 else { throw ClickHouseError.of(response, from: url) }
        return response.body
    }

    private func understood(_ error: HTTPTransportError) -> ClickHouseError {
        switch error {
        case .tooLarge:
            ClickHouseError(
                .responseTooLarge,
                "the response of ClickHouse at '\(url.endpoint)' is larger than \(limits.responseBytes) bytes; select less, "
                    + "such as with 'since=1d' in the address")
        case .timedOut:
            ClickHouseError(
                .timedOut,
                "ClickHouse at '\(url.endpoint)' did not respond within \(Int(limits.seconds)) s; try again, or select less"
            )
        case .failed(let reason):
            ClickHouseError(
                .unreachable,
                "ClickHouse at '\(url.endpoint)' cannot be reached: \(reason); check the address, which has "
                    + "the port of the HTTP interface")
        }
    }
}
