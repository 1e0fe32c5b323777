import Testing

@testable import TrafficAudit

@Suite struct AuditSentenceTests {
    @Test(
        "few calls have words of their own",
        arguments: [
            (1, 1, "its only call"), (2, 2, "both calls"), (1, 2, "1 of 2 calls"), (3, 3, "all 3 calls"),
            (2, 1_000, "2 of 1,000 calls"),
        ])
    func calls(count: Int, all: Int, words: String) {
        let sentence = AuditSentence(.identical, ["time": .duration(1_000_000_000), "calls": .calls(count, of: all)])
        #expect(sentence.english.hasSuffix("with the same response, in \(words)."))
        let first = AuditSentence(.failed, ["calls": .calls(count, of: all), "kinds": .text("404")])
        #expect(first.english.hasPrefix(words.prefix(1).uppercased() + words.dropFirst()))
    }
}
