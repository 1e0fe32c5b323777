import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// Connections whose messages were not seen are stored with the reason.
@Suite struct UnseenColumnsTests {
    @Test func theReasonIsReadAsItWasWritten() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        func connection(_ id: Int64, _ unseen: UnseenTraffic?) -> ConnectionRecord {
            ConnectionRecord(
                connection: ConnectionID(id), process: ProcessIdentity(pid: 1, name: "app"),
                localAddress: "127.0.0.1:1", remoteAddress: "127.0.0.1:2", tls: ConnectionRecord.TLS(),
                openedAt: Timestamp(nanoseconds: 1), closedAt: Timestamp(nanoseconds: 2), payloadUp: 700,
                payloadDown: 4_000,
                load: ConnectionLoad(parts: unseen == nil ? [:] : [.unseen: ByteFlow(up: 700, down: 4_000)]),
                unseen: unseen)
        }
        let connections = [
            connection(1, UnseenTraffic(reason: .tls, serverName: "api.example.com")),
            connection(2, UnseenTraffic(reason: .http2)), connection(3, nil),
        ]
        try writer.write(connections.map { .connection($0) })
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.connections() == connections.map { StoredConnection($0) })
        let coverage = try reader.ledgerCoverage(in: .always)
        #expect(coverage.parts == [.unseen: ByteFlow(up: 1_400, down: 8_000)])
        #expect(!coverage.isComplete && coverage.unclosed == 0)
    }
}
