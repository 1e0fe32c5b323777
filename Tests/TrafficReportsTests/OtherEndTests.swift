import TestSupport
import TextFormats
import Testing
import TrafficModel

@testable import TrafficReports

/// A client and a server in one store name each other, and say whether they report the same bytes.
@Suite struct OtherEndTests {
    private static func connection(
        _ id: Int64, _ direction: TrafficDirection, _ local: String, _ remote: String, opened: Int64 = 100,
        closed: Int64? = 200, up: Int64 = 300, down: Int64 = 4_000
    ) -> ConnectionRecord {
        func moment(_ seconds: Int64) -> Timestamp { Timestamp(nanoseconds: seconds * 1_000_000_000) }
        return ConnectionRecord(
            connection: ConnectionID(id), process: ProcessIdentity(pid: Int32(id), name: "p\(id)"),
            localAddress: local, remoteAddress: remote, openedAt: moment(opened), closedAt: closed.map(moment),
            payloadUp: ByteCount(up), payloadDown: ByteCount(down),
            load: ConnectionLoad(exchanges: 2, messages: ByteFlow(up: ByteCount(up), down: ByteCount(down))),
            direction: direction)
    }

    private static func store(_ connections: [ConnectionRecord], exchanges: [Exchange] = []) -> FakeStore {
        var store = FakeStore(exchanges: exchanges, connections: connections)
        store.groups[.direction] = TrafficDirection.allCases.map {
            total(TrafficTotal.Key(direction: $0), requests: 1, up: parts(), down: parts())
        }
        return store
    }

    @Test("the local end of one is the remote end of the other, at the same time")
    func pairs() throws {
        let client = "127.0.0.1:50000"
        let server = "127.0.0.1:80"
        let store = Self.store([
            Self.connection(1, .called, client, server),
            Self.connection(2, .served, server, client),
            // The same ports an hour later.
            Self.connection(3, .called, client, server, opened: 3_700, closed: 3_800),
            Self.connection(
                4, .served, "[::ffff:127.0.0.1]:80", "[::ffff:127.0.0.1]:50000", opened: 3_700, closed: nil),
            Self.connection(5, .served, server, "127.0.0.1:50001"),
            Self.connection(6, .called, server, client), Self.connection(7, .called, "", ""),
        ])
        let pairs = try ConnectionPairs(of: store)
        let found = (1...7).map { pairs[StoredConnection.ID($0)]?.rawValue }
        #expect(found == [2, 1, 4, 3, nil, nil, nil])
        // Without a server nothing is read.
        #expect(
            try ConnectionPairs(of: FakeStore(connections: [Self.connection(1, .called, client, server)]))[
                StoredConnection.ID(1)] == nil)
    }

    @Test func equalBytesAreAProof() throws {
        let store = Self.store([
            Self.connection(1, .called, "a:1", "b:2"), Self.connection(2, .served, "b:2", "a:1"),
        ])
        let one = try #require(try store.connection(StoredConnection.ID(1)))
        let end = try #require(try OtherEnd(of: one, in: store, ConnectionPairs(of: store)))
        #expect(end.isEqual)
        #expect(end.sentence == "2, served by p2 (2): the same bytes, 300 up, 4,000 down")
        #expect(ConnectionLine(one, otherEnd: end).ndjson.contains(#""otherEnd":{"connection":2,"direction":"served""#))
        #expect(ConnectionLine(one).ndjson.contains(#""otherEnd":null"#))
        var sums = LedgerSums()
        sums.add(one.record)
        #expect(
            LedgerTable(sums, TextStyle(width: 120)).lines(one, otherEnd: end)
                .contains("Other end: 2, served by p2 (2): the same bytes"))
    }

    @Test func aDifferenceIsNamed() throws {
        let store = Self.store([
            Self.connection(1, .called, "a:1", "b:2"),
            Self.connection(2, .served, "b:2", "a:1", closed: nil, down: 3_990),
        ])
        let two = try #require(try store.connection(StoredConnection.ID(2)))
        let end = try #require(try OtherEnd(of: two, in: store, ConnectionPairs(of: store)))
        #expect(!end.isEqual)
        #expect(
            end.sentence
                == "1, called by p1 (1): not the same: payload down 3,990 here, 4,000 there; "
                + "messages down 3,990 here, 4,000 there (still open)")
    }

    @Test func anExchangeHasItsOther() throws {
        func exchange(_ id: Int64, _ direction: TrafficDirection, _ connection: Int64, body: Int64) -> Exchange {
            var one = sampleExchange.records
            one.request.exchange = ExchangeID(id)
            one.request.direction = direction
            one.request.startedAt = Timestamp(nanoseconds: id * 1_000_000_000)
            one.response?.exchange = ExchangeID(id)
            one.response?.size.body = .captured(body)
            one.end?.exchange = ExchangeID(id)
            one.end?.connection = ConnectionID(connection)
            return one
        }
        let store = Self.store(
            [Self.connection(1, .called, "a:1", "b:2"), Self.connection(2, .served, "b:2", "a:1")],
            exchanges: [
                exchange(1, .called, 1, body: 10), exchange(2, .served, 2, body: 10), exchange(3, .called, 1, body: 20),
                exchange(4, .served, 2, body: 21),
            ])
        let pairs = try ConnectionPairs(of: store)
        let first = try #require(try store.exchange(StoredExchange.ID(1)))
        let equal = try #require(try OtherEnd(of: first, in: store, pairs))
        #expect(equal.isEqual && equal.sentence.hasPrefix("2, served by app (7): the same bytes"))
        let third = try #require(try store.exchange(StoredExchange.ID(3)))
        let other = try #require(try OtherEnd(of: third, in: store, pairs))
        #expect(other.sentence == "4, served by app (7): not the same: response body 20 here, 21 there")
        #expect(ExchangeSheet(third, otherEnd: other).text.contains("Other end   4, served by app (7): not the same"))
        #expect(ExchangeLine(third).json(on: nil, otherEnd: other).contains("\"otherEnd\": {\n    \"exchange\": 4,"))
    }
}
