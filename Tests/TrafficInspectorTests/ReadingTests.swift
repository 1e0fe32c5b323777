import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficInspector

/// What is answered.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(4))) struct ReadingTests {
    private func shown(_ count: Int64 = 10) async throws -> Shown {
        let shown = try await Shown()
        for id in 1...count {
            try shown.writer.write(
                Sample.events(
                    id, path: id % 2 == 0 ? "/even" : "/odd", host: id == 3 ? "other.test" : "api.test",
                    status: id == 4 ? nil : id == 5 ? 404 : 200, body: 1_000 - id,
                    fields: id == 6 ? "X-Note: Needle\r\n" : "", method: id == 7 ? "POST" : "GET"))
        }
        return shown
    }

    @Test func aFileIsLiveWhileItIsOpenForWriting() async throws {
        let shown = try await Shown()
        #expect(try await shown.ask("/api/v1/overview").object["live"] as? Bool == true)
        try shown.writer.close()
        #expect(try await shown.ask("/api/v1/overview").object["live"] as? Bool == false)
    }

    @Test func aRowHasWhatTheListShows() async throws {
        let shown = try await shown(1)
        let reply = try await shown.ask("/api/v1/exchanges")
        let row = try #require((try reply.object["exchanges"] as? [[String: Any]])?.first)
        #expect(row["id"] as? Int == 1)
        #expect(row["state"] as? String == "completed")
        #expect(row["start"] as? Double == Double((Sample.epoch + 1_000_000_000) / 1_000_000))
        #expect(row["duration"] as? Double == 1)
        #expect(row["up"] as? Int == 55)
        #expect(row["down"] as? Int == 17 + 27 + 999)
        #expect(row["evidence"] as? String == "captured")
        #expect(row["error"] is NSNull)
        let unanswered = try await self.shown(4).ask("/api/v1/exchanges?status=none")
        let other = try #require((try unanswered.object["exchanges"] as? [[String: Any]])?.first)
        #expect(other["status"] is NSNull && other["down"] is NSNull)
        #expect(other["state"] as? String == "failed")
        #expect(other["error"] as? String == "refused")
    }

    @Test(arguments: [
        ("", [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]), ("?sort=start", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("?sort=-down", [1, 2, 3, 5, 6, 7, 8, 9, 10, 4]), ("?sort=duration", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("?sort=-path&host=api.test", [9, 7, 5, 1, 10, 8, 6, 4, 2]), ("?status=4xx", [5]), ("?status=404", [5]),
        ("?status=none", [4]), ("?host=other.test", [3]), ("?method=POST", [7]), ("?text=nEEdle", [6]),
        ("?text=OTHER.test", [3]), ("?failed=1", [5, 4]), ("?slower=8", [10, 9]), ("?path=/ev", [10, 8, 6, 4, 2]),
        ("?api=POST%20api.test/odd", [7]), ("?process=app&path=/odd&sort=start", [1, 3, 5, 7, 9]), ("?process=x", []),
        ("?type=text/", [10, 9, 8, 7, 6, 5, 3, 2, 1]), ("?text=status:4xx,none", [5, 4]), ("?status=4xx,none", [5, 4]),
        ("?text=-path:/ev%20-host:other.test", [9, 7, 5, 1]),
        ("?since=\((Sample.epoch / 1_000_000) + 9_000)", [10, 9]),
        ("?until=\((Sample.epoch / 1_000_000) + 3_000)", [2, 1]),
    ])
    func listsAreFilteredAndSorted(query: String, ids: [Int]) async throws {
        let shown = try await shown()
        #expect(try await shown.ask("/api/v1/exchanges\(query)").ids() == ids)
    }

    @Test(arguments: [
        "", "?status=4xx,none", "?text=needle", "?method=POST", "?path=/odd&failed=1", "?host=nowhere.test",
    ])
    func theSumsAreThoseOfTheRows(query: String) async throws {
        let shown = try await shown()
        let list = try await shown.ask("/api/v1/exchanges\(query)").object
        let rows = try #require(list["exchanges"] as? [[String: Any]])
        let reply = try await shown.ask("/api/v1/sums\(query)").object
        let sums = try #require((reply["sums"] as? [[String: Any]]))
        #expect(sums.count == (rows.isEmpty ? 0 : 1))
        let sum = sums.first ?? ["requests": 0, "failures": 0, "up": 0, "down": 0, "total": 0]
        func added(_ name: String) -> Int { rows.compactMap { $0[name] as? Int }.reduce(0, +) }
        #expect(sum["requests"] as? Int == rows.count)
        #expect(sum["failures"] as? Int == rows.filter { $0["failed"] as? Bool == true }.count)
        #expect(sum["up"] as? Int == added("up"))
        #expect(sum["down"] as? Int == added("down"))
        #expect(sum["total"] as? Int == added("up") + added("down"))
        #expect(reply["truncated"] as? Bool == false)
        let hosts = Set(rows.compactMap { $0["authority"] as? String })
        #expect(reply["host"] as? String == (hosts.count == 1 ? hosts.first : nil))
    }

    @Test func onlyAPIsWithEnoughCallsHaveALimit() async throws {
        let shown = try await Shown()
        for id in Int64(1)...20 { try shown.writer.write(Sample.events(id, path: "/often")) }
        for id in Int64(21)...39 { try shown.writer.write(Sample.events(id, path: "/seldom")) }
        let reply = try await shown.ask("/api/v1/limits").object
        let apis = try #require(reply["apis"] as? [[String: Any]])
        #expect(apis.map { $0["template"] as? String } == ["/often"])
        let often = try #require(apis.first)
        #expect(often["host"] as? String == "api.test")
        #expect(often["method"] as? String == "GET")
        #expect(often["direction"] as? String == "called")
        let all = try #require(try await shown.ask("/api/v1/apis").object["apis"] as? [[String: Any]])
        #expect(often["p95"] as? Double == all.first { $0["template"] as? String == "/often" }?["p95"] as? Double)
        #expect(reply["least"] as? Int == 20)
    }

    @Test func twoServicesOnOneMachineAreTwo() async throws {
        let shown = try await Shown()
        for (id, port) in [(1, 8123), (2, 8124), (3, 8124)] {
            try shown.writer.write(Sample.events(Int64(id), path: "/x", host: "127.0.0.1", port: port))
        }
        try shown.writer.write(Sample.events(4, path: "*", host: "127.0.0.1", method: "OPTIONS", port: 8123))
        let apis = try #require(try await shown.ask("/api/v1/apis").object["apis"] as? [[String: Any]])
        let requests = apis.filter { $0["template"] as? String == "/x" }.reduce(into: [String: Int]()) {
            $0[$1["host"] as? String ?? ""] = $1["requests"] as? Int
        }
        #expect(requests == ["127.0.0.1:8123": 1, "127.0.0.1:8124": 2])
        let one = try await shown.ask("/api/v1/apis?host=127.0.0.1:8124").object["apis"] as? [[String: Any]]
        #expect(one?.compactMap { $0["host"] as? String } == ["127.0.0.1:8124"])
        #expect(one?.first.flatMap { $0["spark"] as? [Int] }?.reduce(0, +) == 2)
        for (query, ids) in [
            ("host=127.0.0.1", [4, 3, 2, 1]), ("host=127.0.0.1:8124", [3, 2]), ("api=GET%20127.0.0.1:8123/x", [1]),
            ("api=OPTIONS%20127.0.0.1:8123%20*", [4]), ("sort=-host&path=/x", [3, 2, 1]),
        ] {
            #expect(try await shown.ask("/api/v1/exchanges?\(query)").ids() == ids, "\(query)")
        }
        let rows = try await shown.ask("/api/v1/exchanges").object["exchanges"] as? [[String: Any]] ?? []
        #expect(
            rows.map { $0["authority"] as? String } == [
                "127.0.0.1:8123", "127.0.0.1:8124", "127.0.0.1:8124", "127.0.0.1:8123",
            ])
        #expect(rows.first?["url"] as? String == "http://127.0.0.1:8123")
        #expect(rows.last?["url"] as? String == "http://127.0.0.1:8123/x")
    }

    @Test func theTimelineFollowsTheFiltersOfTheList() async throws {
        let shown = try await shown()
        for (query, ids) in [
            ("text=nEEdle", [6]), ("status=none", [4]), ("status=4xx", [5]), ("process=x", []), ("failed=1", [4, 5]),
            ("type=text/", [1, 2, 3, 5, 6, 7, 8, 9, 10]), ("slower=8", [9, 10]), ("method=POST", [7]),
        ] {
            let line = try await shown.ask("/api/v1/timeline?slots=12&\(query)").object
            let slots = try #require(line["requests"] as? [Int])
            #expect(slots.count == 10, "\(query)")
            #expect(slots.indices.filter { slots[$0] > 0 }.map { $0 + 1 } == ids, "\(query)")
        }
    }

    @Test func theListSaysWhereAnExchangeStandsInIt() async throws {
        let shown = try await shown()
        for (query, index) in [
            ("id=1", 9), ("id=10", 0), ("id=1&sort=start", 0), ("id=9&path=/odd", 0), ("id=8&path=/odd", nil),
            ("id=99", nil),
        ] {
            let page = try await shown.ask("/api/v1/exchanges?limit=2&\(query)").object
            #expect(page["index"] as? Int == index, "\(query)")
            #expect(page.keys.contains("index"))
        }
        #expect(try await !shown.ask("/api/v1/exchanges").object.keys.contains("index"))
        #expect(try await shown.ask("/api/v1/exchanges?id=0").status == 400)
    }

    @Test func theOverviewNamesTheFileThatCanBeOpenedAgain() async throws {
        let kept = try await Shown { $0.file = "logs/traffic.db" }
        #expect(try await kept.ask("/api/v1/overview").object["file"] as? String == "logs/traffic.db")
        #expect(try await Shown().ask("/api/v1/overview").object["file"] is NSNull)
    }

    @Test func connectionsComeWithTheirLedgersPageByPage() async throws {
        let shown = try await shown(4)
        func connection(_ id: Int64) -> ConnectionRecord {
            ConnectionRecord(
                connection: ConnectionID(id), process: ProcessIdentity(pid: 42, name: "app"),
                localAddress: "127.0.0.1:5", remoteAddress: "10.0.0.1:443", applicationProtocol: "h2",
                tls: ConnectionRecord.TLS(version: "TLSv1.3"), openedAt: Timestamp(nanoseconds: Sample.epoch + id),
                payloadUp: 1_000, payloadDown: 9_000,
                load: ConnectionLoad(
                    exchanges: 2, messages: ByteFlow(up: 300, down: 5_000), http2Control: ByteFlow(up: 64, down: 9),
                    plaintext: ByteFlow(up: 364, down: 5_009)))
        }
        try shown.writer.write((Int64(1)...5).map { .connection(connection($0)) })
        func page(_ query: String) async throws -> (ids: [Int], total: Int?, cursor: String?, first: [String: Any]) {
            let object = try await shown.ask("/api/v1/connections?\(query)").object
            let rows = try #require(object["connections"] as? [[String: Any]])
            return (
                rows.compactMap { $0["id"] as? Int }, object["total"] as? Int, object["cursor"] as? String,
                rows.first ?? [:]
            )
        }
        let first = try await page("limit=2")
        #expect(first.ids == [5, 4] && first.total == 5 && first.cursor == "4")
        #expect(first.first["protocol"] as? String == "h2")
        #expect(first.first["exchanges"] as? Int == 2)
        #expect(first.first["payload"] as? [String: Int] == ["up": 1_000, "down": 9_000])
        #expect(first.first["messages"] as? [String: Int] == ["up": 300, "down": 5_000])
        #expect(first.first["tlsOverhead"] as? [String: Int] == ["up": 636, "down": 3_991])
        #expect(first.first["http2Overhead"] as? [String: Int] == ["up": 64, "down": 9])
        #expect(first.first["unaccounted"] as? [String: Int] == ["up": 0, "down": 0])
        #expect(first.first["segments"] is NSNull)
        // One that comes meanwhile does not move the pages.
        try shown.writer.write([.connection(connection(6))])
        let second = try await page("limit=2&cursor=4")
        #expect(second.ids == [3, 2] && second.total == nil && second.cursor == "2")
        let last = try await page("limit=2&cursor=2")
        #expect(last.ids == [1] && last.cursor == nil)
        #expect(try await shown.ask("/api/v1/connections?cursor=x").status == 400)
    }

    @Test func theExchangesOfAConnectionAreFound() async throws {
        let shown = try await Shown()
        for id in Int64(1)...4 {
            let events = Sample.events(id).map { event in
                guard case .end(var end) = event else { return event }
                end.connection = ConnectionID(id % 2 + 1)
                return .end(end)
            }
            try shown.writer.write(events)
        }
        // Numbered in the order of their first use.
        #expect(try await shown.ask("/api/v1/exchanges?connection=1").ids() == [3, 1])
        #expect(try await shown.ask("/api/v1/exchanges?connection=2&sort=start").ids() == [2, 4])
        #expect(try await shown.ask("/api/v1/exchanges?connection=9").ids() == [])
        let reply = try await shown.ask("/api/v1/exchanges?connection=2")
        let row = try #require((try reply.object["exchanges"] as? [[String: Any]])?.first)
        #expect(row["connection"] as? Int == 2)
    }

    @Test func aCursorReadsAnyPlaceOfTheListThatItWasMadeFor() async throws {
        let shown = try await shown()
        let first = try await shown.ask("/api/v1/exchanges?sort=start&limit=3")
        #expect(try first.ids() == [1, 2, 3])
        #expect(try first.object["total"] as? Int == 10)
        let cursor = try #require(try first.object["cursor"] as? String)
        try shown.writer.write(Sample.events(11))
        let second = try await shown.ask("/api/v1/exchanges?limit=3&cursor=\(cursor)")
        #expect(try second.ids() == [4, 5, 6])
        let view = try #require(try first.object["view"] as? String)
        #expect(try await shown.ask("/api/v1/exchanges?limit=5&cursor=\(view):8").ids() == [9, 10])
        let end = try await shown.ask("/api/v1/exchanges?cursor=\(view):10")
        #expect(try end.ids() == [])
        #expect(try end.object["cursor"] is NSNull)
    }

    @Test func aListThatIsGoneIsSaid() async throws {
        let shown = try await shown(2)
        let cursor = try #require(try await shown.ask("/api/v1/exchanges?limit=1").object["cursor"] as? String)
        for _ in 0..<ExchangeViews.capacity { _ = try await shown.ask("/api/v1/exchanges") }
        let reply = try await shown.ask("/api/v1/exchanges?cursor=\(cursor)")
        #expect(reply.status == 410)
        #expect(try reply.code == "expired")
    }

    @Test(arguments: ["text=needle", "sort=-down", "text=api.test&sort=path", "status=none", "text=nowhere"])
    func aSearchInPartsEndsWithTheSameList(query: String) async throws {
        let shown = try await shown()
        let expected = try await shown.ask("/api/v1/exchanges?\(query)")
        #expect(try expected.object["searched"] as? Int == 1)
        var reply = try await shown.ask("/api/v1/exchanges?\(query)&within=1")
        while try reply.object["searched"] as? Double != 1 {
            let view = try #require(try reply.object["view"] as? String)
            reply = try await shown.ask("/api/v1/exchanges?more=\(view)&within=1&id=6")
        }
        #expect(try reply.ids() == expected.ids())
        #expect(try reply.object["total"] as? Int == expected.object["total"] as? Int)
        let view = try #require(try reply.object["view"] as? String)
        let again = try await shown.ask("/api/v1/exchanges?more=\(view)&id=6")
        #expect(try again.ids() == expected.ids())
        #expect(try again.object["index"] as? Int == expected.ids().firstIndex(of: 6))
        #expect(try await shown.ask("/api/v1/exchanges?more=x").status == 410)
    }

    @Test(arguments: [
        "within=0", "within=x", "limit=0",
        "limit=501", "limit=x", "sort=weight", "status=9xx", "status=4", "status=500-400", "slower=-1",
        "slower=nan", "since=x", "until=1e300", "since=5&until=4", "cursor=x", "cursor=a:-1", "task=0",
    ])
    func aWrongParameterIsSaid(query: String) async throws {
        let shown = try await shown(1)
        let reply = try await shown.ask("/api/v1/exchanges?\(query)")
        #expect(reply.status == 400)
        #expect(try reply.code == "wrong")
    }

    @Test func theDetailHasLinesAttemptsAndBodies() async throws {
        let shown = try await Shown()
        try shown.writer.write(
            Sample.events(1, fields: "Cookie: a=[redacted 3 B]\r\n", kept: Array("<script>alert(1)</script>".utf8)))
        let detail = try await shown.ask("/api/v1/exchanges/1").object
        let exchange = try #require(detail["exchange"] as? [String: Any])
        let request = try #require(exchange["request"] as? [String: Any])
        #expect((request["fieldLines"] as? [String])?.last == "Cookie: a=[redacted 3 B]")
        #expect((detail["attempts"] as? [[String: Any]])?.map { $0["id"] as? Int } == [1])
        let bodies = try #require(detail["bodies"] as? [String: Any])
        #expect(bodies["request"] is NSNull)
        #expect((bodies["response"] as? [String: Any])?["size"] as? Int == 25)
        let body = try await shown.ask("/api/v1/exchanges/1/bodies/response?offset=8&limit=5")
        #expect(body.body == "alert")
        #expect(body.head.contains("Content-Type: application/octet-stream"))
        #expect(body.head.contains("Content-Disposition: attachment"))
        #expect(body.head.contains("X-Size: 25"))
        #expect(try await shown.ask("/api/v1/exchanges/1/bodies/request").status == 404)
        #expect(try await shown.ask("/api/v1/exchanges/2").status == 404)
        #expect(try await shown.ask("/api/v1/exchanges/x").status == 404)
    }

    @Test func apisAddUp() async throws {
        let shown = try await shown()
        let answer = try await shown.ask("/api/v1/apis").object
        let apis = try #require(answer["apis"] as? [[String: Any]])
        let totals = try #require(answer["totals"] as? [String: Any])
        #expect(totals["requests"] as? Int == 10)
        #expect(totals["unanswered"] as? Int == 1)
        #expect(totals["failures"] as? Int == 2)
        for name in ["up", "down", "requests"] {
            #expect(apis.reduce(0) { $0 + ($1[name] as? Int ?? 0) } == totals[name] as? Int)
        }
        let weights = apis.map { ($0["up"] as? Int ?? 0) + ($0["down"] as? Int ?? 0) }
        #expect(weights == weights.sorted(by: >))
    }

    @Test func headHasTheHeadOfGet() async throws {
        let shown = try await shown(1)
        let get = try await shown.ask("/api/v1/overview")
        let head = try await shown.ask("/api/v1/overview", method: "HEAD")
        #expect(head.body.isEmpty)
        #expect(head.head == get.head)
    }

    @Test(arguments: ["har", "csv", "ndjson"])
    func whatMatchesIsExported(format: String) async throws {
        let shown = try await shown()
        let reply = try await shown.ask("/api/v1/export?format=\(format)&status=404", fields: ["Connection: close"])
        #expect(reply.status == 200)
        #expect(reply.head.contains("Content-Disposition: attachment; filename=\"traffic.\(format)\""))
        #expect(reply.head.contains("Transfer-Encoding: chunked"))
        #expect(reply.body.hasSuffix("0\r\n\r\n"))
        #expect(reply.body.contains("404"))
        #expect(!reply.body.contains("other.test"))
        #expect(try await shown.ask("/api/v1/export?format=xml").status == 400)
    }

    @Test func anExportIsFilteredAsTheListIs() async throws {
        let shown = try await shown()
        for filter in ["text=needle", "process=x", "status=none", "connection=3", "host=other.test"] {
            let ids = try await shown.ask("/api/v1/exchanges?\(filter)").ids()
            let lines = try await shown.ask("/api/v1/export?format=ndjson&\(filter)").body
            #expect(lines.components(separatedBy: #"{"exchange":"#).count - 1 == ids.count, "\(filter)")
        }
    }

    @Test func exchangesOfAConnectionAreListed() async throws {
        let shown = try await Shown()
        for id in Int64(1)...6 {
            var events = Sample.events(id)
            if case .end(var end) = events[2] {
                end.connection = ConnectionID(id % 2 + 1)
                events[2] = .end(end)
            }
            try shown.writer.write(events)
        }
        let rows = try #require(try await shown.ask("/api/v1/exchanges").object["exchanges"] as? [[String: Any]])
        let connections = rows.compactMap { $0["connection"] as? Int }
        #expect(Set(connections).count == 2 && connections.count == 6)
        for connection in Set(connections) {
            let wanted = rows.filter { $0["connection"] as? Int == connection }.compactMap { $0["id"] as? Int }
            #expect(try await shown.ask("/api/v1/exchanges?connection=\(connection)").ids() == wanted)
        }
        #expect(try await shown.ask("/api/v1/exchanges?connection=0").status == 400)
    }

    @Test func anExportThatNobodyReadsEnds() async throws {
        let shown = try await shown(2_000)
        let client = try RawClient(port: shown.port)
        client.write(
            Array("GET /api/v1/export?format=har HTTP/1.1\r\nHost: 127.0.0.1:\(shown.port)\r\n\r\n".utf8))
        #expect(client.read { $0.count > 1_000 }.count > 1_000)
        #expect(try await shown.ask("/api/v1/exchanges?limit=1").ids() == [2_000])
    }

    @Test func oneExchangeIsSavedAsHAR() async throws {
        let shown = try await shown(2)
        let har = try await shown.ask("/api/v1/exchanges/2/har").object
        let log = try #require(har["log"] as? [String: Any])
        #expect((log["entries"] as? [[String: Any]])?.count == 1)
        let detail = try await shown.ask("/api/v1/exchanges/2").object
        #expect((detail["curl"] as? String)?.contains("http://api.test/even") == true)
    }

    @Test func theAuditIsThatOfTheCommand() async throws {
        let shown = try await Shown()
        for id in Int64(1)...40 {
            try shown.writer.write(Sample.events(id, path: "/orders", status: 500, body: 9_000))
        }
        let audit = try await shown.ask("/api/v1/audit").object
        let findings = try #require(audit["findings"] as? [[String: Any]])
        let failed = try #require(findings.first { $0["rule"] as? String == "retries" })
        #expect(failed["host"] as? String == "api.test")
        let id = try #require((failed["evidence"] as? [Int])?.first)
        let detail = try await shown.ask("/api/v1/exchanges/\(id)").object
        let rules = (detail["findings"] as? [[String: Any]])?.compactMap { $0["rule"] as? String }
        #expect(rules?.contains("retries") == true)
    }

    @Test func theTimelineHasEverythingInItsSlots() async throws {
        let shown = try await shown()
        let line = try await shown.ask("/api/v1/timeline?slots=12").object
        #expect(line["slot"] as? Int == 1_000)
        let requests = try #require(line["requests"] as? [Int])
        #expect(requests == [Int](repeating: 1, count: 10))
        #expect(line["failures"] as? [Int] == [0, 0, 0, 1, 1, 0, 0, 0, 0, 0])
        #expect((line["up"] as? [Int])?.first == 55)
        let narrow = try await shown.ask("/api/v1/timeline?host=other.test").object["requests"] as? [Int]
        #expect(narrow?.reduce(0, +) == 1)
        // Days: from the sums.
        try shown.writer.write(Sample.events(200_000))
        let coarse = try await shown.ask("/api/v1/timeline?slots=100").object
        #expect((coarse["requests"] as? [Int])?.reduce(0, +) == 11)
        #expect((coarse["requests"] as? [Int])?.count ?? 0 <= 100)
        #expect(try await Shown().ask("/api/v1/timeline").object["requests"] as? [Int] == [])
    }
}
