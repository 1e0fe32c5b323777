internal import Foundation
internal import Locks
internal import TextFormats

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A program's own delegate: it gets content and metrics, gives streams, answers challenges and cancels.
///
/// `@unchecked Sendable`: NSObject is not Sendable; all mutable state is inside the mutex.
final class CallDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct State {
        var bytes: Int64 = 0
        var done: (@Sendable (CallResult) -> Void)?
        var stream: Data?
        var password: String?
        var cancelsAtContent = false
        var metrics: [JSONValue] = []
    }

    private let state = Mutex(State())

    /// The metrics that the system has passed on, by transaction.
    var metrics: [JSONValue] { state.withLock { $0.metrics } }

    /// Calls back when the next task is complete.
    func expect(_ done: @escaping @Sendable (CallResult) -> Void) {
        state.withLock {
            $0.bytes = 0
            $0.done = done
        }
    }

    /// Gives a stream of these bytes to a task that asks for one.
    func give(_ data: Data) { state.withLock { $0.stream = data } }

    /// Answers challenges as `user` with that password.
    func answer(password: String) { state.withLock { $0.password = password } }

    /// Cancels a task when its first content comes.
    func cancelAtContent() { state.withLock { $0.cancelsAtContent = true } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let cancels = state.withLock { state in
            state.bytes += Int64(data.count)
            return state.cancelsAtContent
        }
        if cancels { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(state.withLock { $0.stream }.map { InputStream(data: $0) })
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let password = state.withLock({ $0.password }) else {
            return completionHandler(.performDefaultHandling, nil)
        }
        completionHandler(.useCredential, URLCredential(user: "user", password: password, persistence: .none))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        let raw = metrics.transactionMetrics.map(Self.json)
        state.withLock { $0.metrics += raw }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (done, bytes) = state.withLock { state in
            defer { state.done = nil }
            return (state.done, state.bytes)
        }
        done?(Caller.result(bytes, task.response, error))
    }

    private static func json(_ transaction: URLSessionTaskTransactionMetrics) -> JSONValue {
        .object([
            .init("requestHeaders", .integer(transaction.countOfRequestHeaderBytesSent)),
            .init("requestBody", .integer(transaction.countOfRequestBodyBytesSent)),
            .init("requestBodyBeforeEncoding", .integer(transaction.countOfRequestBodyBytesBeforeEncoding)),
            .init("responseHeaders", .integer(transaction.countOfResponseHeaderBytesReceived)),
            .init("responseBody", .integer(transaction.countOfResponseBodyBytesReceived)),
            .init("responseBodyAfterDecoding", .integer(transaction.countOfResponseBodyBytesAfterDecoding)),
            .init("protocol", .text(transaction.networkProtocolName)),
            .init("isReused", .bool(transaction.isReusedConnection)),
            .init("fetchType", .integer(Int64(transaction.resourceFetchType.rawValue))),
            .init("localAddress", .text(transaction.localAddress)),
            .init("localPort", .text(transaction.localPort.map { "\($0)" })),
            .init("remoteAddress", .text(transaction.remoteAddress)),
            .init("isCellular", .bool(transaction.isCellular)), .init("isExpensive", .bool(transaction.isExpensive)),
            .init("isConstrained", .bool(transaction.isConstrained)),
            .init("isMultipath", .bool(transaction.isMultipath)),
            .init("isProxyConnection", .bool(transaction.isProxyConnection)),
            .init("domainResolution", domainResolution(of: transaction)),
            .init("tlsVersion", .text(transaction.negotiatedTLSProtocolVersion.map { "\($0.rawValue)" })),
            .init("phases", .object(phases(of: transaction))),
            .init(
                "shownFields",
                .array((transaction.request.allHTTPHeaderFields ?? [:]).keys.sorted().map { .string($0) })),
        ])
    }

    /// When each phase began or ended, in microseconds after the fetch began.
    private static func phases(of transaction: URLSessionTaskTransactionMetrics) -> [JSONValue.Member] {
        guard let begin = transaction.fetchStartDate else { return [] }
        let dates: [(String, Date?)] = [
            ("domainLookupStart", transaction.domainLookupStartDate),
            ("domainLookupEnd", transaction.domainLookupEndDate), ("connectStart", transaction.connectStartDate),
            ("connectEnd", transaction.connectEndDate), ("requestStart", transaction.requestStartDate),
            ("requestEnd", transaction.requestEndDate), ("responseStart", transaction.responseStartDate),
            ("responseEnd", transaction.responseEndDate),
        ]
        return dates.compactMap { name, date in
            date.map { .init(name, .integer(Int64($0.timeIntervalSince(begin) * 1_000_000))) }
        }
    }

    private static func domainResolution(of transaction: URLSessionTaskTransactionMetrics) -> JSONValue {
        // Foundation for Linux has no such property.
        #if canImport(Darwin)
            .integer(Int64(transaction.domainResolutionProtocol.rawValue))
        #else
            .null
        #endif
    }
}
