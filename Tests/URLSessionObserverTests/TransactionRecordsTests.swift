import Foundation
import Observing
import TrafficModel
import Testing
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transaction as plain values; nothing is known unless it is set.
struct PlainTransaction: TransactionMetrics {
    var request: URLRequest
    var response: URLResponse?
    var fetchStartDate: Date?
    var domainLookupStartDate: Date?
    var domainLookupEndDate: Date?
    var connectStartDate: Date?
    var secureConnectionStartDate: Date?
    var secureConnectionEndDate: Date?
    var connectEndDate: Date?
    var requestStartDate: Date?
    var requestEndDate: Date?
    var responseStartDate: Date?
    var responseEndDate: Date?
    var countOfRequestHeaderBytesSent: Int64 = -1
    var countOfRequestBodyBytesBeforeEncoding: Int64 = -1
    var countOfRequestBodyBytesSent: Int64 = -1
    var countOfResponseHeaderBytesReceived: Int64 = -1
    var countOfResponseBodyBytesReceived: Int64 = -1
    var countOfResponseBodyBytesAfterDecoding: Int64 = -1
    var networkProtocolName: String?
    var isReusedConnection = false
    var fetchType = TransactionFetchType.network
    var path = TransactionPath()
    var tls: ConnectionRecord.TLS?

    init(_ url: String, status: Int? = nil, fields: [String: String] = [:]) {
        let url = URL(string: url)!
        request = URLRequest(url: url)
        response = status.flatMap {
            HTTPURLResponse(url: url, statusCode: $0, httpVersion: "HTTP/1.1", headerFields: fields)
        }
    }

    mutating func count(
        up head: Int64, _ body: Int64, down responseHead: Int64, _ responseBody: Int64, _ decoded: Int64
    ) {
        countOfRequestHeaderBytesSent = head
        countOfRequestBodyBytesSent = body
        countOfResponseHeaderBytesReceived = responseHead
        countOfResponseBodyBytesReceived = responseBody
        countOfResponseBodyBytesAfterDecoding = decoded
    }

    /// The records of a task with these transactions.
    static func records(
        of transactions: [PlainTransaction], _ outcome: ExchangeEnd.Outcome = .completed,
        taskResponse: URLResponse? = nil, endedAt: Timestamp
    ) -> RecordingSink {
        let sink = RecordingSink()
        let numbers = IdentifierSource()
        var connections = TransactionConnections()
        let events = TransactionRecords.events(
            of: transactions, outcome: outcome, taskResponse: taskResponse,
            process: ProcessIdentity(pid: 7, name: "app"), endedAt: endedAt,
            connections: &connections, nextExchange: numbers.nextExchange, nextConnection: numbers.nextConnection)
        for event in events { sink.record(event) }
        return sink
    }
}

@Suite struct TransactionRecordsTests {
    private static let end = Timestamp(nanoseconds: 9_000_000_000)

    private func records(
        _ transactions: [PlainTransaction], _ outcome: ExchangeEnd.Outcome = .completed
    ) -> RecordingSink {
        PlainTransaction.records(of: transactions, outcome, endedAt: Self.end)
    }

    private func seconds(_ value: Double) -> Date { Date(timeIntervalSince1970: value) }

    @Test func countsBecomeReportedSizes() throws {
        var transaction = PlainTransaction(
            "https://api.example.com/users/1?full=yes", status: 200,
            fields: ["Content-Type": "Application/JSON; charset=utf-8", "Content-Encoding": "gzip"])
        transaction.count(up: 310, 20, down: 412, 1_034, 8_000)
        transaction.networkProtocolName = "h2"
        transaction.path = TransactionPath(remoteAddress: "192.0.2.1", remotePort: 443)
        let sink = records([transaction])
        let request = try #require(sink.requests.first)
        #expect(request.size.fields == .init(310, .reported))
        #expect(request.size.body == .init(20, .reported))
        #expect(request.size.cookies == .unknown)
        #expect(request.size.total == 330)
        #expect(request.size.evidence == .reported)
        #expect(request.host == "api.example.com")
        #expect(request.path == "/users/1")
        #expect(request.query == "full=yes")
        #expect(request.httpVersion == "2")
        #expect(request.process == ProcessIdentity(pid: 7, name: "app"))
        let response = try #require(sink.response(to: request.exchange))
        #expect(response.size.total == 1_446)
        #expect(response.size.evidence == .reported)
        #expect(response.decodedBody == .init(8_000, .reported))
        #expect(response.contentType == "application/json")
        #expect(response.contentEncoding == "gzip")
        #expect(sink.ends.map(\.outcome) == [.completed])
        #expect(sink.ends.first?.remoteAddress == "192.0.2.1:443")
    }

    @Test func minusOneIsUnknownAndNeverABytecount() throws {
        let sink = records([PlainTransaction("http://example.com/", status: 200)])
        let request = try #require(sink.requests.first)
        let response = try #require(sink.response(to: request.exchange))
        #expect(request.size.total == nil)
        #expect(request.size.known == 0)
        #expect(response.size.total == nil)
        #expect(response.size.evidence == .unknown)
        #expect(response.decodedBody == .unknown)
    }

    @Test func aHalfKnownMessageSaysWhichHalf() throws {
        var transaction = PlainTransaction("http://example.com/", status: 200)
        transaction.countOfResponseHeaderBytesReceived = 100
        let sink = records([transaction])
        let response = try #require(sink.responses.first)
        #expect(response.size.fields == .init(100, .reported))
        #expect(response.size.body == .unknown)
        #expect(response.size.total == nil)
        #expect(response.size.known == 100)
    }

    @Test func eachTransactionIsAnExchangeOfTheSameTask() {
        var redirect = PlainTransaction("http://example.com/old", status: 302, fields: ["Location": "/new"])
        redirect.count(up: 100, 0, down: 120, 0, 0)
        var challenge = PlainTransaction("http://example.com/new", status: 401)
        challenge.count(up: 110, 0, down: 130, 12, 12)
        var answer = PlainTransaction("http://example.com/new", status: 200)
        answer.count(up: 150, 0, down: 140, 500, 500)
        answer.isReusedConnection = true
        let sink = records([redirect, challenge, answer])
        #expect(sink.requests.map(\.exchange.rawValue) == [1, 2, 3])
        #expect(sink.requests.map(\.task.rawValue) == [1, 1, 1])
        #expect(sink.requests.map(\.resendCount) == [0, 1, 2])
        #expect(sink.requests.map(\.size.total) == [100, 110, 150])
        #expect(sink.requests.map { sink.response(to: $0.exchange)?.status } == [302, 401, 200])
        #expect(sink.requests.map { sink.response(to: $0.exchange)?.size.total } == [120, 142, 640])
        #expect(sink.ends.map(\.outcome) == [.completed, .completed, .completed])
        #expect(sink.ends.map(\.reusedConnection) == [false, false, true])
    }

    @Test func whatCameFromTheCacheWentOverNoWire() throws {
        var transaction = PlainTransaction("http://example.com/", status: 200)
        // Some systems repeat the counts of the load that filled the cache.
        transaction.count(up: 100, 0, down: 200, 3_000, 3_000)
        transaction.fetchType = .cache
        let sink = records([transaction])
        let request = try #require(sink.requests.first)
        #expect(request.size.total == 0)
        #expect(sink.response(to: request.exchange)?.size.total == 0)
        #expect(sink.response(to: request.exchange)?.decodedBody == .init(3_000, .reported))
        #expect(request.size.evidence == .reported)
    }

    @Test func allPhasesComeFromTheDates() throws {
        var transaction = PlainTransaction("https://example.com/", status: 200)
        transaction.fetchStartDate = seconds(1)
        transaction.domainLookupStartDate = seconds(1.5)
        transaction.domainLookupEndDate = seconds(2)
        transaction.connectStartDate = seconds(2)
        transaction.secureConnectionStartDate = seconds(2.25)
        transaction.secureConnectionEndDate = seconds(3)
        transaction.connectEndDate = seconds(3)
        transaction.requestStartDate = seconds(3.5)
        transaction.requestEndDate = seconds(3.75)
        transaction.responseStartDate = seconds(5)
        transaction.responseEndDate = seconds(7)
        let sink = records([transaction])
        let end = try #require(sink.ends.first)
        #expect(
            end.timings
                == ExchangeTimings(
                    queue: 500_000_000, dns: 500_000_000, connect: 250_000_000, tls: 750_000_000, send: 250_000_000,
                    wait: 1_250_000_000, receive: 2_000_000_000, total: 6_000_000_000))
        #expect(end.endedAt == Timestamp(nanoseconds: 7_000_000_000))
        #expect(sink.requests.first?.startedAt == Timestamp(nanoseconds: 1_000_000_000))
        #expect(sink.requests.first?.sentAt == Timestamp(nanoseconds: 3_500_000_000))
        #expect(sink.responses.first?.firstByteAt == Timestamp(nanoseconds: 5_000_000_000))
    }

    @Test func aPhaseThatDidNotHappenIsNil() throws {
        var transaction = PlainTransaction("http://example.com/", status: 200)
        transaction.fetchStartDate = seconds(1)
        transaction.connectStartDate = seconds(2)
        transaction.connectEndDate = seconds(4)
        let end = try #require(records([transaction]).ends.first)
        #expect(
            end.timings == ExchangeTimings(queue: 1_000_000_000, connect: 2_000_000_000, total: 8_000_000_000))
    }

    @Test func aClockThatWasSetBackMakesNoNegativePhase() throws {
        var transaction = PlainTransaction("http://example.com/", status: 200)
        transaction.fetchStartDate = seconds(20)
        transaction.requestStartDate = seconds(10)
        transaction.requestEndDate = seconds(5)
        transaction.responseStartDate = Date.distantPast
        let end = try #require(records([transaction]).ends.first)
        #expect(end.timings == ExchangeTimings(queue: 0, send: 0, wait: 0, total: 0))
    }

    @Test func theTasksErrorIsThatOfItsLastTransaction() {
        let redirect = PlainTransaction("http://example.com/", status: 302)
        let cut = PlainTransaction("http://example.com/next")
        let sink = records([redirect, cut], .timedOut)
        #expect(sink.ends.map(\.outcome) == [.completed, .timedOut])
        #expect(sink.responses.count == 1)
    }

    @Test func anAttemptWithoutAResponseThatWasRepeatedHasFailed() {
        let sink = records([
            PlainTransaction("http://example.com/"), PlainTransaction("http://example.com/", status: 200),
        ])
        #expect(sink.ends.map(\.outcome.name) == ["failed", "completed"])
    }

    @Test func aTaskWhoseErrorIsNotReportedYetHasFailedWithoutAResponse() {
        let sink = records([
            PlainTransaction("http://example.com/", status: 302), PlainTransaction("http://example.com/next"),
        ])
        #expect(sink.ends.map(\.outcome.name) == ["completed", "failed"])
    }

    @Test func aTaskWhoseErrorIsNotReportedYetHasFailedInItsResponse() {
        var transaction = PlainTransaction("http://example.com/", status: 200)
        transaction.responseStartDate = seconds(3)
        #expect(records([transaction]).ends.map(\.outcome.name) == ["failed"])
        transaction.responseEndDate = seconds(4)
        #expect(records([transaction]).ends.map(\.outcome) == [.completed])
        transaction.responseEndDate = nil
        transaction.fetchType = .cache
        #expect(records([transaction]).ends.map(\.outcome) == [.completed])
    }

    @Test func aTaskWithoutTransactionsMakesNoRows() { #expect(records([]).events.isEmpty) }

    @Test(
        arguments: [
            ("http/1.1", "1.1"), ("http/1.0", "1.0"), ("h2", "2"), ("h2c", "2"), ("h3", "3"), ("spdy/3", ""), (nil, ""),
        ] as [(String?, String)])
    func versionsFollowTheALPNName(name: String?, version: String) {
        var transaction = PlainTransaction("http://example.com/", status: 200)
        transaction.networkProtocolName = name
        #expect(records([transaction]).requests.first?.httpVersion == version)
    }

    @Test func bytesWithoutAResponseAreAResponseWithoutStatus() throws {
        var transaction = PlainTransaction("http://example.com/")
        transaction.count(up: 90, 0, down: 17, 0, 0)
        let sink = records([transaction], .failed(ExchangeFailure(.urlSession, code: -1_005, message: "lost")))
        let response = try #require(sink.responses.first)
        #expect(response.status == 0)
        #expect(response.size.total == 17)
    }

    @Test func countsNearTheLargestNumberDoNotOverflow() throws {
        var transaction = PlainTransaction("http://example.com/", status: 200)
        transaction.count(up: .max, .max, down: .max, .min, 1)
        transaction.fetchStartDate = .distantPast
        transaction.responseEndDate = .distantFuture
        let sink = records([transaction])
        #expect(sink.requests.first?.size.total == ByteCount(Int64.max))
        #expect(sink.responses.first?.size.body == .unknown)
    }

    @Test("A task that a protocol class has loaded has the task's response, unknown sizes, and did not fail")
    func loadedByAProtocolClass() throws {
        var transaction = PlainTransaction("http://example.com/mocked")
        transaction.count(up: 0, 0, down: 0, 0, 0)
        transaction.fetchType = .unknown
        transaction.fetchStartDate = Date(timeIntervalSince1970: 1)
        let response = HTTPURLResponse(
            url: try #require(transaction.request.url), statusCode: 201, httpVersion: nil, headerFields: nil)
        let sink = PlainTransaction.records(of: [transaction], taskResponse: response, endedAt: Self.end)
        #expect(sink.responses.map(\.status) == [201])
        #expect(sink.responses.map(\.size) == [.unknown])
        #expect(sink.requests.map(\.size) == [.unknown])
        #expect(sink.ends.map(\.outcome) == [.completed])
        // Without any response it has failed, as before.
        let failed = PlainTransaction.records(of: [transaction], endedAt: Self.end)
        #expect(failed.responses.isEmpty)
        #expect(failed.ends.first?.outcome != .completed)
        // What the network did not bring is not the task's response, either.
        var refused = transaction
        refused.connectStartDate = Date(timeIntervalSince1970: 1)
        #expect(PlainTransaction.records(of: [refused], taskResponse: response, endedAt: Self.end).responses.isEmpty)
    }
}
