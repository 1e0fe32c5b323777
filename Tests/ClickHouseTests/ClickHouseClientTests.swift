import Dispatch
import RowBinary
import Testing
import TrafficOrigin

@testable import ClickHouse

/// What sends the requests.
enum TransportKind: CaseIterable {
    case urlSession
    #if os(Linux)
        case libcurl
    #endif

    func transport(_ limits: ClickHouseClient.Limits) -> any HTTPTransport {
        switch self {
        case .urlSession: URLSessionTransport(seconds: limits.seconds, limit: limits.responseBytes)
        #if os(Linux)
            case .libcurl: CurlTransport(seconds: limits.seconds, limit: limits.responseBytes)
        #endif
        }
    }
}

@Suite("The client, at an origin on loopback,") struct ClickHouseClientTests {
    @Test("says in plain words why there is no response")
    func reasons() {
        #expect("\(HTTPTransportError.failed("no route to host"))" == "no route to host")
        #expect("\(HTTPTransportError.timedOut)" == "nothing came in time")
        #expect("\(HTTPTransportError.tooLarge)" == "its response is too large")
    }

    @Test("posts the query with the database and the user, and reads the rows", arguments: TransportKind.allCases)
    func query(by kind: TransportKind) throws {
        let origin = LoopbackOrigin { _ in .respond(body: .sized([1, 0x61, 2, 0, 2, 0x62, 0x63, 3, 0])) }
        try origin.start()
        defer { origin.stop() }
        let client = try client(
            kind, of: origin, database: "my db", ClickHouseCredentials(user: "reader", password: "a b", token: "t"))
        var rows: [String] = []
        try client.forEachRow("SELECT name, \(7) FROM t WHERE name != \("it's")") { row in
            rows.append("\(row.text()) \(row.integer(UInt16.self))")
            return true
        }
        #expect(rows == ["a 2", "bc 3"])
        #expect(origin.waitUntilIdle())
        let request = try #require(origin.exchanges.first?.parsed)
        #expect(request.method == "POST" && request.target == "/?database=my%20db&wait_end_of_query=1")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"SELECT name, 7 FROM t WHERE name != 'it\'s' FORMAT RowBinary"#)
        #expect(request.value(of: "X-ClickHouse-User") == "reader")
        #expect(request.value(of: "X-ClickHouse-Key") == "a b")
        #expect(request.value(of: "Authorization") == "Bearer t")
    }

    @Test("stops at a row on request, and refuses half a row", arguments: TransportKind.allCases)
    func rows(by kind: TransportKind) throws {
        let origin = LoopbackOrigin { _ in .respond(body: .sized([1, 0, 2, 0, 3])) }
        try origin.start()
        defer { origin.stop() }
        let client = try client(kind, of: origin)
        var seen: [UInt16] = []
        try client.forEachRow("SELECT 1") {
            seen.append($0.integer())
            return seen.count < 2
        }
        #expect(seen == [1, 2])
        let half = try #require(throws: ClickHouseError.self) {
            try client.forEachRow("SELECT 1") { row in
                _ = row.integer(UInt16.self)
                return true
            }
        }
        #expect(half.code == .malformed)
        let still = try #require(throws: ClickHouseError.self) { try client.forEachRow("SELECT 1") { _ in true } }
        #expect(still.code == .malformed)
    }

    @Test(
        "inserts the same bytes with the columns and the token, and without the token where it is not known",
        arguments: TransportKind.allCases)
    func insert(by kind: TransportKind) throws {
        let origin = LoopbackOrigin { request in
            request.target.contains("insert_deduplication_token")
                ? .respond(
                    "500 Internal Server Error",
                    body: .text("Code: 115, e.displayText() = DB::Exception: Unknown setting"))
                : .respond(body: .text(""))
        }
        try origin.start()
        defer { origin.stop() }
        let client = try client(kind, of: origin)
        for body in [[1, 2, 3], [4]] as [[UInt8]] {
            try client.insert(
                into: "exchange", columns: ["host", "id"], body: body, isCompressed: true, token: "run/1-2")
        }
        #expect(origin.waitUntilIdle())
        let requests = origin.exchanges.compactMap(\.parsed)
        let target =
            "/?database=d&query=INSERT%20INTO%20%60exchange%60%20%28%60host%60%2C%20%60id%60%29%20FORMAT%20RowBinary"
        #expect(requests.map(\.target) == [target + "&insert_deduplication_token=run%2F1-2", target, target])
        #expect(requests.map(\.body) == [[1, 2, 3], [1, 2, 3], [4]])
        #expect(requests.allSatisfy { $0.value(of: "Content-Encoding") == "gzip" })
    }

    @Test(
        "distinguishes what may pass, what is too large and what is wrong",
        arguments: [
            ("413 Content Too Large", "", ClickHouseError.Code.tooLarge, false),
            ("429 Too Many Requests", "", .tooMany, true), ("503 Service Unavailable", "", .unavailable, true),
            ("400 Bad Request", "", .rejected, false), ("401 Unauthorized", "", .denied, false),
            ("403 Forbidden", "<html>\r\n<head><title>403 Forbidden</title></head></html>\r\n", .denied, false),
            ("301 Moved Permanently", "", .rejected, false),
            (
                "500 Internal Server Error", "Code: 27, e.displayText() = DB::Exception: Cannot parse input", .rejected,
                false
            ),
            ("500 Internal Server Error", "Code: 242. DB::Exception: Table is in readonly mode", .unavailable, true),
            ("500 Internal Server Error", "Code: 252. DB::Exception: Too many parts", .tooMany, true),
            (
                "404 Not Found", "Code: 60. DB::Exception: Table d.t does not exist. (UNKNOWN_TABLE) (version 26.9)",
                .missing, false
            ),
            ("500 Internal Server Error", "Code: 516. DB::Exception: Authentication failed", .denied, false),
            // Another server of a cluster was killed.
            (
                "500 Internal Server Error",
                "Code: 32, e.displayText() = DB::Exception: Attempt to read after eof: while receiving packet from "
                    + "127.0.0.1:43501: Insertion status:\nWrote 1 blocks and 18 rows on shard 0 replica 0",
                .unavailable, true
            ),
            // These are of the user and of the tables; no row is at fault.
            (
                "500 Internal Server Error",
                "Code: 164, e.displayText() = DB::Exception: Cannot override setting (x) in readonly mode", .denied,
                false
            ),
            (
                "500 Internal Server Error",
                "Code: 43, e.displayText() = DB::Exception: Unexpected type UUID of argument of function cityHash64",
                .missing, false
            ),
            ("400 Bad Request", "Code: 53. DB::Exception: Type mismatch in a view", .missing, false),
        ])
    func errors(_ status: String, _ body: String, _ code: ClickHouseError.Code, _ mayPass: Bool) throws {
        let origin = LoopbackOrigin { _ in
            .respond(
                status,
                fields: ["Retry-After: 7", "Location: http://127.0.0.1:1/", "WWW-Authenticate: Basic realm=\"x\""],
                body: .text(body))
        }
        try origin.start()
        defer { origin.stop() }
        for kind in TransportKind.allCases {
            let error = try #require(throws: ClickHouseError.self) { try client(kind, of: origin).run("SELECT 1") }
            #expect(error.code == code && error.mayPass == mayPass, "\(error)")
            #expect(error.status == Int(status.prefix(3)))
            #expect(error.retryAfter == 7)
            #expect(error.message.contains(origin.authority))
            #expect(!error.message.contains("(version") && !error.message.contains("displayText"))
            #expect(!error.message.contains("<") && error.message.contains("_TOKEN'") == (code == .denied))
        }
    }

    @Test(
        "gives up if nothing comes, if there is no server, and if the response is too large",
        arguments: TransportKind.allCases)
    func limits(by kind: TransportKind) throws {
        let origin = LoopbackOrigin { request in
            request.value(of: "X-ClickHouse-User") == "slow" ? .hold : .respond(body: .fill(100_000))
        }
        try origin.start()
        defer { origin.stop() }
        let hold = try #require(throws: ClickHouseError.self) {
            try client(kind, of: origin, ClickHouseCredentials(user: "slow"), limits: .init(seconds: 1)).run("SELECT 1")
        }
        #expect(hold.code == .timedOut)
        let large = try #require(throws: ClickHouseError.self) {
            try client(kind, of: origin, limits: .init(responseBytes: 99_999)).run("SELECT 1")
        }
        #expect(large.code == .responseTooLarge)
        try client(kind, of: origin, limits: .init(responseBytes: 100_000)).run("SELECT 1")
        let port = try ClosedPort()
        let closed = try #require(throws: ClickHouseError.self) {
            let url = try FleetURL("clickhouse://127.0.0.1:\(port.number)/d")
            try ClickHouseClient(url, credentials: .init(), limits: .init(), transport: kind.transport(.init())).run(
                "SELECT 1")
        }
        #expect(closed.code == .unreachable && closed.mayPass)
    }

    @Test("sends a content of many pieces as it is, over one connection", arguments: TransportKind.allCases)
    func large(by kind: TransportKind) throws {
        let origin = LoopbackOrigin { _ in .respond(body: .text("")) }
        try origin.start()
        defer { origin.stop() }
        let client = try client(kind, of: origin)
        let contents = [300_000, 0, 70_000].map { size in (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }
        for content in contents { _ = try client.send("INSERT INTO t FORMAT RowBinary", body: content) }
        #expect(origin.waitUntilIdle())
        let requests = origin.exchanges.compactMap(\.parsed)
        #expect(requests.map(\.bodyCount) == contents.map(\.count))
        // The origin keeps the first bytes; they are too many to be printed.
        let areSame = zip(requests, contents).allSatisfy {
            $0.body.count >= min(60_000, $1.count) && $1.starts(with: $0.body)
        }
        #expect(areSame)
        #expect(Set(origin.exchanges.map(\.connection)).count == 1)
    }

    @Test("fails what is under way once it is cancelled, and everything afterwards", arguments: TransportKind.allCases)
    func cancel(by kind: TransportKind) async throws {
        let isAsked = DispatchSemaphore(value: 0)
        let origin = LoopbackOrigin { _ in
            isAsked.signal()
            return .hold
        }
        try origin.start()
        defer { origin.stop() }
        let client = try client(kind, of: origin)
        DispatchQueue.global().async {
            isAsked.wait()
            client.cancel()
        }
        for _ in 0..<2 {
            let error = try #require(throws: ClickHouseError.self) { try client.run("SELECT 1") }
            #expect(error.code == .unreachable)
        }
        #expect(origin.exchanges.count == 1)
    }

    private func client(
        _ kind: TransportKind, of origin: LoopbackOrigin, database: String = "d",
        _ credentials: ClickHouseCredentials = .init(),
        limits: ClickHouseClient.Limits = .init()
    ) throws -> ClickHouseClient {
        var url = try FleetURL("clickhouse://\(origin.authority)/d")
        url.database = database
        return ClickHouseClient(
            url, credentials: credentials, limits: limits, transport: kind.transport(limits))
    }
}
