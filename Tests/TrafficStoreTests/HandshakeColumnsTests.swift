import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// What was in the clear as TLS began is stored with its connection.
@Suite struct HandshakeColumnsTests {
    private static let certificate = ServerCertificate(
        subject: "a.test", issuer: "R11 (Let's Encrypt)", notBefore: Timestamp(nanoseconds: 1_767_225_600_000_000_000),
        notAfter: Timestamp(nanoseconds: 1_775_001_600_000_000_000), sha256: "ab12", chainSize: 3_241)
    private static let handshakes: [TLSHandshake?] = [
        TLSHandshake(
            serverName: "a.test", offeredProtocols: ["h2", "http/1.1"], applicationProtocol: "h2", version: "TLSv1.2",
            cipher: "TLS_X", isResumed: false, certificate: certificate),
        TLSHandshake(version: "TLSv1.3", cipher: "TLS_Y", isResumed: true),
        TLSHandshake(
            serverName: "b.test",
            certificate: ServerCertificate(
                subject: "", issuer: "", notBefore: nil, notAfter: nil, sha256: "0", chainSize: nil)),
        nil, TLSHandshake(),
    ]

    private static func connection(_ id: Int64, _ handshake: TLSHandshake?) -> ConnectionRecord {
        ConnectionRecord(
            connection: ConnectionID(id), process: ProcessIdentity(pid: 1, name: "app"), localAddress: "127.0.0.1:1",
            remoteAddress: "127.0.0.1:2", openedAt: Timestamp(nanoseconds: 1), closedAt: Timestamp(nanoseconds: 2),
            handshake: handshake,
            opening: id == 1 ? ConnectionOpening(dns: 2_500_000, connect: 1_000_000, firstByte: 30_000_000) : nil)
    }

    private func write(_ file: String) throws -> [ConnectionRecord] {
        let connections = Self.handshakes.enumerated().map { Self.connection(Int64($0.offset + 1), $0.element) }
        let writer = try StoreWriter.open(file)
        try writer.write(connections.map { .connection($0) })
        try writer.close()
        return connections
    }

    private func rows(_ file: String, _ sql: String) throws -> [Row] {
        try DatabaseQueue(path: file).read { try Row.fetchAll($0, sql: sql) }
    }

    @Test func itIsReadAsItWasWritten() throws {
        let folder = try Folder()
        let connections = try write(folder.file())
        #expect(try StoreReader.open(folder.file()).connections() == connections.map { StoredConnection($0) })
    }

    @Test func theViewHasIt() throws {
        let folder = try Folder()
        _ = try write(folder.file())
        let rows = try rows(folder.file(), "SELECT * FROM connections ORDER BY connection")
        let first = rows[0]
        let texts = [
            "handshakeServerName": "a.test", "handshakeVersion": "TLSv1.2", "handshakeCipher": "TLS_X",
            "handshakeOffered": "h2,http/1.1", "handshakeProtocol": "h2", "certificateSubject": "a.test",
            "certificateIssuer": "R11 (Let's Encrypt)", "certificateNotBefore": "2026-01-01T00:00:00.000000Z",
            "certificateNotAfter": "2026-04-01T00:00:00.000000Z", "certificateSHA256": "ab12",
        ]
        for (name, text) in texts { #expect(first[name] == text, "\(name)") }
        #expect(first["certificateChainBytes"] == 3_241)
        for (name, time) in ["openingDnsMs": 2.5, "openingConnectMs": 1.0, "openingFirstByteMs": 30.0] {
            #expect(first[name] as Double? == time, "\(name)")
        }
        #expect(rows[1]["openingConnectMs"] as Double? == nil)
        #expect(rows.map { $0["handshakeResumed"] as Int64? } == [0, 1, nil, nil, nil])
        for name in texts.keys {
            #expect(rows[3][name] as String? == nil && rows[4][name] as String? == nil, "\(name)")
        }
    }

    @Test(
        "A file of before opens, and takes it",
        arguments: ["plain-columns", "directions", "ledger-sums", "server-legs"])
    func earlier(migration: String) throws {
        let folder = try Folder()
        let connections = try write(folder.file("newer.db"))
        try EarlierStore.make(from: folder.file("newer.db"), at: folder.file(), upTo: migration)
        let earlier = connections.map { record in
            var record = record
            record.handshake = nil
            record.opening = nil
            return StoredConnection(record)
        }
        let later = Self.connection(9, Self.handshakes[0])
        do {
            let writer = try StoreWriter.open(folder.file())
            #expect(try StoreReader.open(folder.file()).connections() == earlier)
            try writer.write([.connection(later)])
            try writer.close()
        }
        let stored = try #require(try StoreReader.open(folder.file()).connections().last)
        #expect(stored.handshake == later.handshake)
        let rows = try rows(folder.file(), "SELECT handshakeServerName AS name FROM connections ORDER BY connection")
        #expect(rows.map { $0["name"] as String? } == [nil, nil, nil, nil, nil, "a.test"])
    }
}
