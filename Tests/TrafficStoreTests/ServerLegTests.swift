import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// An exchange that a proxy passed on is one row, with the server's leg beside it.
@Suite struct ServerLegTests {
    private static let request = WireSize(startLine: .captured(15), fields: .captured(31), body: .captured(7))
    private static let response = WireSize(startLine: .captured(17), fields: .captured(60), framing: .unknown)

    private func leg(_ connection: Int64, response: ServerLeg.Response?) -> ServerLeg {
        ServerLeg(
            startedAt: Sample.moment(3), sentAt: Sample.moment(4), request: Self.request, response: response,
            end: ExchangeEnd(
                exchange: .notKept, endedAt: Sample.moment(44),
                outcome: response == nil
                    ? .failed(ExchangeFailure(.connection, code: 0, message: "the connection was reset")) : .completed,
                timings: ExchangeTimings(
                    connect: 1_000_000, wait: 30_000_000, receive: 10_000_000, total: 41_000_000),
                connection: ConnectionID(connection), reusedConnection: true, remoteAddress: "192.0.2.1:80",
                share: ConnectionShare(overhead: ByteFlow(up: 500, down: 3_000))))
    }

    private func end(_ exchange: Int64, _ leg: ServerLeg?) -> ExchangeEnd {
        var end = Sample.end(exchange)
        end.connection = ConnectionID(1)
        end.serverLeg = leg
        return end
    }

    @Test func bothLegsAreReadAsTheyWereWritten() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let answered = leg(
            2, response: ServerLeg.Response(firstByteAt: Sample.moment(34), status: 203, size: Self.response))
        let failed = leg(3, response: nil)
        // The second one's end comes in a batch of its own.
        try writer.write([
            .request(Sample.request(1)), .response(Sample.response(1)), .end(end(1, answered)),
            .request(Sample.request(2)), .request(Sample.request(3)), .end(end(3, nil)),
        ])
        try writer.write([.end(end(2, failed))])
        let reader = try StoreReader.open(folder.file())
        let found = try reader.exchanges().map { $0.end?.serverLeg }
        for (stored, written) in [(found[0], answered), (found[1], failed)] {
            var stored = try #require(stored)
            #expect(stored.connection != nil && stored.end.connection == .notKept)
            stored.end.connection = written.end.connection
            stored.connection = nil
            #expect(stored == written)
        }
        #expect(found[2] == nil)
        #expect(try reader.exchange(StoredExchange.ID(1))?.end?.serverLeg == found[0])
        let rows = try DatabaseQueue(path: folder.file()).read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT exchange, up, down, status, waitMs, outcome, error, overheadDown FROM server_legs")
        }
        #expect(rows.map { $0["exchange"] as Int64? } == [1, 2])
        #expect(rows.map { $0["up"] as Int64? } == [53, 53] && rows.map { $0["down"] as Int64? } == [77, nil])
        #expect(rows.map { $0["status"] as Int64? } == [203, nil] && rows[0]["waitMs"] == 30.0)
        #expect(rows[1]["error"] == "the connection was reset" && rows[0]["overheadDown"] == 3_000)
    }

    @Test func onlyTheDevicesLegIsAddedUp() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        var request = Sample.request(1)
        request.direction = .served
        try writer.write([.request(request), .end(end(1, leg(2, response: nil)))])
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.directions(in: .always) == [.served])
        let total = try #require(try reader.totals(by: .api, in: .always).first)
        #expect(total.requests == 1 && total.up.total == request.size.known)
    }

    @Test func aLegGoesWithItsExchange() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        func legs() throws -> Int? {
            try DatabaseQueue(path: folder.file()).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM leg") }
        }
        var unkept = Sample.request(1)
        unkept.keepsDetail = false
        try writer.write([.request(unkept)])
        try writer.write([.end(end(1, leg(2, response: nil)))])
        #expect(try legs() == 0)
        try writer.write([.request(Sample.request(2)), .end(end(2, leg(2, response: nil)))])
        #expect(try legs() == 1)
        try writer.clear()
        #expect(try legs() == 0)
    }
}
