import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

/// No sentence claims more than the messages and the ledgers know.
@Suite struct CompletenessTests {
    private func store(
        _ connections: [ConnectionRecord], captured: Int64? = nil, unknown: Int64 = 0, losses: [TrafficLoss] = []
    ) -> FakeStore {
        var sum = total(
            api("GET", "h", "/a"), requests: 2, up: parts(fields: 81), down: parts(fields: 42, captured: captured))
        sum.sharing = 2
        sum.newConnections = 2
        sum.down.unknown = unknown
        return FakeStore(groups: [.api: [sum], .method: [sum]], losses: losses, connections: connections)
    }

    private func connection(
        _ id: Int64 = 1, sent: ByteCount? = 81, received: ByteCount? = 42, tls: Bool = false,
        parts: [ConnectionPart: ByteFlow] = [:]
    ) -> ConnectionRecord {
        ConnectionRecord(
            connection: ConnectionID(id), process: ProcessIdentity(pid: 1, name: "app"), localAddress: "127.0.0.1:1",
            remoteAddress: "127.0.0.1:80", tls: tls ? ConnectionRecord.TLS() : nil,
            openedAt: Timestamp(nanoseconds: 0), closedAt: Timestamp(nanoseconds: 1), payloadUp: sent,
            payloadDown: received,
            load: ConnectionLoad(exchanges: 2, messages: ByteFlow(up: 81, down: 42), parts: parts))
    }

    private func said(_ store: FakeStore) throws -> String {
        let report = try TrafficReport(of: store, by: .api)
        let table = report.table(TextStyle(width: 400))
        for sentence in report.completeness.sentences { #expect(report.markdown().contains(sentence.english)) }
        return table
    }

    private func captured(_ store: FakeStore) throws -> (captured: Double, exact: Bool) {
        let json = try TrafficReport(of: store, by: .api).json
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let totals = try #require(object["totals"] as? [String: Any])
        return (try #require(totals["captured"] as? Double), try #require(totals["exact"] as? Bool))
    }

    @Test func whereNothingIsOpenItIsExact() throws {
        let text = try said(store([connection()]))
        #expect(text.contains("100 % of 123 B was captured, exact to the byte."))
        #expect(text.contains("Connection overhead (TLS, HTTP/2): none."))
        #expect(try captured(store([connection()])) == (1, true))
    }

    @Test func whereNotAllConnectionsAreKnownNothingIsExact() throws {
        var ledger = LedgerCoverage()
        ledger.isWhole = false
        let other = LedgerCoverage()
        ledger.merge(other)
        let totals = try store([]).totals(by: .api, in: .always)
        let report = TrafficReport(of: totals, by: .api, losses: [], ledger: ledger)
        let text = report.table(TextStyle(width: 400))
        #expect(text.contains("100 % of 123 B was captured."))
        #expect(text.contains("Not all connections are known here"))
        #expect(!text.contains("exact to the byte"))
        #expect(!text.contains("overhead (TLS, HTTP/2): none"))
        #expect(!report.completeness.isExact)
    }

    @Test(arguments: [42, 50_042] as [ByteCount])
    func aFilterClaimsNothingOfConnections(received: ByteCount) throws {
        let whole = store([connection(received: received)])
        let filtered = FilteredReading(whole, try FilterParser.parse("host:h", now: Timestamp(nanoseconds: 0)))
        let report = try TrafficReport(of: filtered, by: .api)
        let text = report.table(TextStyle(width: 400))
        #expect(text.contains("100 % of 123 B was captured.\nThe filter selects messages, so connections"))
        #expect(!text.contains("exact") && !text.contains("Connection overhead (TLS, HTTP/2): none"))
        #expect(report.json.contains("\"exact\": false"))
    }

    @Test func bytesThatNoMessageExplainsAreNamedWithTheirConnection() throws {
        let open = store([connection(), connection(7, received: 50_042)])
        let text = try said(open)
        #expect(text.contains("0.2 % of 50.1 KB was captured."))
        #expect(text.contains("50.0 KB on connection 7 to 127.0.0.1:80 belong to no message."))
        #expect(!text.contains("exact") && !text.contains("Connection overhead (TLS, HTTP/2): none"))
        let json = try captured(open)
        #expect(json.captured < 0.01 && !json.exact)
    }

    @Test func severalConnectionsAreCounted() throws {
        let open = store([
            connection(1, sent: 91), connection(2, sent: 111), connection(3), connection(4, received: 43),
        ])
        #expect(
            try said(open).contains(
                "41 B on 3 connections belong to no message, most of them on connection 1 to 127.0.0.1:80, "
                    + "connection 2 to 127.0.0.1:80 and connection 4 to 127.0.0.1:80."))
    }

    @Test func messagesBeyondTheKernelsCountAreNotCaptured() throws {
        let open = store([connection(received: 32)])
        let text = try said(open)
        #expect(text.contains("The messages of connection 1 to 127.0.0.1:80 have 10 B more than the kernel counted."))
        #expect(!text.contains("exact"))
        #expect(try captured(open).captured < 1)
    }

    @Test func whatHasANameIsNamedAndLowersNothing() throws {
        let parts: [ConnectionPart: ByteFlow] = [
            .socks: ByteFlow(up: 20, down: 12), .afterMessage: ByteFlow(down: 50_000),
        ]
        let named = store([connection(sent: 101, received: 50_054, parts: parts)])
        let text = try said(named)
        #expect(text.contains("100 % of 123 B was captured, exact to the byte."))
        #expect(
            text.contains(
                "The connections also carried 32 B of SOCKS handshakes and 50.0 KB of bytes after the end of a response."
            ))
        #expect(!text.contains("Connection overhead (TLS, HTTP/2): none"))
        #expect(try captured(named) == (1, true))
    }

    @Test("a connection that carried TLS and no exchange is said, and is no overhead of none")
    func withoutExchange() throws {
        func handshake(_ id: Int64) -> ConnectionRecord {
            var one = connection(id, sent: 600, received: 1_500, tls: true)
            one.load = ConnectionLoad(plaintext: .zero)
            one.unseen = UnseenTraffic(reason: .nothingSent, serverName: "h")
            return one
        }
        let one = store([connection(), handshake(2)])
        let text = try said(one)
        #expect(text.contains("100 % of 123 B was captured, exact to the byte."))
        #expect(text.contains("1 connection carried no exchange, and 2.1 KB of TLS and other protocols' overhead."))
        #expect(!text.contains("none"))
        #expect(try captured(one) == (1, true))
        #expect(
            try said(store([handshake(1), handshake(2)])).contains(
                "2 connections carried no exchange, and 4.2 KB of TLS"))
        let json = try TrafficReport(of: one, by: .api).json
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let ledger = try #require((object["totals"] as? [String: Any])?["ledger"] as? [String: Any])
        #expect(ledger["withoutExchange"] as? Int == 1)
        #expect(ledger["overheadWithoutExchange"] as? [String: Int] == ["up": 600, "down": 1_500])
    }

    @Test func whatIsNotKnownIsSaid() throws {
        let unknown = store([connection(sent: nil, received: nil)])
        #expect(try said(unknown).contains("The kernel's count of 1 connection is not known."))
        #expect(try !captured(unknown).exact)
        let unproven = store([connection(sent: 900, received: 900, tls: true)])
        #expect(try said(unproven).contains("On 1 connection the bytes inside TLS were not counted"))
        #expect(try !captured(unproven).exact)
        #expect(try captured(unknown).captured < 1 && captured(unproven).captured < 1)
        let partly = store([connection()], unknown: 3)
        #expect(try captured(partly).captured < 1)
        #expect(try said(partly).contains("Part of the size of 3 messages is not known."))
        // These are facts of their own, which no share of bytes includes.
        for store in [unknown, unproven, partly] { #expect(try said(store).contains("100 % of 123 B was captured")) }
        #expect(try !captured(partly).exact)
    }

    @Test func lossesLowerTheShare() throws {
        let lost = store([connection()], losses: [TrafficLoss(reason: .bufferFull, count: 2)])
        let text = try said(lost)
        #expect(text.contains("50.0 % of 123 B was captured."))
        #expect(!text.contains("exact") && !text.contains("Connection overhead (TLS, HTTP/2): none"))
        #expect(try captured(lost) == (0.5, false))
    }
}
