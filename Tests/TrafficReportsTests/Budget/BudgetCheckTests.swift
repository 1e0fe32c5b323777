import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

@Suite("Budget checks") struct BudgetCheckTests {
    private func sum(
        _ template: String, method: String = "GET", requests: Int64 = 1, up: Int64 = 100, down: Int64 = 1_000,
        captured: Int64? = nil
    ) -> TrafficTotal {
        total(
            api(method, "a.example", template), requests: requests, up: parts(fields: up),
            down: parts(fields: 200, body: down - 200, captured: captured))
    }

    private func check(
        _ budgets: [TrafficTotal], _ run: [TrafficTotal], tolerance: String = "5%",
        rules: BudgetCheck.Rules = .init(), losses: [TrafficLoss] = []
    ) throws -> BudgetCheck {
        let lockfile = try Lockfile(
            recording: FakeStore(groups: [.api: budgets]), tolerance: Tolerance(tolerance))
        return try BudgetCheck(of: FakeStore(groups: [.api: run], losses: losses), against: lockfile, rules: rules)
    }

    @Test(
        "a figure is exceeded from the first byte beyond the tolerance",
        arguments: [
            (105, 1_050, 20, [], .within), (106, 1_000, 20, [.up], .exceeded), (100, 1_051, 20, [.down], .exceeded),
            (100, 1_000, 21, [], .within), (100, 1_000, 22, [.requests], .exceeded),
            (106, 1_051, 22, [.requests, .up, .down], .exceeded), (100, 1_000, 20, [], .same),
            (100, 999, 20, [], .within), (95, 1_000, 20, [], .smaller), (100, 1_000, 10, [], .smaller),
            // What grew counts, even where the rest became smaller.
            (200, 300, 20, [.up], .exceeded),
        ] as [(Int64, Int64, Int64, [BudgetCheck.Figure], BudgetCheck.Verdict)])
    func boundaries(
        up: Int64, down: Int64, requests: Int64, exceeded: [BudgetCheck.Figure], verdict: BudgetCheck.Verdict
    ) throws {
        let check = try check([sum("/a", requests: 20)], [sum("/a", requests: requests, up: up, down: down)])
        let row = try #require(check.rows.first)
        #expect(row.exceeded == exceeded)
        #expect(row.verdict == verdict)
        #expect(check.isPassed == exceeded.isEmpty)
    }

    @Test("CSV has a row for each API, with budget, limit and run of each figure")
    func delimited() throws {
        let csv = try check([sum("/a"), sum("/gone")], [sum("/a", up: 200), sum("/new")]).csv
        #expect(
            csv.split(separator: "\r\n") == [
                "verdict,breach,method,host,template,direction,tolerance,exceeded,requestsBudget,requestsLimit,"
                    + "requestsRun,upBudget,upLimit,upRun,downBudget,downLimit,downRun,callP95Budget,callP95Limit,"
                    + "callP95Run,exact",
                "exceeded,true,GET,a.example,/a,called,5%,up,1,1,1,100,105,200,1000,1050,1000,,,,true",
                "new,true,GET,a.example,/new,called,5%,,,,1,,,100,,,1000,,,,true",
                "vanished,false,GET,a.example,/gone,called,5%,,1,1,,100,105,,1000,1050,,,,,true",
            ])
    }

    @Test("a byte that moved from one part to another is not the same")
    func moved() throws {
        let moved = total(
            api("GET", "a.example", "/a"), requests: 1, up: parts(fields: 100),
            down: parts(fields: 201, body: 799))
        #expect(try check([sum("/a")], [moved]).rows.map(\.verdict) == [.within])
    }

    @Test("what is new is a breach unless allowed, what vanished is none unless forbidden")
    func newAndVanished() throws {
        let (budgets, run) = ([sum("/a"), sum("/old")], [sum("/a"), sum("/new")])
        func breaches(_ rules: BudgetCheck.Rules) throws -> [String] {
            try check(budgets, run, rules: rules).breaches.map(\.api.template).sorted()
        }
        #expect(try breaches(.init()) == ["/new"])
        #expect(try breaches(.init(allowsNew: true)) == [])
        #expect(try breaches(.init(forbidsVanished: true)) == ["/new", "/old"])
        #expect(try breaches(.init(allowsNew: true, forbidsVanished: true)) == ["/old"])
        let verdicts = try check(budgets, run).rows.map { "\($0.api.template) \($0.verdict.rawValue)" }
        #expect(verdicts == ["/new new", "/old vanished", "/a same"])
    }

    @Test("an API's own tolerance wins")
    func ownTolerance() throws {
        var lockfile = try Lockfile(
            recording: FakeStore(groups: [.api: [sum("/a"), sum("/b")]]), tolerance: Tolerance("0%"))
        var budgets = lockfile.budgets
        budgets[1].tolerance = Tolerance("10%")
        lockfile = Lockfile(tolerance: lockfile.tolerance, budgets: budgets)
        let check = BudgetCheck([sum("/a", down: 1_001), sum("/b", down: 1_100)], against: lockfile, rules: .init())
        #expect(check.breaches.map(\.api.template) == ["/a"])
    }

    @Test("a run without a request checks nothing, and says so")
    func emptyRun() throws {
        let check = try check([sum("/a")], [])
        #expect(!check.isPassed)
        #expect(check.conclusion == "The run has no requests, so no budget was checked.")
        #expect(try self.check([], []).isPassed)
    }

    @Test("the table names what fails and why, the largest growth first")
    func table() throws {
        let check = try check(
            [sum("/feed"), sum("/me"), sum("/same"), sum("/gone")],
            [
                sum("/feed", requests: 2, up: 200, down: 4_500), sum("/me", down: 1_200), sum("/same"),
                sum("/new", captured: 0),
            ], losses: [TrafficLoss(reason: .bufferFull, count: 3)])
        #expect(
            check.table(TextStyle(width: 120)) == """
                Verdict   Method  Host       API    Requests             Up             Down     Bytes
                EXCEEDED  GET     a.example  /feed     1 → 2  100 B → 200 B  1.0 KB → 4.5 KB    +327 %
                EXCEEDED  GET     a.example  /me           1          100 B  1.0 KB → 1.2 KB   +18.2 %
                NEW       GET     a.example  /new          1         ~100 B          ~1.0 KB       new
                vanished  GET     a.example  /gone         1          100 B           1.0 KB  vanished

                GET a.example /feed
                  requests 1 → 2, allowed 1 (5%)
                  up 100 B → 200 B, allowed 105 B (5%): headers +100 B
                  down 1,000 B → 4,500 B, allowed 1,050 B (5%): body +3,500 B
                GET a.example /me
                  down 1,000 B → 1,200 B, allowed 1,050 B (5%): body +200 B
                1 API is the same to the byte.
                ~ marks sums of which a part is reported or reconstructed.
                To accept these changes, record them with 'wireweight budget record'.
                Warning: part of the run could not be recorded (buffer full 3), so its sums are too low.
                3 of 5 APIs breach their budgets.

                """)
    }

    @Test("Markdown shows what others wrote as it is")
    func markdown() throws {
        let hostile = sum("/a|b*<img>\u{1B}[31m`_~")
        let check = try check([sum("/feed")], [sum("/feed", down: 2_000), hostile])
        #expect(
            check.markdown == """
                ### Traffic budget: breached

                2 of 2 APIs breach their budgets.

                | Verdict | API | Requests | Up | Down | Bytes |
                | --- | --- | ---: | ---: | ---: | ---: |
                | **exceeded** | GET a.example /feed | 1 | 100 B | 1.0 KB → 2.0 KB | +90.9 % |
                | **new** | GET a.example /a\\|b\\*\\<img\\>\\\\x1B\\[31m\\`_~ | 1 | 100 B | 1.0 KB | new |

                - GET a.example /feed
                  - down 1,000 B → 2,000 B, allowed 1,050 B (5%): body +1,000 B

                To accept these changes, record them with 'wireweight budget record'.

                """)
        #expect(try self.check([sum("/a")], [sum("/a")]).markdown.hasPrefix("### Traffic budget: kept\n"))
    }
}
