import ConnectionAccounts
import Foundation
import Testing
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Transactions whose metrics others recorded with Apple's client and published.
@Suite("Metrics that Apple's client has recorded") struct RecordedMetricsTests {
    /// A download by HTTP/1.1 in the clear, in the simulator of iOS 13.
    ///
    /// From the article "NSURLSession 最全攻略", https://www.laitimes.com/zh/article/5z1pt_6fgm1.html. It shows whole
    /// seconds, and no fields of the request.
    private static let video: PlainTransaction = {
        var transaction = PlainTransaction(
            "http://vfx.mtime.cn/Video/2017/03/31/mp4/170331093811717750.mp4", status: 200,
            fields: [
                "Accept-Ranges": "bytes", "Age": "1063663", "Ali-Swift-Global-Savetime": "1575358696",
                "Connection": "keep-alive", "Content-Length": "20472584", "Content-Md5": "YM+JxIH9oLH6l1+jHN9pmQ==",
                "Content-Type": "video/mp4", "Date": "Tue, 03 Dec 2019 07:38:16 GMT",
                "EagleId": "dbee142415764223598843838e", "Etag": "\"60CF89C481FDA0B1FA975FA31CDF6999\"",
                "Last-Modified": "Fri, 31 Mar 2017 01:41:36 GMT", "Server": "Tengine", "Timing-Allow-Origin": "*",
                "Via":
                    "cache39.l2et2[0,200-0,H], cache6.l2et2[3,0], cache16.cn548[0,200-0,H], cache16.cn548[1,0]",
                "X-Cache": "HIT TCP_MEM_HIT dirn:-2:-2", "X-M-Log": "QNM:xs451;QNM3:71",
                "X-M-Reqid": "m0AAAP__UChjzNwV", "X-Oss-Hash-Crc64ecma": "12355898484621380721",
                "X-Oss-Object-Type": "Normal", "X-Oss-Request-Id": "5DE20106F3150D38305CE159",
                "X-Oss-Server-Time": "130", "X-Oss-Storage-Class": "Standard", "X-Qnm-Cache": "Hit",
                "X-Swift-CacheTime": "2592000", "X-Swift-SaveTime": "Sun, 15 Dec 2019 15:05:37 GMT",
            ])
        transaction.count(up: 235, 0, down: 866, 20_472_584, 20_472_584)
        transaction.countOfRequestBodyBytesBeforeEncoding = 0
        transaction.networkProtocolName = "http/1.1"
        transaction.path = TransactionPath(
            localAddress: "192.168.1.105", localPort: 63_379, remoteAddress: "219.238.20.101", remotePort: 80)
        return transaction
    }()

    /// A script in gzip by HTTP/1.1 in TLS 1.3, in iOS 14.
    ///
    /// From the sample data of Pulse, https://github.com/kean/Pulse, App/Shared/Mocks/MockDataTask.swift at 07d302a5.
    private static let script: PlainTransaction = {
        var transaction = PlainTransaction(
            "https://developer.apple.com/tutorials/js/analytics.js", status: 200,
            fields: [
                "Server": "ATS/8.1.1", "Connection": "keep-alive", "Content-Encoding": "gzip",
                "Vary": "Accept-Encoding",
                "Content-Type": "application/javascript", "X-Frame-Options": "sameorigin",
                "Expires": "Sun, 31 Jan 2021 15:59:12 GMT", "Strict-Transport-Security": "max-age=31536000",
                "Cache-Control": "max-age=300, public", "X-Cache": "hit-fresh, hit-stale",
                "CDNUUID": "7bacabb5-d210-42a2-94bb-a5a6a03e6e36-20658596809", "X-B3-TraceId": "033cc1f07abf7ac2",
                "Content-Security-Policy": "frame-ancestors 'self'", "Date": "Sun, 31 Jan 2021 15:59:02 GMT",
                "Age": "43",
                "Via": "https/1.1 usewr1-edge-lx-007.ts.apple.com (ApacheTrafficServer/8.1.1), "
                    + "http/1.1 usewr1-edge-bx-016.ts.apple.com (ApacheTrafficServer/8.1.1)",
                "Content-Length": "22988",
            ])
        for (name, value) in [
            "User-Agent": "Pulse%20iOS/1 CFNetwork/1220.1 Darwin/20.2.0", "Accept-Encoding": "gzip, deflate, br",
            "Host": "developer.apple.com", "Accept-Language": "en-us", "Connection": "keep-alive", "Accept": "*/*",
        ] { transaction.request.setValue(value, forHTTPHeaderField: name) }
        transaction.count(up: 225, 0, down: 683, 22_988, 64_979)
        transaction.countOfRequestBodyBytesBeforeEncoding = 0
        transaction.networkProtocolName = "http/1.1"
        transaction.fetchStartDate = date(584.8037)
        transaction.domainLookupStartDate = date(584.861459)
        transaction.domainLookupEndDate = date(584.883459)
        transaction.connectStartDate = date(584.885459)
        transaction.secureConnectionStartDate = date(584.903459)
        transaction.secureConnectionEndDate = date(585.0024589)
        transaction.connectEndDate = date(585.0024589)
        transaction.requestStartDate = date(585.004591)
        transaction.requestEndDate = date(585.004759)
        transaction.responseStartDate = date(585.020091)
        transaction.responseEndDate = date(585.03594)
        transaction.path = TransactionPath(
            localAddress: "192.168.0.13", localPort: 58_622, remoteAddress: "17.253.97.204", remotePort: 443)
        transaction.tls = ConnectionRecord.TLS(protocolVersion: 772, cipherSuite: 4_865)
        return transaction
    }()

    /// An answer that the cache has and that is loaded again by HTTP/2, in iOS 14.
    ///
    /// From earlier sample data of Pulse, MockDataTask.swift of 2021; without the query, which has a key.
    private static let reloaded: [PlainTransaction] = {
        let url = "https://www.flickr.com/services/rest/"
        let fields = [
            "Server": "Apache/2.4.46 (Ubuntu)", "Content-Type": "application/json", "x-frame-options": "SAMEORIGIN",
        ]
        var (cached, loaded) = (
            PlainTransaction(url, status: 200, fields: fields), PlainTransaction(url, status: 200, fields: fields)
        )
        cached.count(up: 0, 0, down: 0, 0, 0)
        cached.countOfRequestBodyBytesBeforeEncoding = 0
        cached.fetchType = .cache
        cached.fetchStartDate = date(68.852414 - 16_000)
        cached.requestStartDate = date(68.85251 - 16_000)
        cached.requestEndDate = date(68.85251 - 16_000)
        cached.responseStartDate = date(68.852557 - 16_000)
        cached.responseEndDate = date(68.852557 - 16_000)
        loaded.count(up: 132, 0, down: 275, 9_039, 9_012)
        loaded.countOfRequestBodyBytesBeforeEncoding = 0
        loaded.networkProtocolName = "h2"
        loaded.isReusedConnection = true
        loaded.fetchStartDate = date(68.852414 - 16_000)
        loaded.requestStartDate = date(68.949125 - 16_000)
        loaded.requestEndDate = date(68.949534 - 16_000)
        loaded.responseStartDate = date(69.06693 - 16_000)
        loaded.responseEndDate = date(69.067999 - 16_000)
        loaded.path = TransactionPath(
            localAddress: "192.168.0.13", localPort: 65_254, remoteAddress: "13.226.26.231", remotePort: 443)
        loaded.tls = ConnectionRecord.TLS(protocolVersion: 772, cipherSuite: 4_865)
        return [cached, loaded]
    }()

    /// Seconds of the day of the recordings, 31 January 2021.
    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: 633_801_000 + seconds) }

    private func records(_ transactions: [PlainTransaction]) -> RecordingSink {
        PlainTransaction.records(of: transactions, endedAt: Timestamp(nanoseconds: 1_612_108_800_000_000_000))
    }

    @Test("the count of a head in HTTP/1.1 is its start line, the lines that are shown, and an empty line, to the byte")
    func heads() throws {
        let sink = records([Self.video, Self.script])
        #expect(sink.responses.map(\.size.startLine) == [.init(17, .reported), .init(17, .reported)])
        #expect(sink.responses.map(\.size.fields) == [.init(849, .reported), .init(666, .reported)])
        #expect(sink.responses.map(\.size.total) == [20_473_450, 23_671])
        // "GET /tutorials/js/analytics.js HTTP/1.1". The other request shows no fields.
        #expect(sink.requests.map(\.size.startLine) == [.init(0, .reported), .init(41, .reported)])
        #expect(sink.requests.map(\.size.total) == [235, 225])
    }

    @Test("content in gzip has the size of its Content-Length, and another after decoding")
    func coded() throws {
        let response = try #require(records([Self.script]).responses.first)
        #expect(response.size.body == .init(22_988, .reported))
        #expect(response.decodedBody == .init(64_979, .reported))
        #expect(response.contentEncoding == "gzip")
    }

    @Test("the phases of a new connection close")
    func phases() throws {
        let end = try #require(records([Self.script]).ends.first)
        let milliseconds = [
            end.timings.queue, end.timings.dns, end.timings.connect, end.timings.tls, end.timings.send,
            end.timings.wait,
            end.timings.receive,
        ].map { $0.map { ($0 + 500_000) / 1_000_000 } }
        #expect(milliseconds == [58, 22, 18, 99, 0, 15, 16])
        #expect(end.timings.total.map { ($0 + 500_000) / 1_000_000 } == 232)
    }

    @Test("its connection, with the names of its TLS")
    func connection() throws {
        let connection = try #require(records([Self.script]).connections.last)
        #expect(connection.tls == ConnectionRecord.TLS(version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256"))
        #expect(connection.localAddress == "192.168.0.13:58622" && connection.remoteAddress == "17.253.97.204:443")
    }

    @Test("what comes from the cache has no bytes; what is loaded again by HTTP/2 has three frame headers")
    func reloaded() throws {
        let sink = records(Self.reloaded)
        #expect(sink.responses.map(\.size.total) == [0, 9_314])
        let size = try #require(sink.responses.last?.size)
        #expect(size.startLine == .init(0, .reported) && size.fields == .init(275, .reported))
        // RFC 9113, section 4.1: nine bytes each.
        #expect(size.body == .init(9_012, .reported) && size.framing == .init(27, .reported))
        #expect(sink.ends.map(\.reusedConnection) == [false, true])
        #expect(sink.connections.count == 1)
    }
}
