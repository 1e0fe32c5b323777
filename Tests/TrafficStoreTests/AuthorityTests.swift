import Foundation
import GRDB
import Testing
import TrafficModel

@testable import TrafficStore

/// Two services on one machine are two.
@Suite struct AuthorityTests {
    private func events(
        _ exchange: Int64, scheme: String = "http", host: String = "127.0.0.1", port: Int, path: String = "/x",
        template: String = "/x", process: String = "app", type: String = "application/json", ends: Bool = true
    ) -> [TrafficEvent] {
        var request = Sample.request(exchange, at: exchange, host: host, path: path, template: template)
        request.scheme = scheme
        request.port = port
        request.process = ProcessIdentity(pid: 42, name: process)
        let whole: [TrafficEvent] = [.request(request), .response(Sample.response(exchange, type: type))]
        return ends ? whole + [.end(Sample.end(exchange))] : whole
    }

    private func hosts(_ reader: StoreReader, by grouping: TrafficGrouping) throws -> [String: Int64] {
        try reader.totals(by: grouping, in: .always).reduce(into: [:]) {
            $0[$1.key.host ?? "", default: 0] += $1.requests
        }
    }

    private func numbers(_ reader: StoreReader, _ set: (inout ExchangeFilter) -> Void) throws -> [Int64] {
        var filter = ExchangeFilter()
        set(&filter)
        return try reader.exchanges(filter).map(\.id.rawValue)
    }

    private let expected: [String: Int64] = [
        "127.0.0.1:8123": 1, "127.0.0.1:8124": 2, "127.0.0.1": 2, "[::1]:8123": 1, "127.0.0.1:443": 1,
    ]

    private func write(_ writer: StoreWriter) throws {
        try writer.write(events(1, port: 8123))
        try writer.write(events(2, port: 8124))
        // What still runs counts among the others.
        try writer.write(events(3, port: 8124, ends: false))
        try writer.write(events(4, port: 80))
        try writer.write(events(5, scheme: "https", port: 443))
        try writer.write(events(6, host: "[::1]", port: 8123))
        try writer.write(events(7, port: 443))
    }

    @Test func twoServicesOnOneMachineAreTwo() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try write(writer)
        let reader = try StoreReader.open(folder.file())
        for grouping in [TrafficGrouping.api, .host, .path] { #expect(try hosts(reader, by: grouping) == expected) }
        let requests = try reader.exchanges().map(\.request)
        #expect(requests.map(\.host) == Array(repeating: "127.0.0.1", count: 5) + ["[::1]", "127.0.0.1"])
        #expect(requests.map(\.port) == [8123, 8124, 8124, 80, 443, 8123, 443])
    }

    @Test(arguments: [
        ("127.0.0.1", [1, 2, 3, 4, 5, 7]), ("127.0.0.1:8123", [1]), ("127.0.0.1:8124", [2, 3]), ("127.0.0.1:80", [4]),
        ("127.0.0.1:443", [5, 7]), ("127.0.0.1:*", [1, 2, 3, 4, 5, 7]), ("[::1]", [6]), ("::1", [6]),
        ("[::1]:8123", [6]), ("127.0.0", []), ("127.0.0.1:1", []),
    ])
    func aHostIsFoundAtAnyPortOrAtOne(host: String, found: [Int64]) throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try write(writer)
        #expect(try numbers(StoreReader.open(folder.file())) { $0.host = host } == found)
    }

    @Test(arguments: [
        ("GET 127.0.0.1:8123 /x", [1]), ("GET 127.0.0.1:* /x", [1, 2, 3, 4, 5, 7]), ("GET 127.0.0.1 /x", [4, 5]),
        ("GET [::1] /x", [6]), ("GET /x", [1, 2, 3, 4, 5, 6, 7]), ("GET 127.0.0.1:9 /x", []),
    ])
    func anAPIIsFoundByItsAuthority(api: String, found: [Int64]) throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try write(writer)
        #expect(try numbers(StoreReader.open(folder.file())) { $0.api = api } == found)
    }

    @Test func servicesTeachTheirTemplatesApart() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for number in 1...40 {
            try writer.write(events(Int64(number), port: 1, path: "/u/n\(number)", template: "/u/n\(number)"))
        }
        try writer.write(events(41, port: 2, path: "/u/n1", template: "/u/n1"))
        let reader = try StoreReader.open(folder.file())
        let templates = try reader.totals(by: .api, in: .always).reduce(into: [:]) {
            $0[$1.key.host ?? "", default: Set<String>()].insert($1.key.template ?? "")
        }
        #expect(templates["127.0.0.1:1"]?.count == 1)
        #expect(templates["127.0.0.1:2"] == ["/u/n1"])
    }

    // MARK: Older files

    /// A file as version 1 wrote it: its tables, and hosts of APIs without ports.
    private func older(_ folder: Folder, _ write: (StoreWriter) throws -> Void) throws {
        let writer = try StoreWriter.open(folder.file("newer.db"))
        try write(writer)
        try writer.close()
        try ReleasedStore.make(
            from: folder.file("newer.db"), at: folder.file(), upTo: "1", change: Self.withoutPorts)
        try FileManager.default.removeItem(atPath: folder.file("newer.db"))
    }

    /// Takes the ports out of the hosts, and joins the rows that have become the same.
    private static let withoutPorts = """
        CREATE TEMP TABLE bare AS SELECT DISTINCT a.id, substr(a.host, 1,
            CASE WHEN a.host LIKE '%:' || t.port THEN length(a.host) - length(':' || t.port) ELSE length(a.host) END
            ) AS host FROM api a JOIN route t ON t.api = a.id OR t.api IN (SELECT id FROM api WHERE merged_into = a.id);
        CREATE TEMP TABLE joined AS SELECT a.id, min(o.id) AS into_id
            FROM api a JOIN bare b ON b.id = a.id JOIN api o ON o.method = a.method AND o.template = a.template
            JOIN bare c ON c.id = o.id AND c.host = b.host GROUP BY a.id;
        UPDATE route SET api = (SELECT into_id FROM joined j WHERE j.id = route.api);
        UPDATE api SET merged_into = (SELECT into_id FROM joined j WHERE j.id = api.merged_into)
            WHERE merged_into IS NOT NULL;
        DELETE FROM api WHERE id NOT IN (SELECT into_id FROM joined);
        UPDATE api SET host = (SELECT host FROM bare b WHERE b.id = api.id);
        UPDATE kind SET api = (SELECT into_id FROM joined j WHERE j.id = kind.api);
        """

    @Test(arguments: [true, false]) func anOlderFileIsReadWithItsPorts(_ isWritable: Bool) throws {
        let folder = try Folder()
        try older(folder) { writer in
            try writer.write(events(1, port: 8123, template: "/one"))
            try writer.write(events(2, scheme: "https", host: "api.test", port: 443, template: "/two"))
            try writer.write(events(3, host: "[::1]", port: 8080, template: "/three"))
        }
        let before = try folder.contents()
        if !isWritable { chmod(folder.file(), 0o400) }
        let reader = try StoreReader.open(folder.file())
        #expect(try hosts(reader, by: .api) == ["127.0.0.1:8123": 1, "api.test": 1, "[::1]:8080": 1])
        #expect(
            try reader.exchanges().map(\.request.url) == [
                "http://127.0.0.1:8123/x", "https://api.test/x", "http://[::1]:8080/x",
            ])
        #expect(try reader.state().generation == 0)
        // The superuser may write anywhere.
        if !isWritable, geteuid() != 0 { #expect(try folder.contents() == before) }
        let writer = try { isWritable ? try StoreWriter.open(folder.file()) : nil }()
        try writer?.write(events(4, port: 8123, template: "/one"))
        if isWritable { #expect(try hosts(StoreReader.open(folder.file()), by: .api)["127.0.0.1:8123"] == 2) }
    }

    @Test func aCopyIsReadWhereTheFileCannotBeWritten() throws {
        let folder = try Folder()
        try older(folder) { try $0.write(events(1, port: 8123)) }
        let file = StoreFile(path: folder.file())
        let before = try folder.contents()
        let copy = try OlderCopy(ReadConnection(file))
        let connection = try ReadConnection(copy)
        let hosts = try connection.read { try String.fetchAll($0, sql: "SELECT host FROM api") }
        #expect(hosts == ["127.0.0.1:8123"])
        #expect(try folder.contents()["traffic.db"] == before["traffic.db"])
    }

    /// What was counted together stays together; the exchanges themselves are each service's.
    @Test func sumsOfSeveralPortsStayWithTheHostAlone() throws {
        let folder = try Folder()
        try older(folder) { writer in
            try writer.write(events(1, port: 8123, process: "both"))
            try writer.write(events(2, port: 8124, process: "both", type: "text/html"))
            try writer.write(events(3, port: 8123, process: "one"))
        }
        let reader = try StoreReader.open(folder.file())
        let sums = try hosts(reader, by: .api)
        // Of a program that used one port alone, the sums are known.
        #expect(sums["127.0.0.1:8123"] == 1)
        #expect(sums["127.0.0.1"] == 2)
        #expect(sums["127.0.0.1:8124"] == nil)
        #expect(try hosts(reader, by: .path) == ["127.0.0.1:8123": 2, "127.0.0.1:8124": 1])
        #expect(try numbers(reader) { $0.api = "GET 127.0.0.1:8124 /x" } == [2])
        // The row with the host alone leads to all of them.
        #expect(try numbers(reader) { $0.api = "GET 127.0.0.1 /x" } == [1, 2, 3])
        let writer = try StoreWriter.open(folder.file())
        try writer.write(events(4, port: 8124, process: "both"))
        #expect(try hosts(StoreReader.open(folder.file()), by: .api)["127.0.0.1:8124"] == 1)
    }

    @Test func mergedTemplatesStayMergedOnEachPort() throws {
        let folder = try Folder()
        try older(folder) { writer in
            // Enough of them that each port has learned it, as the host had.
            for number in 1...80 {
                let port = 8000 + number % 2
                try writer.write(
                    events(
                        Int64(number), port: port, path: "/u/n\(number)", template: "/u/n\(number)", type: "a/\(port)"))
            }
        }
        let reader = try StoreReader.open(folder.file())
        let keys = Set(try reader.totals(by: .api, in: .always).map { "\($0.key.host ?? "") \($0.key.template ?? "")" })
        #expect(keys.allSatisfy { !$0.contains("/u/n") }, "\(keys)")
        let exchanges = try reader.exchanges()
        #expect(Set(exchanges.map(\.request.template)).count == 1)
        #expect(exchanges.allSatisfy { $0.request.path == "/u/n\($0.id)" })
        let writer = try StoreWriter.open(folder.file())
        try writer.write(events(100, port: 8000, path: "/u/n100", template: "/u/n100"))
        let added = try #require(try StoreReader.open(folder.file()).exchanges().last)
        #expect(added.request.template == exchanges[0].request.template)
    }

    // MARK: CONNECT

    private func tunnel(_ exchange: Int64, port: Int, template: String = "h.test:{id}") -> [TrafficEvent] {
        var request = Sample.request(
            exchange, at: exchange, method: "CONNECT", host: "h.test", path: "h.test:\(port)", template: template)
        request.scheme = "http"
        request.port = port
        return [
            .request(request), .response(Sample.response(exchange, type: "a/\(port)")), .end(Sample.end(exchange)),
        ]
    }

    private func tunnels(_ reader: StoreReader) throws -> [String: Int64] {
        try reader.totals(by: .api, in: .always).reduce(into: [:]) {
            $0["\($1.key.host ?? "") \($1.key.template ?? "")", default: 0] += $1.requests
        }
    }

    @Test func inAnOlderFileTheTemplateOfATunnelBecomesItsAuthority() throws {
        let folder = try Folder()
        try older(folder) { writer in
            for number in 1...3 { try writer.write(tunnel(Int64(number), port: 443)) }
            try writer.write(events(4, host: "h.test", port: 443, template: "/{id}"))
        }
        let reader = try StoreReader.open(folder.file())
        #expect(try tunnels(reader) == ["h.test:443 h.test:443": 3, "h.test:443 /{id}": 1])
        let requests = try reader.exchanges().map(\.request)
        #expect(requests.map(\.template) == Array(repeating: "h.test:443", count: 3) + ["/{id}"])
        #expect(requests.map(\.path) == Array(repeating: "h.test:443", count: 3) + ["/x"])
        #expect(try numbers(reader) { $0.api = "CONNECT h.test:443 h.test:443" } == [1, 2, 3])
        // What is written now is the same API, and no merge undoes it.
        let writer = try StoreWriter.open(folder.file())
        try writer.write(tunnel(5, port: 443, template: "h.test:443"))
        for number in 10...60 {
            try writer.write(
                events(Int64(number), host: "h.test", port: 443, path: "/u/n\(number)", template: "/u/n\(number)"))
        }
        let sums = try tunnels(StoreReader.open(folder.file()))
        #expect(sums["h.test:443 h.test:443"] == 4)
        #expect(sums["h.test:443 h.test:{id}"] == nil)
    }

    @Test func tunnelsToSeveralPortsAreToldApartAsFarAsTheyWere() throws {
        let folder = try Folder()
        try older(folder) { writer in
            try writer.write(tunnel(1, port: 443))
            try writer.write(tunnel(2, port: 8443))
            try writer.write(tunnel(3, port: 80))
        }
        let reader = try StoreReader.open(folder.file())
        #expect(
            try reader.exchanges().map(\.request.path) == ["h.test:443", "h.test:8443", "h.test:80"])
        #expect(
            try reader.exchanges().map(\.request.template) == ["h.test:443", "h.test:8443", "h.test:{id}"])
        // They were counted as one.
        #expect(try tunnels(reader) == ["h.test h.test:{id}": 3])
    }
}
