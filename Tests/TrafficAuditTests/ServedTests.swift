import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficAudit

/// Rules about clients claim nothing about what was served.
@Suite struct ServedTests {
    /// Clients that get the same redirect and the same page again, in plain text, without caching.
    private static func calls(_ direction: TrafficDirection) -> [Exchange] {
        (1...40 as ClosedRange<Int64>).map { number in
            var one =
                number % 2 == 0
                ? call(number, at: Double(number), status: 301, got: ["Location: http://api.test/items/"], opened: true)
                : call(
                    number, at: Double(number), type: "text/html", body: 40_000, digest: 7,
                    sent: ["Accept-Encoding: gzip", "Cookie: a=b"], sentCookies: 6_000, opened: true)
            one.request.direction = direction
            return one
        }
    }

    private static func audit(_ exchanges: [Exchange]) throws -> Audit {
        try Audit(of: auditStore(exchanges), limits: everything())
    }

    @Test func onlyRulesThatAreTrueOfAServerApply() throws {
        let called = Set(try Self.audit(Self.calls(.called)).findings.map(\.rule))
        #expect(called.isSuperset(of: ["redirects", "text-without-coding", "oversized-cookies"]))
        let served = Set(try Self.audit(Self.calls(.served)).findings.map(\.rule))
        #expect(served == ["text-without-coding"])
        #expect(
            Audit.rules(for: .served).map { $0.name } == [
                "text-without-coding", "slow-server", "large-images", "tiny-chunks",
            ])
        #expect(Audit.rules(for: .called).count == Audit.rules.count)
    }

    @Test func aServerDoesNotCompressForClientsThatDoNotAcceptIt() throws {
        let exchanges = (1...10 as ClosedRange<Int64>).map { number in
            var one = call(number, at: Double(number), type: "text/html", body: 40_000)
            one.request.direction = .served
            return one
        }
        #expect(try Self.audit(exchanges).findings.isEmpty)
    }

    @Test func bothAreExaminedByThemselves() throws {
        let served = Self.calls(.served).map { exchange in
            var exchange = exchange
            exchange.request.exchange = ExchangeID(exchange.request.exchange.rawValue + 100)
            return exchange
        }
        let audit = try Self.audit(Self.calls(.called) + served)
        #expect(audit.examined.map(\.direction) == [.called, .served])
        #expect(audit.examined.map(\.exchanges) == [40, 40] && audit.examined.map(\.requests) == [40, 40])
        #expect(audit.notes(in: .utc).contains { $0.hasPrefix("Looked at 40 called and 40 served exchanges.") })
        #expect(audit.notes(in: .utc).contains { $0.contains("only these rules apply: text-without-coding, ") })
        #expect(audit.table().contains("served GET api.test"))
        #expect(audit.json.contains("\"direction\": \"served\""))
        let texts = audit.findings.filter { $0.rule == "text-without-coding" }
        #expect(Set(texts.map(\.key.direction)) == [.called, .served])
        #expect(texts.allSatisfy { $0.examinedCalls == 40 && $0.calls == 40 })
        let only = try Audit(
            of: auditStore(Self.calls(.called) + served), direction: .served, limits: everything())
        #expect(Set(only.findings.map(\.key.direction)) == [.served])
    }
}
