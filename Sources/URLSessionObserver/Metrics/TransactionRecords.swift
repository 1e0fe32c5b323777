internal import HTTPWire
package import TrafficModel

#if canImport(FoundationNetworking)
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Converts the system's metrics of a task's transactions into records, as a pure function.
///
/// Each transaction is an exchange, whether a redirect, an answer to a challenge, a load or a cache hit.
/// ``TransactionSizes`` has the rules for sizes.
package enum TransactionRecords {
    /// Returns the events of an ended task.
    ///
    /// - Parameters:
    ///   - transactions: the transactions in the order of their start.
    ///   - outcome: the outcome of the task, and so of its last transaction.
    ///   - taskResponse: the response of the task, which its last transaction lacks if a protocol class has loaded it.
    ///   - process: the process that made them.
    ///   - endedAt: when the task ended; replaces missing dates.
    ///   - connections: the connections of the process so far.
    ///   - nextExchange: returns the number of a new exchange.
    ///   - nextConnection: returns the number of a new connection.
    /// - Returns: the request, response and end of each transaction in order, followed by the connections that carried
    ///   them.
    package static func events(
        of transactions: [any TransactionMetrics], outcome: ExchangeEnd.Outcome, taskResponse: URLResponse? = nil,
        process: ProcessIdentity, endedAt: Timestamp, connections: inout TransactionConnections,
        nextExchange: () -> ExchangeID, nextConnection: () -> ConnectionID
    ) -> [TrafficEvent] {
        var events: [TrafficEvent] = []
        var used: [ConnectionRecord] = []
        var task: ExchangeID?
        for (attempt, transaction) in transactions.enumerated() {
            let exchange = nextExchange()
            let first = task ?? exchange
            task = first
            let request = request(
                transaction, as: exchange, task: first, attempt: attempt, process: process, endedAt: endedAt)
            events.append(.request(request))
            let isLast = attempt == transactions.count - 1
            let shown = transaction.response ?? (isLast && transaction.wasSeenByNobody ? taskResponse : nil)
            let settled = isLast ? settled(outcome, transaction, hasResponse: shown != nil) : .completed
            let response = response(
                transaction, shown, to: exchange, isComplete: settled == .completed, endedAt: endedAt)
            if let response { events.append(.response(response)) }
            let over = isLast ? endedAt : transactions[attempt + 1].fetchStartDate?.timestamp ?? endedAt
            let lost = ExchangeEnd.Outcome.failed(
                ExchangeFailure(
                    .urlSession, code: NSURLErrorNetworkConnectionLost,
                    message: "no response; the system tried again"))
            let ownOutcome = isLast ? settled : response == nil ? lost : .completed
            var end = end(transaction, of: exchange, outcome: ownOutcome, endedAt: over)
            let use = use(by: transaction, request, response)
            if let use, let connection = connections.add(use, process: process, next: nextConnection) {
                end.connection = connection.connection
                used.removeAll { $0.connection == connection.connection }
                used.append(connection)
            }
            events.append(.end(end))
        }
        return events + used.map { .connection($0) }
    }

    /// The outcome of a task's last transaction.
    ///
    /// The metrics come before the task is said to be complete, so a failed task may not have its error yet. The
    /// transaction itself shows that it failed: no response came, or its response began and did not end.
    private static func settled(
        _ outcome: ExchangeEnd.Outcome, _ transaction: any TransactionMetrics, hasResponse: Bool
    ) -> ExchangeEnd.Outcome {
        guard outcome == .completed, transaction.fetchType != .cache else { return outcome }
        let isCut = transaction.responseStartDate != nil && transaction.responseEndDate == nil
        guard !hasResponse || isCut else { return outcome }
        return .failed(
            ExchangeFailure(
                .urlSession, code: NSURLErrorUnknown,
                message: "\(isCut ? "the response did not end" : "no response"); the system had not reported why"))
    }

    /// How a transaction used its connection; nil if the response came from a cache.
    private static func use(
        by transaction: any TransactionMetrics, _ request: RequestRecord, _ response: ResponseRecord?
    ) -> TransactionConnections.Use? {
        guard transaction.fetchType != .cache else { return nil }
        return TransactionConnections.Use(
            path: transaction.path, isReused: transaction.isReusedConnection,
            isSecure: ["https", "wss"].contains(request.scheme) || transaction.secureConnectionStartDate != nil
                || transaction.tls != nil,
            tls: transaction.tls,
            protocolName: transaction.networkProtocolName, beganAt: request.startedAt,
            connectedAt: transaction.connectStartDate?.timestamp, sentAt: request.sentAt ?? request.startedAt,
            messages: ByteFlow(up: request.size.known, down: response?.size.known ?? .zero))
    }

    // MARK: records

    private static func request(
        _ transaction: any TransactionMetrics, as exchange: ExchangeID, task: ExchangeID, attempt: Int,
        process: ProcessIdentity, endedAt: Timestamp
    ) -> RequestRecord {
        let target = transaction.request.url.flatMap { RequestTarget(url: $0.absoluteString) }
        return RequestRecord(
            exchange: exchange, task: task, resendCount: attempt, process: process,
            startedAt: begin(transaction, endedAt: endedAt),
            sentAt: (transaction.requestStartDate?.timestamp).map { max($0, begin(transaction, endedAt: endedAt)) },
            method: transaction.request.httpMethod ?? "GET", scheme: target?.scheme ?? "", host: target?.host ?? "",
            port: target?.port ?? 0, path: target?.path ?? "", query: target?.query,
            httpVersion: version(transaction.networkProtocolName),
            fields: FieldSection(shown: transaction.request.allHTTPHeaderFields ?? [:]),
            size: TransactionSizes.request(transaction, httpVersion: version(transaction.networkProtocolName)))
    }

    private static func response(
        _ transaction: any TransactionMetrics, _ shown: URLResponse?, to exchange: ExchangeID, isComplete: Bool,
        endedAt: Timestamp
    ) -> ResponseRecord? {
        let head = shown as? HTTPURLResponse
        let came =
            head != nil || transaction.countOfResponseHeaderBytesReceived > 0
            || transaction.countOfResponseBodyBytesReceived > 0
        guard came else { return nil }
        let fields = FieldSection(shown: head?.shownFields ?? [:])
        return ResponseRecord(
            exchange: exchange, firstByteAt: transaction.responseStartDate?.timestamp ?? endedAt,
            status: head?.statusCode ?? 0, reason: "", httpVersion: version(transaction.networkProtocolName),
            fields: fields,
            size: TransactionSizes.response(
                transaction, httpVersion: version(transaction.networkProtocolName), isComplete: isComplete),
            decodedBody: WireSize.Part(reported: transaction.countOfResponseBodyBytesAfterDecoding),
            contentType: fields.mediaType, contentEncoding: fields.contentCoding)
    }

    private static func end(
        _ transaction: any TransactionMetrics, of exchange: ExchangeID, outcome: ExchangeEnd.Outcome,
        endedAt: Timestamp
    ) -> ExchangeEnd {
        let begin = begin(transaction, endedAt: endedAt)
        let end = max(begin, transaction.responseEndDate?.timestamp ?? endedAt)
        return ExchangeEnd(
            exchange: exchange, endedAt: end, outcome: outcome, timings: timings(transaction, from: begin, to: end),
            reusedConnection: transaction.isReusedConnection, remoteAddress: transaction.path.remote)
    }

    // MARK: figures

    private static func begin(_ transaction: any TransactionMetrics, endedAt: Timestamp) -> Timestamp {
        transaction.fetchStartDate?.timestamp ?? transaction.requestStartDate?.timestamp ?? endedAt
    }

    private static func timings(
        _ transaction: any TransactionMetrics, from begin: Timestamp, to end: Timestamp
    ) -> ExchangeTimings {
        func span(_ from: Date?, _ to: Date?) -> Int64? {
            guard let from, let to else { return nil }
            return from.timestamp.span(to: to.timestamp)
        }
        let sending = transaction.requestStartDate
        var timings = ExchangeTimings(
            queue: span(
                transaction.fetchStartDate,
                transaction.domainLookupStartDate ?? transaction.connectStartDate ?? sending),
            dns: span(transaction.domainLookupStartDate, transaction.domainLookupEndDate),
            connect: span(
                transaction.connectStartDate, transaction.secureConnectionStartDate ?? transaction.connectEndDate),
            tls: span(transaction.secureConnectionStartDate, transaction.secureConnectionEndDate),
            send: span(sending, transaction.requestEndDate),
            wait: span(transaction.requestEndDate, transaction.responseStartDate)
                ?? transaction.requestEndDate.map { $0.timestamp.span(to: end) },
            receive: span(transaction.responseStartDate, transaction.responseEndDate))
        timings.close(over: begin.span(to: end))
        return timings
    }

    /// The version of a protocol name: `1.1` for `http/1.1`, `2` for `h2`, `3` for `h3`; empty if it is unknown.
    private static func version(_ name: String?) -> String {
        guard let name = name?.lowercased() else { return "" }
        if name.hasPrefix("http/") { return String(name.dropFirst(5)) }
        return name == "h2c" ? "2" : name.hasPrefix("h") ? String(name.dropFirst()) : ""
    }
}
