import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

@Suite("Services that are distinguished by their ports") struct PortRuleTests {
    private func sum(_ host: String, _ template: String = "/x", requests: Int64 = 1) -> TrafficTotal {
        total(
            api("GET", host, template), requests: requests, up: parts(fields: 100 * requests),
            down: parts(body: 1_000 * requests))
    }

    private func store(_ totals: [TrafficTotal]) -> FakeStore { FakeStore(groups: [.api: totals]) }

    private func check(_ lockfile: Lockfile, _ run: [TrafficTotal]) throws -> [String: BudgetCheck.Verdict] {
        let check = try BudgetCheck(of: store(run), against: lockfile)
        return check.rows.reduce(into: [:]) { $0[$1.api.host] = $1.verdict }
    }

    @Test(
        "a port that a system chose by itself is any port, on the machine itself",
        arguments: [
            ("127.0.0.1:41873", "127.0.0.1:*", "127.0.0.1:41873", "127.0.0.1:*"),
            ("localhost:60999", "localhost:*", "localhost:60999", "localhost:*"),
            ("[::1]:32768", "[::1]:*", "[::1]:32768", "[::1]:*"),
            ("127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1:*"),
            ("127.0.0.1:32767", "127.0.0.1:32767", "127.0.0.1:32767", "127.0.0.1:*"),
            ("api.example.com:41873", "api.example.com:41873", "api.example.com:41873", "api.example.com:*"),
            ("api.example.com", "api.example.com", "api.example.com", "api.example.com"),
        ])
    func names(authority: String, fixed: String, each: String, any: String) {
        #expect(PortRule.fixed.name(of: authority) == fixed)
        #expect(PortRule.each.name(of: authority) == each)
        #expect(PortRule.any.name(of: authority) == any)
    }

    @Test("two services on one machine have a budget each")
    func twoBudgets() throws {
        let lockfile = try Lockfile(recording: store([sum("127.0.0.1:8123"), sum("127.0.0.1:8124", requests: 2)]))
        #expect(lockfile.budgets.map(\.api.host) == ["127.0.0.1:8123", "127.0.0.1:8124"])
        #expect(lockfile.budgets.map(\.requests) == [1, 2])
        let read = try Lockfile(text: Array(lockfile.text.utf8))
        #expect(read.text == lockfile.text)
        let verdicts = try check(read, [sum("127.0.0.1:8123"), sum("127.0.0.1:8124", requests: 3)])
        #expect(verdicts == ["127.0.0.1:8123": .same, "127.0.0.1:8124": .exceeded])
    }

    @Test("a test server that gets another port in each run keeps its budget")
    func randomPorts() throws {
        let lockfile = try Lockfile(recording: store([sum("127.0.0.1:41873"), sum("127.0.0.1:45000")]))
        #expect(lockfile.budgets.map(\.api.host) == ["127.0.0.1:*"])
        #expect(lockfile.budgets.map(\.requests) == [2])
        let read = try Lockfile(text: Array(lockfile.text.utf8))
        #expect(try check(read, [sum("127.0.0.1:33001", requests: 2)]) == ["127.0.0.1:*": .same])
        #expect(try check(read, [sum("127.0.0.1:33001"), sum("127.0.0.1:8080")]) == ["127.0.0.1:*": .same])
        let run = [sum("127.0.0.1:33001", requests: 2), sum("127.0.0.1:33001", "/new")]
        let new = try BudgetCheck(of: store(run), against: read)
        #expect(new.breaches.map(\.api.host) == ["127.0.0.1:*"])
        #expect(new.breaches.map(\.api.template) == ["/new"])
        let again = try Lockfile(recording: store([sum("127.0.0.1:50001", requests: 2)]), replacing: read)
        #expect(again.text == lockfile.text)
    }

    @Test("ports can be taken as they are, or none at all")
    func chosenRule() throws {
        let run = store([sum("127.0.0.1:41873"), sum("api:8080"), sum("api:8081"), sum("api")])
        let each = try Lockfile(recording: run, ports: .each)
        #expect(each.budgets.map(\.api.host) == ["127.0.0.1:41873", "api", "api:8080", "api:8081"])
        let any = try Lockfile(recording: run, ports: .any)
        #expect(any.budgets.map(\.api.host) == ["127.0.0.1:*", "api", "api:*"])
        #expect(try check(any, [sum("api:1"), sum("api:2"), sum("api")])["api:*"] == .same)
        // A service of its own name is not counted twice.
        #expect(try check(each, [sum("127.0.0.1:41873"), sum("api:8080")])["api:8080"] == .same)
    }

    @Test("in a file of version 1, a host stands for all of its ports")
    func hostsAlone() throws {
        let text = try Lockfile(recording: store([sum("a.example", requests: 3), sum("127.0.0.1")])).text
        let old = try Lockfile(text: Array(text.replacing("\"version\": 2", with: "\"version\": 1").utf8))
        let run = [sum("a.example"), sum("a.example:8443", requests: 2), sum("127.0.0.1:41873")]
        #expect(try check(old, run) == ["a.example": .same, "127.0.0.1": .same])
        // In one of this version, only for the scheme's own.
        let now = try Lockfile(text: Array(text.utf8))
        #expect(
            try check(now, run) == [
                "a.example": .smaller, "a.example:8443": .new, "127.0.0.1": .vanished, "127.0.0.1:*": .new,
            ])
        var tolerant = old
        tolerant = Lockfile(
            tolerance: old.tolerance,
            budgets: old.budgets.map { budget in
                var budget = budget
                budget.tolerance = Tolerance("50%")
                return budget
            }, hasHostsAlone: true)
        let recorded = try Lockfile(recording: store(run), replacing: tolerant)
        #expect(recorded.budgets.map(\.tolerance) == [Tolerance("50%"), Tolerance("50%"), Tolerance("50%")])
        #expect(recorded.text.contains("\"version\": 2"))
    }

    @Test("two runs at random ports are compared, two services beside each other are not mixed")
    func diff() throws {
        let before = store([sum("127.0.0.1:41873"), sum("127.0.0.1:8123"), sum("127.0.0.1:8124")])
        let after = store([sum("127.0.0.1:50001", requests: 2), sum("127.0.0.1:8123"), sum("127.0.0.1:8124")])
        let diff = try TrafficDiff(before: before, after: after, sort: .name)
        #expect(diff.rows.map(\.api.host) == ["127.0.0.1:*", "127.0.0.1:8123", "127.0.0.1:8124"])
        #expect((diff.new, diff.vanished) == (0, 0))
        #expect(diff.rows.map(\.change) == [1_100, 0, 0])
        let each = try TrafficDiff(before: before, after: after, ports: .each)
        #expect((each.new, each.vanished) == (1, 1))
    }

    @Test("a report of many servers at random ports can have them as one")
    func report() throws {
        let store = store([sum("127.0.0.1:41873"), sum("127.0.0.1:41874"), sum("127.0.0.1:8123")])
        #expect(try TrafficReport(of: store, by: .api).rows.count == 3)
        let fixed = try TrafficReport(of: store, by: .api, sort: .name, ports: .fixed)
        #expect(fixed.rows.map(\.key.host) == ["127.0.0.1:*", "127.0.0.1:8123"])
        #expect(fixed.rows.map(\.requests) == [2, 1])
        #expect(try TrafficReport(of: store, by: .api, ports: .any).rows.map(\.requests) == [3])
    }

    @Test("targets without a path have a true text in the sheet, the line and the table")
    func targets() {
        var exchange = sampleExchange
        exchange.request.method = "CONNECT"
        exchange.request.scheme = "http"
        (exchange.request.host, exchange.request.port) = ("h", 2)
        (exchange.request.path, exchange.request.query, exchange.request.template) = ("h:2", nil, "h:2")
        #expect(ExchangeSheet(exchange).text.contains("CONNECT http://h:2\n"))
        #expect(ExchangeSheet(exchange).text.contains("Target      h:2\n"))
        #expect(ExchangeSheet(exchange).text.contains("API         CONNECT h:2 h:2\n"))
        let line = ExchangeLine(exchange).ndjson
        #expect(
            line.contains(#""url":"http://h:2","scheme":"http","host":"h","port":2,"authority":"h:2","path":"h:2""#))
        #expect(ExchangeTable(TextStyle(width: 200)).line(exchange).contains(" http://h:2 "))
        exchange.request.method = "OPTIONS"
        (exchange.request.path, exchange.request.template) = ("*", "*")
        #expect(ExchangeSheet(exchange).text.contains("OPTIONS http://h:2\n"))
        #expect(ExchangeSheet(exchange).text.contains("API         OPTIONS h:2 *\n"))
    }

    @Test("a list shows whole URLs, no wider than they are, shortened in the middle where there is no room")
    func urls() {
        var exchange = sampleExchange
        exchange.request.scheme = "http"
        (exchange.request.host, exchange.request.port) = ("127.0.0.1", 8130)
        (exchange.request.path, exchange.request.query) = ("/feed", "page=2")
        let url = "http://127.0.0.1:8130/feed?page=2"
        let wide = ExchangeTable(TextStyle(width: 200), measuring: [exchange])
        #expect(wide.line(exchange).contains("  \(url)  text/html"))
        #expect(wide.header.count < ExchangeTable(TextStyle(width: 200)).header.count)
        // One that is longer than the first ones takes the room that is left.
        var long = exchange
        long.request.path = "/" + String(repeating: "a", count: 60)
        #expect(wide.line(long).contains("  \(long.request.url)  "))
        long.request.path = "/" + String(repeating: "a", count: 400)
        #expect(wide.line(long).contains("…") && wide.line(long).contains("?page=2"))
        #expect(wide.line(long).count <= 200)
        let narrow = ExchangeTable(TextStyle(width: 60), measuring: [exchange])
        #expect(narrow.line(exchange).count <= 60)
        #expect(narrow.line(exchange).contains("…") && narrow.line(exchange).contains("page=2"))
    }
}
