import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficAudit
import TrafficReports
import TrafficStore

@testable import TrafficInspector

/// What is said by the name of a phrase is known to the page, in the same words.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(4))) struct PhraseTests {
    /// What stands behind a key of the page's message table, from the quote of its English words on.
    private func message(_ key: String) throws -> Substring {
        let asset = try #require(PageAssets.all.first { $0.key.hasPrefix("app.") }?.value)
        let table = String(decoding: asset.bytes, as: UTF8.self)
        let begin = try #require(table.range(of: "\"\(key)\": ["), "'\(key)' is not in the page's table")
        return table[begin.upperBound...].drop { $0.isWhitespace }
    }

    private func expectSame(_ english: String, _ key: String) throws {
        let message = try message(key)
        #expect(message.hasPrefix("\"\(english)\",") || message.hasPrefix("'\(english)',"), "\(key): \(english)")
    }

    @Test(arguments: AuditPhrase.allCases) func theAudits(phrase: AuditPhrase) throws {
        #expect(phrase.english != phrase.rawValue)
        try expectSame(phrase.english, "audit.say.\(phrase.rawValue)")
    }

    @Test(arguments: CompletenessPhrase.allCases) func thoseOnCompleteness(phrase: CompletenessPhrase) throws {
        try expectSame(phrase.english, "complete.say.\(phrase.rawValue)")
    }

    @Test(arguments: RefusalPhrase.allCases) func theRefusals(phrase: RefusalPhrase) throws {
        try expectSame(phrase.english, "refusal.\(phrase.rawValue)")
    }

    @Test func aRefusalNamesItsPhraseAndValues() async throws {
        let shown = try await Shown()
        let reply = try await shown.ask("/api/v1/exchanges?limit=900")
        let error = try #require(try reply.object["error"] as? [String: Any])
        #expect(error["code"] as? String == "wrong")
        #expect(error["message"] as? String == "'limit' must be a whole number from 1 to 500")
        #expect(error["phrase"] as? String == "wholeNumber")
        #expect(error["values"] as? [String: String] == ["name": "limit", "least": "1", "most": "500"])
        let gone = try await shown.ask("/api/v1/exchanges/7").object["error"] as? [String: Any]
        #expect(gone?["message"] as? String == "there is no exchange 7 here, or not any more")
    }

    @Test func aFindingNamesItsPhrasesAndValues() async throws {
        let shown = try await Shown()
        for id in Int64(1)...40 {
            try shown.writer.write(Sample.events(id, path: "/orders", status: 404, body: 9_000))
        }
        let findings = try await shown.ask("/api/v1/audit").object["findings"] as? [[String: Any]] ?? []
        let failed = try #require(findings.first { $0["rule"] as? String == "retries" })
        let said = try #require(failed["said"] as? [String: [String: Any]])
        #expect(said["problem"]?["phrase"] as? String == "retriesFailed")
        let values = try #require(said["problem"]?["values"] as? [String: [String: Any]])
        #expect(values["count"]?["count"] as? Int == 39)
        #expect(values["failed"]?["count"] as? Int == 39)
        let kinds = try #require(values["kinds"]?["kinds"] as? [[String: Any]])
        #expect(kinds.first?["name"] as? String == "404")
        #expect(kinds.first?["count"] as? Int == 39)
        #expect(said["remedy"]?["phrase"] as? String == "retriesRemedy")
        #expect(
            failed["problem"] as? String == "39 retries followed failed attempts (404: 39); 39 of them failed as well.")
        #expect(said["source"]?["phrase"] as? String == "counted")
    }
}
