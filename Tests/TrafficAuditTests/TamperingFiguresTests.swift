import Foundation
import TestSupport
import Testing
import TrafficModel

@testable import TrafficAudit

/// How often the audit warns of tampering where there was none, and how much of it is found: made-up sites without TLS,
/// the same in each run.
@Suite("Figures of the tampering rule")
struct TamperingFiguresTests {
    /// How a URL answers.
    enum Habit: String, CaseIterable {
        case fixed = "a page that never changes"
        case released = "a page with a new version, and new scripts, now and then"
        case dynamic = "a page that is another each time"
        case split = "two pages, one for every second visitor"
        case canary = "another page for one visitor in twenty"
        case banner = "a page with a notice for one to twelve visits"
        case advertised = "a page with scripts of 30 advertisers in turn"
        case polled = "JSON that changes and changes back"
        case untyped = "content without a type that changes and changes back"
        case empty = "no content"
        case moved = "a redirect to a login elsewhere, every tenth time"

        /// Whether a server that does so looks like a network that tampers; docs/audit.md says so.
        var isAlike: Bool { [.canary, .banner, .moved].contains(self) }
    }

    /// What a network does to one answer of many.
    enum Attack: String, CaseIterable {
        case script = "adds a script from elsewhere to the page"
        case inline = "adds a script of its own to the page"
        case login = "redirects to its login"
        case page = "answers with a page of its own"
    }

    private struct Chance: RandomNumberGenerator {
        var state: UInt64

        // SplitMix64.
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    private static let visits = 100
    /// The figures of docs/audit.md are those of 12 sites; fewer show as well whether the rule works.
    private static let sites = Rounds.few(2, all: 12)

    private func text(_ habit: Habit, _ visit: Int, _ site: Int, _ chance: inout Chance) -> String {
        func page(_ version: Int, _ scripts: [String]) -> String {
            "<!doctype html><title>\(version)</title>" + String(repeating: "news ", count: 300 + version % 7)
                + scripts.map { "<script src=\"https://\($0)/x.js\"></script>" }.joined()
        }
        let own = ["cdn.site\(site).test", "metrics.example"]
        switch habit {
        case .fixed: return page(0, own)
        case .released:
            let version = visit / (20 + site)
            return page(version, own + (0..<version).map { "lib\($0).example" })
        case .dynamic: return page(Int.random(in: 0..<1_000_000, using: &chance), own)
        case .split: return page(Int.random(in: 0...1, using: &chance), own)
        case .canary: return page(Int.random(in: 0..<20, using: &chance) == 0 ? 1 : 0, own)
        case .banner: return page((40..<40 + site).contains(visit) ? 1 : 0, own)
        case .advertised:
            return page(visit, own + ["ads\(Int.random(in: 0..<30, using: &chance)).example"])
        case .polled, .untyped: return Int.random(in: 0..<15, using: &chance) == 0 ? "{\"up\":false}" : "{\"up\":1}"
        case .empty, .moved: return ""
        }
    }

    private func exchanges(
        _ habit: Habit, _ site: Int, keepsBodies: Bool, attack: Attack? = nil, at attacked: Set<Int> = []
    ) -> [Exchange] {
        var chance = Chance(state: UInt64(site * 97))
        return (0..<Self.visits).map { visit in
            var text = text(habit, visit, site, &chance)
            var status = habit == .empty ? 204 : habit == .moved && visit % 10 == 9 ? 302 : 200
            var type =
                switch habit {
                case .polled: "application/json"
                case .untyped, .empty: ""
                default: "text/html"
                }
            var fields = status == 302 ? ["Location: https://login.example/"] : []
            if attacked.contains(visit) {
                switch attack {
                case .script: text += "<script src='http://ads.network.example/i.js'></script>"
                case .inline: text += "<script>show('hello')</script>"
                case .login: (status, text, fields) = (302, "", ["Location: http://portal.network.example/"])
                case .page: (text, type) = ("<html><h1>Pay here</h1></html>", "text/html")
                case nil: break
                }
            }
            let body = Array(text.utf8)
            let digest = body.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
            return call(
                Int64(visit + 1), at: Double(visit) * 900, "GET", "http://www.site\(site).test/\(habit)",
                status: status,
                type: type, body: Int64(body.count), digest: digest, kept: keepsBodies && !body.isEmpty ? body : nil,
                got: fields)
        }
    }

    private func alarms(_ exchanges: [Exchange]) throws -> Int { try findings("tampering", in: exchanges).count }

    @Test("no false alarm but where a server behaves as a network would", arguments: [false, true])
    func falseAlarms(_ keepsBodies: Bool) throws {
        var lines = ["false alarms, bodies \(keepsBodies ? "kept" : "not kept"):"]
        for habit in Habit.allCases {
            var count = 0
            for site in 1...Self.sites where try alarms(exchanges(habit, site, keepsBodies: keepsBodies)) > 0 {
                count += 1
            }
            lines.append("  \(count) of \(Self.sites) URLs, \(Self.visits) visits each: \(habit.rawValue)")
            if !habit.isAlike { #expect(count == 0, "\(habit)") }
        }
        print(lines.joined(separator: "\n"))
    }

    @Test("what is found of one to three changed answers in a hundred", arguments: [false, true])
    func found(_ keepsBodies: Bool) throws {
        var lines = ["tampering found, bodies \(keepsBodies ? "kept" : "not kept"):"]
        var figures: [String: Int] = [:]
        for attack in Attack.allCases {
            for habit in [Habit.fixed, .released, .dynamic, .polled, .untyped, .empty] {
                let isPage = habit == .fixed || habit == .released || habit == .dynamic
                guard isPage || attack == .login || attack == .page else { continue }
                var count = 0
                for site in 1...Self.sites {
                    let attacked = Set((0...site % 3).map { 30 + site + 7 * $0 })
                    let changed = exchanges(habit, site, keepsBodies: keepsBodies, attack: attack, at: attacked)
                    if try alarms(changed) > 0 { count += 1 }
                }
                figures["\(attack) \(habit)"] = count
                lines.append("  \(count) of \(Self.sites): a network \(attack.rawValue), \(habit.rawValue)")
            }
        }
        print(lines.joined(separator: "\n"))
        for attack in ["script", "inline"] {
            #expect(figures["\(attack) fixed"] == Self.sites)
            #expect(figures["\(attack) dynamic"] == (keepsBodies ? Self.sites : 0))
        }
        for habit in ["fixed", "released", "dynamic", "polled", "untyped", "empty"] {
            #expect(figures["login \(habit)"] == Self.sites)
        }
        for habit in ["polled", "untyped", "empty"] { #expect(figures["page \(habit)"] == Self.sites) }
    }
}
