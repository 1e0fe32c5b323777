import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

/// Connections and their ledgers as people and machines read them.
@Suite("Connections")
struct ConnectionTests {
    private static let begin: Int64 = 1_795_255_200_000_000_000

    private static func connection(
        _ id: Int64, local: String = "127.0.0.1:50000", remote: String = "10.0.0.1:443", sent: ByteCount?,
        received: ByteCount?, _ load: ConnectionLoad, tls: ConnectionRecord.TLS? = nil, name: String = "http/1.1",
        isOpen: Bool = false
    ) -> ConnectionRecord {
        ConnectionRecord(
            connection: ConnectionID(id), process: ProcessIdentity(pid: 7, name: id == 3 ? "tool" : "app"),
            localAddress: local, remoteAddress: remote, applicationProtocol: name, tls: tls,
            openedAt: Timestamp(nanoseconds: begin + id),
            closedAt: isOpen ? nil : Timestamp(nanoseconds: begin + 12_300_000 + id),
            payloadUp: sent, payloadDown: received, retransmitted: sent.map { _ in id == 2 ? 60 : 0 },
            segmentsUp: sent.map { _ in 10 }, segmentsDown: sent.map { _ in 20 },
            roundTrip: sent.map { _ in 1_250_000 }, load: load)
    }

    /// Without TLS; HTTP/2 in TLS; one that does not add up; TLS with only the kernel's count; and one without
    /// any count.
    private static let store = FakeStore(connections: [
        connection(
            1, sent: 1_500, received: 12_000,
            ConnectionLoad(exchanges: 3, messages: ByteFlow(up: 1_500, down: 12_000))),
        connection(
            2, remote: "[2001:db8::7]:443", sent: 1_400, received: 62_000,
            ConnectionLoad(
                exchanges: 2, messages: ByteFlow(up: 100, down: 60_000), http2Control: ByteFlow(up: 73, down: 24),
                plaintext: ByteFlow(up: 173, down: 60_024)),
            tls: ConnectionRecord.TLS(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384"), name: "h2"),
        connection(
            3, sent: 300, received: 0, ConnectionLoad(exchanges: 1, messages: ByteFlow(up: 500, down: 0)), name: ""),
        connection(
            4, local: ":50004", sent: 900, received: 4_000,
            ConnectionLoad(exchanges: 1, messages: ByteFlow(up: 100, down: 500)),
            tls: ConnectionRecord.TLS(), isOpen: true),
        connection(
            5, remote: "", sent: nil, received: nil,
            ConnectionLoad(exchanges: 1, messages: ByteFlow(up: 10, down: 20)), name: ""),
    ])

    private func sums(_ selection: ConnectionSelection = ConnectionSelection()) -> LedgerSums {
        var sums = LedgerSums()
        for connection in Self.store.connections where selection.matches(connection) { sums.add(connection.record) }
        return sums
    }

    private func table(_ width: Int) -> String {
        let table = LedgerTable(sums(), TextStyle(width: width))
        return table.header + Self.store.connections.map { table.lines($0) }.joined() + table.footer(hidden: 2)
    }

    @Test("The NDJSON line, member by member")
    func line() throws {
        let expected = #"""
            {"connection":2,"pid":7,"process":"app","localAddress":"127.0.0.1","localPort":50000,
            "remoteAddress":"2001:db8::7","remotePort":443,"protocol":"h2",
            "tls":{"version":"TLSv1.3","cipher":"TLS_AES_256_GCM_SHA384"},
            "openedAt":"2026-11-21T10:00:00.000000Z","closedAt":"2026-11-21T10:00:00.012300Z","payload":{"up":1400,
            "down":62000},"exchanges":2,"messages":{"up":100,"down":60000},"overhead":{"up":1300,"down":2000},
            "tlsOverhead":{"up":1227,"down":1976},"http2Overhead":{"up":73,"down":24},
            "socksOverhead":{"up":0,"down":0},"proxyProtocolOverhead":{"up":0,"down":0},
            "proxyTLSOverhead":{"up":0,"down":0},"websocketOverhead":{"up":0,"down":0},
            "websocketPayload":{"up":0,"down":0},"upgraded":{"up":0,"down":0},"afterMessage":{"up":0,"down":0},
            "unseen":{"up":0,"down":0},"unaccounted":{"up":0,"down":0},"evidence":"reported","segments":{"up":10,"down":20},"retransmitted":60,
            "roundTrip":1.25,"ipBytes":{"up":2180,"down":63440,"estimated":true},
            "network":null,"websocket":null,"notSeen":null,"serverName":null,
            "direction":"called","handshake":null,"opening":null,"otherEnd":null}
            """#
        let line = ConnectionLine(Self.store.connections[1]).ndjson
        #expect(line == expected.split(separator: "\n").joined())
    }

    @Test("Unknown values are null, and what does not add up is shown with its sign")
    func missing() throws {
        func object(_ index: Int) throws -> [String: Any] {
            let line = ConnectionLine(Self.store.connections[index]).ndjson
            return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let unknown = try object(4)
        for name in [
            "payload", "overhead", "tlsOverhead", "unaccounted", "evidence", "segments", "retransmitted",
            "roundTrip", "ipBytes", "protocol", "tls", "remoteAddress", "remotePort",
        ] {
            #expect(unknown[name] is NSNull, "\(name)")
        }
        #expect(unknown["messages"] as? [String: Int] == ["up": 10, "down": 20])
        let open = try object(3)
        #expect(open["closedAt"] is NSNull && open["localAddress"] is NSNull)
        #expect(open["localPort"] as? Int == 50_004)
        #expect(open["tls"] as? [String: NSNull] == ["version": NSNull(), "cipher": NSNull()])
        #expect(open["evidence"] as? String == "reconstructed")
        #expect(try object(2)["unaccounted"] as? [String: Int] == ["up": -200, "down": 0])
    }

    @Test("CSV has the same, laid flat")
    func csv() {
        let names = ConnectionLine.csvHeader.dropLast().components(separatedBy: ",")
        let cells = ConnectionLine(Self.store.connections[1]).csv.dropLast().components(separatedBy: ",")
        #expect(names.count == cells.count && Set(names).count == names.count)
        let row = Dictionary(uniqueKeysWithValues: zip(names, cells))
        let expected = [
            "connection": "2", "remoteAddress": "2001:db8::7", "remotePort": "443", "tlsVersion": "TLSv1.3",
            "payloadUp": "1400", "messagesDown": "60000", "overheadUp": "1300", "tlsOverheadDown": "1976",
            "http2OverheadUp": "73", "unaccountedDown": "0", "segmentsDown": "20", "roundTripMs": "1.25",
            "ipBytesUpEstimated": "2180",
        ]
        for (name, value) in expected { #expect(row[name] == value, "\(name)") }
        let unknown = ConnectionLine(Self.store.connections[4]).csv.dropLast().components(separatedBy: ",")
        #expect(unknown.count == names.count)
        #expect(unknown[names.firstIndex(of: "overheadUp") ?? 0] == "")
    }

    @Test("What was in the clear as TLS began is an object, cells, and a line below what was not seen")
    func handshake() {
        var connection = Self.store.connections[0]
        connection.record.handshake = TLSHandshake(
            serverName: "a.test", offeredProtocols: ["h2", "http/1.1"], version: "TLSv1.2", cipher: "TLS_X",
            isResumed: false,
            certificate: ServerCertificate(
                subject: "a.test", issuer: "R11", notBefore: nil, notAfter: Timestamp(nanoseconds: Self.begin),
                sha256: "ab12", chainSize: 3_241))
        connection.record.opening = ConnectionOpening(dns: 2_500_000, connect: 1_000_000)
        let json = #"""
            {"serverName":"a.test","version":"TLSv1.2","cipher":"TLS_X","offered":["h2","http/1.1"],"protocol":null,
            "resumed":false,"certificate":{"subject":"a.test","issuer":"R11","notBefore":null,
            "notAfter":"2026-11-21T10:00:00.000000Z","sha256":"ab12","chainBytes":3241}}
            """#
        let member = "\"handshake\":\(json.split(separator: "\n").joined()),"
        #expect(ConnectionLine(connection).ndjson.contains(member))
        #expect(
            ConnectionLine(connection).ndjson.contains(
                #""opening":{"dns":2.5,"connect":1,"firstByte":null},"otherEnd""#))
        let cells = ConnectionLine(connection).csv.dropLast()
        let end = #"a.test,TLSv1.2,TLS_X,"h2,http/1.1",,false,a.test,R11,,2026-11-21T10:00:00.000000Z,ab12,3241"#
        #expect(cells.hasSuffix(",called,\(end),2.5,1,"))
        let table = LedgerTable(LedgerSums(), TextStyle(width: 200))
        #expect(!table.lines(connection).contains("In the clear"))
        connection.record.unseen = UnseenTraffic(reason: .passedOn, serverName: "a.test")
        let line =
            "\n  In the clear: TLSv1.2, new session, offers h2 and http/1.1, certificate of a.test by R11, "
            + "until 2026-11-21, 3,241 bytes; DNS 2.5 ms, connect 1.0 ms.\n"
        #expect(table.lines(connection).hasSuffix(line))
        connection.record.handshake?.certificate?.subject = "\u{1B}[2J"
        #expect(!table.lines(connection).contains("\u{1B}"))
    }

    @Test("The table at 80 columns")
    func width80() {
        let expected = #"""
            Connection  Peer                  Payload  Messages     TLS  HTTP/2  Unaccounted
                     1  10.0.0.1:443    up      1,500     1,500       0       0            0
                                        down   12,000    12,000       0       0            0
                     2  [2001:d…7]:443  up      1,400       100   1,227      73            0
                                        down   62,000    60,000   1,976      24            0
                     3  10.0.0.1:443    up        300       500       0       0         -200
                                        down        0         0       0       0            0
                     4  10.0.0.1:443    up        900       100    ~800       0            0
                                        down    4,000       500  ~3,500       0            0
                     5                  up          ?        10       0       0            ?
                                        down        ?        20       0       0            ?
            and 2 more
            ────────────────────────────────────────────────────────────────────────────────
                 Total  5 connections   up      4,100     2,200  ~2,027      73         -200
                                        down   78,000    72,500  ~5,476      24            0
            1 connection of 5 does not add up; '--unaccounted' shows them.
            Estimated total with TCP/IP headers: 89.0 KB (segments times headers).
            ~ marks TLS computed as all that is not a message, because the bytes inside TLS
            could not be counted (1 connection).
            The sums leave out 1 connection, whose kernel count is not known.
            """#
        #expect(table(80) == expected + "\n")
    }

    @Test("No line is wider than the terminal, and every width that can has the whole ledger", arguments: 40...200)
    func fits(width: Int) {
        let lines = table(width).split(separator: "\n")
        if width >= 72 { for line in lines { #expect(TerminalText.width(String(line)) <= width, "\(line)") } }
        for title in ["Payload", "Messages", "TLS", "HTTP/2", "Unaccounted"] { #expect(lines[0].contains(title)) }
        #expect(lines[0].contains("Segments") == (width >= 130), "\(lines[0])")
    }

    @Test("Without TLS and HTTP/2 their columns are not there")
    func plainTable() {
        var sums = LedgerSums()
        sums.add(Self.store.connections[0].record)
        let header = LedgerTable(sums, TextStyle(width: 200)).header
        #expect(!header.contains("TLS") && !header.contains("HTTP/2"))
        #expect(LedgerTable(sums, TextStyle(width: 200)).footer().contains("account for every byte"))
        // The mark in it is not explained either, if all that was in TLS is not seen.
        var record = Self.store.connections[0].record
        record.tls = ConnectionRecord.TLS()
        sums.add(record)
        #expect(sums.reconstructed == 1)
        #expect(!LedgerTable(sums, TextStyle(width: 200)).footer().contains("~"))
    }

    @Test("The sums as JSON")
    func sumsJSON() throws {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(sums().json.compact.utf8)) as? [String: Any])
        #expect(object["connections"] as? Int == 5)
        #expect(object["open"] as? Int == 1)
        #expect(object["unclosed"] as? Int == 1)
        #expect(object["unknown"] as? Int == 1)
        #expect(object["reconstructed"] as? Int == 1)
        #expect(object["exchanges"] as? Int == 8)
        #expect(object["payload"] as? [String: Int] == ["up": 4_100, "down": 78_000])
        #expect(object["overhead"] as? [String: Int] == ["up": 2_100, "down": 5_500])
        #expect(object["retransmitted"] as? Int == 60)
    }

    @Test("Conditions and orders", arguments: ConnectionSelection.Sort.allCases)
    func selection(sort: ConnectionSelection.Sort) throws {
        func ids(_ change: (inout ConnectionSelection) -> Void = { _ in }) throws -> [Int64] {
            var selection = ConnectionSelection()
            selection.sort = sort
            change(&selection)
            var ids: [Int64] = []
            try selection.forEach(of: Self.store) {
                ids.append($0.id.rawValue)
                return ids.count < 4
            }
            return ids
        }
        let expected: [ConnectionSelection.Sort: [Int64]] = [
            .opened: [1, 2, 3, 4], .recent: [5, 4, 3, 2], .bytes: [2, 1, 4, 3], .overhead: [4, 2, 1, 3],
            .unaccounted: [3, 1, 2, 4], .retransmitted: [2, 1, 3, 4],
        ]
        #expect(try ids() == expected[sort])
        #expect(try ids { $0.isUnclosed = true } == [3])
        #expect(try ids { $0.isOpen = true } == [4])
        #expect(try ids { $0.process = "tool" } == [3])
        #expect(try ids { $0.remote = "[2001:db8::7]:443" } == [2])
        #expect(try ids { $0.remote = "2001:" } == [2])
        #expect(try ids { $0.remote = "10.0.0.1" }.sorted() == [1, 3, 4])
    }

    @Test("What would move the cursor is escaped")
    func hostile() {
        var connection = Self.store.connections[0]
        connection.record.remoteAddress = "\u{1B}[2J:1"
        connection.record.applicationProtocol = "\u{1B}]0;x\u{07}"
        var sums = LedgerSums()
        sums.add(connection.record)
        let table = LedgerTable(sums, TextStyle(width: 200))
        let text = table.header + table.lines(connection) + ConnectionLine(connection).ndjson
        #expect(!text.contains("\u{1B}") && !text.contains("\u{07}"))
    }
}
