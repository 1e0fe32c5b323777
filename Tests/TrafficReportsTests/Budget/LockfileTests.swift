import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

@Suite("Lockfiles") struct LockfileTests {
    private static let file = """
        {
          "version": 2,
          "tolerance": "5%",
          "apis": [
            {
              "method": "GET",
              "host": "a.example",
              "template": "/feed",
              "tolerance": "12.5%",
              "requests": 2,
              "up": {
                "startLine": 20,
                "fields": 200,
                "cookies": 30,
                "interim": 0,
                "body": 0,
                "framing": 0
              },
              "down": {
                "startLine": 17,
                "fields": 100,
                "cookies": 0,
                "interim": 25,
                "body": 4000,
                "framing": 14
              }
            },
            {
              "method": "POST",
              "host": "a.example",
              "template": "/feed",
              "exact": false,
              "requests": 1,
              "up": {
                "startLine": 0,
                "fields": 10,
                "cookies": 0,
                "interim": 0,
                "body": 0,
                "framing": 0
              },
              "down": {
                "startLine": 0,
                "fields": 0,
                "cookies": 0,
                "interim": 0,
                "body": 0,
                "framing": 0
              }
            }
          ]
        }

        """

    private static func store(_ totals: [TrafficTotal]) -> FakeStore { FakeStore(groups: [.api: totals]) }

    private static func read(_ text: String) throws -> Lockfile { try Lockfile(text: Array(text.utf8)) }

    @Test("a file is one figure a line, sorted, and reads back as what it was")
    func roundTrip() throws {
        let lockfile = try Self.read(Self.file)
        #expect(lockfile.text == Self.file)
        #expect(lockfile.tolerance == Tolerance("5%"))
        #expect(lockfile.budgets.map(\.requests) == [2, 1])
        #expect(lockfile.budgets.map(\.tolerance) == [Tolerance("12.5%"), nil])
        #expect(lockfile.budgets.map(\.isExact) == [true, false])
        #expect(lockfile.budgets[0].down.total == 4_156)
        #expect(lockfile.budgets[0].up.cookies == 30)
    }

    @Test("the same run makes the same bytes, whatever order its sums come in")
    func stable() throws {
        let totals = [
            total(api("GET", "b.example", "/x"), requests: 1, up: parts(fields: 5), down: parts(body: 7)),
            total(api("PUT", "a.example", "/x"), requests: 2, up: parts(fields: 6), down: parts(body: 8)),
            total(api("GET", "a.example", "/x"), requests: 3, up: parts(fields: 7), down: parts(body: 9)),
            total(api("GET", "a.example", "/B"), requests: 4, up: parts(fields: 8), down: parts(body: 9, captured: 3)),
            total(api("GET", "a.example", "/\"ü\n"), requests: 5, up: parts(fields: 8), down: parts(body: 9)),
        ]
        let text = try Lockfile(recording: Self.store(totals)).text
        for _ in 0..<20 { #expect(try Lockfile(recording: Self.store(totals.shuffled())).text == text) }
        let read = try Self.read(text)
        #expect(read.text == text)
        #expect(
            read.budgets.map { "\($0.api.host) \($0.api.template) \($0.api.method)" } == [
                "a.example /\"ü\n GET", "a.example /B GET", "a.example /x GET", "a.example /x PUT", "b.example /x GET",
            ])
        #expect(read.budgets.map(\.isExact) == [true, false, true, true, true])
        #expect(try Lockfile(recording: Self.store(totals), replacing: read).text == text)
    }

    @Test("recording again keeps tolerances, and takes a new one for all")
    func tolerances() throws {
        let earlier = try Self.read(Self.file)
        let run = Self.store([
            total(api("GET", "a.example", "/feed"), requests: 9, up: parts(fields: 9), down: parts(body: 9)),
            total(api("GET", "a.example", "/new"), requests: 1, up: parts(fields: 1), down: parts(body: 1)),
        ])
        let kept = try Lockfile(recording: run, replacing: earlier)
        #expect(kept.tolerance == Tolerance("5%"))
        #expect(kept.budgets.map(\.tolerance) == [Tolerance("12.5%"), nil])
        #expect(kept.budgets.map(\.requests) == [9, 1])
        let changed = try Lockfile(recording: run, tolerance: Tolerance("0.25%"), replacing: earlier)
        #expect(changed.tolerance == Tolerance("0.25%"))
        #expect(changed.budgets.map(\.tolerance) == [Tolerance("12.5%"), nil])
        #expect(try Lockfile(recording: run).tolerance == .usual)
    }

    @Test(
        "tolerances are percentages",
        arguments: [
            ("5%", "5%", 1_000, 1_050), ("0%", "0%", 1_000, 1_000), ("2.5 %", "2.5%", 1_000, 1_025),
            ("0.25%", "0.25%", 1_000, 1_002), ("1000%", "1000%", 7, 77), ("05.10%", "5.1%", 0, 0),
            ("5%", "5%", Int64.max, Int64.max),
        ] as [(String, String, Int64, Int64)])
    func tolerance(text: String, shown: String, budget: Int64, limit: Int64) throws {
        let tolerance = try #require(Tolerance(text))
        #expect(tolerance.description == shown)
        #expect(tolerance.limit(of: budget) == limit)
    }

    @Test(
        "what is no tolerance", arguments: ["5", "%", "-1%", "+1%", "1.%", ".5%", "1.234%", "1001%", "1e2%", "٥%", ""])
    func noTolerance(text: String) { #expect(Tolerance(text) == nil) }

    /// A change of the file above, and what must be said of it.
    @Test(
        "a broken file is refused with its line and the reason",
        arguments: [
            ("\"version\": 2", "\"version\": 3", 2, "version 3 is of a newer wireweight"),
            ("\"version\": 2,", "", 1, "this is not a lockfile: it has no 'version'"),
            ("\"version\": 2", "\"version\": 0", 2, "there is no version 0"),
            ("\"version\": 2", "\"version\": \"1\"", 2, "a string where a number belongs"),
            ("  \"tolerance\": \"5%\",\n", "", 1, "the file that starts here lacks 'tolerance'"),
            ("\"tolerance\": \"5%\"", "\"tolerance\": 5", 3, "a number where a string belongs"),
            ("\"tolerance\": \"12.5%\"", "\"tolerance\": \"a lot\"", 9, "'a lot' is not a tolerance; a tolerance is"),
            ("\"requests\": 2", "\"requests\": -2", 10, "a number of requests cannot be negative"),
            ("\"requests\": 2", "\"requests\": 2.5", 10, "a number of requests is a whole number"),
            ("\"requests\": 2", "\"requests\": 1e300", 10, "a number of requests cannot be as large as that"),
            ("\"requests\": 2", "\"requests\": null", 10, "null where a number belongs"),
            ("\"requests\": 2,", "", 5, "an API that starts here lacks 'requests'"),
            ("\"requests\": 2,", "\"requests\": 2, \"requests\": 2,", 10, "'requests' occurs twice; remove one"),
            ("\"requests\": 2", "\"request\": 2", 10, "an API has no member 'request'; remove it"),
            ("\"startLine\": 20", "\"startLine\": true", 12, "true or false where a number belongs"),
            ("\"startLine\": 20,", "", 11, "a direction that starts here lacks 'startLine'"),
            ("\"cookies\": 30", "\"cookies\": 201", 11, "more bytes of cookies than of fields"),
            ("\"method\": \"POST\"", "\"method\": \"GET\"", 28, "GET a.example /feed occurs twice, first in line 5"),
            ("\"exact\": false", "\"exact\": 1", 32, "'exact' is true or false"),
            ("\"method\": \"POST\"", "\"method\": {}", 29, "an object where a string belongs"),
            ("\"apis\": [\n    {", "\"apis\": [\n    {{", 5, "'{' where a member's name belongs"),
            ("\"requests\": 2,", "\"requests\": 2", 11, "'\"' where a comma or '}' belongs"),
            ("  ]\n}\n", "  ]\n", 52, "the file ends within an object"),
            ("  ]\n}\n", "  ]\n}\n{}", 53, "'{' after the end"),
        ])
    func broken(before: String, after: String, line: Int, reason: String) throws {
        let range = try #require(Self.file.firstRange(of: before))
        let text = Self.file[..<range.lowerBound] + after + Self.file[range.upperBound...]
        let fault = #expect(throws: JSONFault.self) { try Self.read(String(text)) }
        #expect(fault?.line == line, "\(String(describing: fault))")
        #expect(fault?.reason.hasPrefix(reason) == true, "\(String(describing: fault))")
    }

    @Test(
        "what is no text of JSON at all is refused",
        arguments: ["", "\n", "SQLite format 3\0", "[]", "12", "{", "<html>"])
    func foreign(text: String) {
        #expect(throws: JSONFault.self) { try Self.read(text) }
    }

    @Test("a later format may look as it likes")
    func later() throws {
        let fault = #expect(throws: JSONFault.self) {
            try Self.read("{\"budget\": [{\"a\": {}}],\n \"version\": 7}\n")
        }
        #expect(fault?.line == 2)
        #expect(fault?.reason.hasPrefix("version 7 is of a newer wireweight, this one knows version 2; ") == true)
    }

    @Test("nesting without end does not bring the reader down")
    func deep() {
        let text = "{\"version\": 1, \"x\": " + String(repeating: "[", count: 100_000)
        #expect(throws: JSONFault.self) { try Self.read(text) }
    }
}
