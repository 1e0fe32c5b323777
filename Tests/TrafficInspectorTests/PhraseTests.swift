import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficAudit
import TrafficReports
import TrafficStore

@testable import TrafficInspector

/// What is said by the name of a phrase is known to the page, in both languages.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(4))) struct PhraseTests {
    private func values(of text: Substring) -> Set<String> {
        Set(text.matches(of: /\{(\w+)\}/).map { $0.1.lowercased() })
    }

    @Test func eachSentenceIsInThePageInBothLanguages() throws {
        let lines = try ["app.", "chinese."].flatMap { name in
            let script = try #require(PageAssets.all.first { $0.key.hasPrefix(name) }?.value)
            return String(decoding: script.bytes, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
        }
        #expect(Set(ServerEnglish.sentences.map(\.key)).count == ServerEnglish.sentences.count)
        for (key, english) in ServerEnglish.sentences {
            let texts = lines.filter { $0.hasPrefix("\"\(key)\": ") }.map { $0.dropFirst(key.count + 4) }
            try #require(texts.count == 2, "\(key): English, Chinese")
            let escaped = english.replacing("\"", with: "\\\"")
            #expect(texts[0] == "\"\(escaped)\",", "\(key)")
            #expect(texts[1] != texts[0] && values(of: texts[1]) == values(of: english[...]), "\(key)")
        }
    }

    @Test func thePageHasNoSentenceThatTheServerNeverSays() throws {
        let known = Set(ServerEnglish.sentences.map(\.key))
        let table = try #require(PageAssets.sources["chinese-server.js"])
        for line in table.split(separator: "\n") {
            if let key = line.firstMatch(of: /^ {2}"((?:audit\.say|complete\.say|refusal)\.[^"]+)"/)?.1 {
                let isKnown = known.contains(String(key))
                #expect(isKnown, "\(key)")
            }
        }
    }

    @Test func aRefusalNamesItsPhraseAndValues() async throws {
        let shown = try await Shown()
        let reply = try await shown.ask("/api/v1/exchanges?limit=900")
        let error = try #require(try reply.object["error"] as? [String: Any])
        #expect(error["code"] as? String == "wrong")
        #expect(error["message"] as? String == "'limit' must be a whole number from 1 to 500")
        #expect(error["phrase"] as? String == "wholeNumber")
        #expect(error["values"] as? [String: String] == ["name": "limit", "least": "1", "most": "500"])
        let wrong = try await shown.ask("/api/v1/exchanges?text=failed%20status:4xx,nine")
        let filter = try wrong.object["error"] as? [String: Any]
        #expect(
            filter?["message"] as? String
                == "at character 19: 'nine' is not a status; write 404, 4xx, 400-499 or none")
        #expect(filter?["phrase"] as? String == "filterStatus")
        #expect(filter?["values"] as? [String: String] == ["place": "19", "word": "nine"])
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
