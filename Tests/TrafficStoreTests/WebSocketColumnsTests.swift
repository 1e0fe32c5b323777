import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// What a connection carried after a 101 is stored, and files of before it came are brought up to date.
@Suite struct WebSocketColumnsTests {
    private static let load = ConnectionLoad(
        exchanges: 1, messages: ByteFlow(up: 100, down: 200),
        parts: [
            .proxyTLS: ByteFlow(up: 900, down: 3_000), .webSocket: ByteFlow(up: 18, down: 8),
            .webSocketPayload: ByteFlow(up: 80, down: 1_000), .upgraded: ByteFlow(down: 5),
        ],
        webSocket: WebSocketLoad(
            up: .init(frames: 3, controlFrames: 1, messages: 2), down: .init(frames: 4, messages: 4)))

    private func connection(_ id: Int64, _ load: ConnectionLoad) -> ConnectionRecord {
        let all = load.messages + load.parts.values.reduce(.zero, +)
        return ConnectionRecord(
            connection: ConnectionID(id), process: ProcessIdentity(pid: 1, name: "app"), localAddress: "127.0.0.1:1",
            remoteAddress: "127.0.0.1:2", openedAt: Timestamp(nanoseconds: 1), closedAt: Timestamp(nanoseconds: 2),
            payloadUp: all.up, payloadDown: all.down, load: load)
    }

    @Test func whatWasCountedOfWebSocketIsReadAsItWasWritten() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let connections = [
            connection(1, Self.load), connection(2, ConnectionLoad(webSocket: WebSocketLoad())),
            connection(3, ConnectionLoad()),
        ]
        try writer.write(connections.map { .connection($0) })
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.connections() == connections.map { StoredConnection($0) })
        let coverage = try reader.ledgerCoverage(in: .always)
        #expect(coverage.parts == Self.load.parts && coverage.isComplete)
    }

    @Test func aFileOfTheFourthVersionKeepsItsLedgers() throws {
        let folder = try Folder()
        let queue = try DatabaseQueue(path: folder.file())
        try StoreSchema.migrator.migrate(queue, upTo: "4")
        try queue.write { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = \(StoreSchema.applicationID);
                    UPDATE meta SET value = 3 WHERE key = 'next_connection';
                    INSERT INTO process VALUES (1, 7, 'app');
                    INSERT INTO connection(id, run, process, local, remote, protocol, opened, closed, sent, received,
                        exchanges, messages_up, messages_down, clear_up, clear_down, control_up, control_down,
                        upgraded_up, upgraded_down)
                    VALUES (1, 1, 1, 'a:1', 'b:2', '', 1, 2, 130, 260, 1, 100, 200, 0, 0, 0, 0, 30, 60),
                        (2, 1, 1, 'a:3', 'b:2', '', 1, 2, 130, 260, 1, 100, 200, 0, 0, 0, 0, 0, 0);
                    """)
        }
        try queue.close()
        let reader = try StoreReader.open(folder.file())
        let connections = try reader.connections()
        #expect(connections.map(\.load.parts) == [[.upgraded: ByteFlow(up: 30, down: 60)], [:]])
        #expect(connections.map(\.load.webSocket) == [nil, nil])
        let coverage = try reader.ledgerCoverage(in: .always)
        #expect(coverage.unclosed == 1 && coverage.unaccounted == ByteFlow(up: 30, down: 60))
        #expect(coverage.parts == [.upgraded: ByteFlow(up: 30, down: 60)])
        // And what is written from now on has its columns.
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.connection(connection(3, Self.load))])
        #expect(try StoreReader.open(folder.file()).connection(StoredConnection.ID(3))?.load == Self.load)
    }
}
